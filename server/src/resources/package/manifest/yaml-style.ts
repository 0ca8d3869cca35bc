/** The style of a YAML scalar. */
type ScalarStyle = "plain" | "single" | "double" | "literal";

/**
 * The style PyYAML's emitter gives a text in block context when texts with line breaks ask for a literal block: plain where
 * it cannot be read as another type, else the first of literal (only with line breaks), single and double quotes that can represent it.
 */
export function scalarStyle(text: string, isKey: boolean): ScalarStyle {
  const traits = analyse(text);
  if (traits.multiline) return !isKey && traits.literalAllowed ? "literal" : "double";
  if (traits.plainAllowed && !looksTyped(text) && !(isKey && text === "")) return "plain";
  return traits.special ? "double" : "single";
}

interface Traits {
  readonly multiline: boolean;
  readonly special: boolean;
  readonly plainAllowed: boolean;
  readonly literalAllowed: boolean;
}

const EDGE_SPACE = /^ | $/;
const SPACE_THEN_BREAK = / \n/;
/**
 * Characters that need escapes: controls, tabs, the byte order mark, lone surrogates, and the line breaks
 * that YAML 1.1 knows and 1.2 does not.
 */
const SPECIAL = /[^\n\x20-\x7e\u00a0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10fffe}]/u;
/** Indicators of YAML, at the start or inside a text. */
const INDICATORS = /^(---|\.\.\.|[#,[\]{}&*!|>'"%@`]|[?:-]( |$))|:( |$)| #/;

function analyse(text: string): Traits {
  const special = SPECIAL.test(text) || SPACE_THEN_BREAK.test(text);
  const multiline = text.includes("\n");
  return {
    multiline,
    plainAllowed: !special && !multiline && !EDGE_SPACE.test(text) && !INDICATORS.test(text),
    special,
    literalAllowed: !special && !text.endsWith(" "),
  };
}

/** Texts that YAML 1.1 reads as another type. */
const TYPED_1_1: readonly RegExp[] = [
  /^(~|null|Null|NULL|)$/,
  /^(yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$/,
  /^([-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(:[0-5]?[0-9])+)$/,
  /^([-+]?[0-9][0-9_]*\.[0-9_]*([eE][-+][0-9]+)?|\.[0-9][0-9_]*([eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+\.[0-9_]*)$/,
  /^([-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN))$/,
  /^[0-9]{4}-[0-9]{2}-[0-9]{2}$/,
  /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(\.[0-9]*)?([ \t]*(Z|[-+][0-9]{1,2}(:[0-9]{2})?))?$/,
  /^(<<|=)$/,
];

/** Texts that only YAML 1.2 reads as a number. PyYAML does not quote them; readers of both versions understand the quotes. */
const TYPED_1_2 = /^([-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)[eE][-+]?[0-9]+|0o[0-7]+|[-+]?0[0-9]+|[-+]?\.[0-9]+)$/;

function looksTyped(text: string): boolean {
  return TYPED_1_2.test(text) || TYPED_1_1.some((pattern) => pattern.test(text));
}
