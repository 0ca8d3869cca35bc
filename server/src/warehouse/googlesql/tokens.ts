/** A construct of GoogleSQL that DuckDB does not have, or that would return something else there. */
export class UntranslatableError extends Error {
  override readonly name = "UntranslatableError";
  readonly construct: string;

  constructor(construct: string, reason: string) {
    super(reason);
    this.construct = construct;
  }
}

/** A token of GoogleSQL. Comments are dropped; `space`: whether white space or a comment precedes it. */
export interface Token {
  readonly kind: "word" | "quoted-name" | "string" | "bytes" | "number" | "parameter" | "mark";
  /** As written; for names and strings their content, with escapes decoded. */
  readonly text: string;
  readonly space: boolean;
}

const SPACE = /^(?:\s+|--[^\n]*(?:\n|$)|#[^\n]*(?:\n|$)|\/\*[\s\S]*?\*\/)+/;
const WORD = /^[A-Za-z_][A-Za-z0-9_]*/;
const NUMBER = /^(?:0x[0-9a-f]+|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)/i;
const STRING = /^(r|b|rb|br)?("""|'''|"|')/i;
const MARK = /^(?:<=|>=|<>|!=|\|\||<<|>>|=>|\?\?|[-+*/%=<>(),.;[\]{}:&|^~?!])/;

/** Splits GoogleSQL into tokens. */
export function tokenize(sql: string): readonly Token[] {
  const tokens: Token[] = [];
  let rest = sql;
  let space = false;
  while (rest !== "") {
    const blank = SPACE.exec(rest)?.[0];
    if (blank !== undefined) {
      rest = rest.slice(blank.length);
      space = true;
      continue;
    }
    const { token, length } = readToken(rest);
    tokens.push({ ...token, space });
    rest = rest.slice(length);
    space = false;
  }
  return tokens;
}

interface ReadToken {
  readonly token: Omit<Token, "space">;
  readonly length: number;
}

function readToken(text: string): ReadToken {
  const quoted = /^`((?:[^`\\]|\\.)*)`/.exec(text);
  if (quoted) return { token: { kind: "quoted-name", text: quoted[1] ?? "" }, length: quoted[0].length };
  const parameter = /^[@$]([A-Za-z_]\w*)/.exec(text);
  if (parameter) return { token: { kind: "parameter", text: parameter[1] ?? "" }, length: parameter[0].length };
  const opening = STRING.exec(text);
  if (opening) return readString(text, opening[1] ?? "", opening[2] ?? "'");
  for (const [kind, pattern] of [
    ["word", WORD],
    ["number", NUMBER],
    ["mark", MARK],
  ] as const) {
    const found = pattern.exec(text)?.[0];
    if (found !== undefined) return { token: { kind, text: found }, length: found.length };
  }
  throw new UntranslatableError(text.slice(0, 10), "this is not GoogleSQL");
}

/** Reads to the closing quote; raw strings keep their backslashes, others have their escapes decoded. */
function readString(text: string, prefix: string, quote: string): ReadToken {
  const raw = /r/i.test(prefix);
  let content = "";
  for (let at = prefix.length + quote.length; at < text.length; ) {
    if (text.startsWith(quote, at)) {
      const kind = /b/i.test(prefix) ? "bytes" : "string";
      return { token: { kind, text: content }, length: at + quote.length };
    }
    const escaped = text[at] === "\\" ? readEscape(text.slice(at)) : undefined;
    if (escaped && !raw) {
      content += escaped.value;
      at += escaped.length;
    } else {
      const length = escaped ? 2 : 1;
      content += text.slice(at, at + length);
      at += length;
    }
  }
  throw new UntranslatableError(quote, "a string is not closed");
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", a: "\x07", b: "\b", f: "\f", v: "\v" };

function readEscape(text: string): { readonly value: string; readonly length: number } {
  const code = /^\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8})|([0-7]{3}))/i.exec(text);
  if (code) {
    const [whole, hex, unicode, long, octal] = code;
    const point = octal ? Number.parseInt(octal, 8) : Number.parseInt(hex ?? unicode ?? long ?? "0", 16);
    return { value: String.fromCodePoint(point), length: whole.length };
  }
  const letter = text[1] ?? "";
  return { value: ESCAPES[letter] ?? letter, length: 2 };
}
