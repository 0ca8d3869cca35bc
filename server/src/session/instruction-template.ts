import { isJsonObject, type JsonObject, type JsonValue } from "#base";

/** An instruction read once: plain text and places for static variables. */
export interface InstructionTemplate {
  readonly segments: readonly Segment[];
  /** Variables written `{name}`: they stay in the prompt, and the conversation tells their values (ces-runtime 3.2). */
  readonly dynamicNames: readonly string[];
}

type Segment =
  | { readonly kind: "text"; readonly text: string }
  /** `{{path}}`: `source` is what stands there as long as the variable has no value. */
  | { readonly kind: "static"; readonly path: readonly string[]; readonly source: string };

/** One of `{{path}}`, `{@AGENT: name}` (also TOOL, Widget), `{name}`. */
const REFERENCE =
  /\{\{\s*([A-Za-z_]\w*(?:\.\w+)*)\s*\}\}|\{@(?:AGENT|TOOL|Widget):\s*([^{}]+?)\s*\}|\{([A-Za-z_]\w*)(?:\.\w+)*\}/g;

/**
 * Reads an instruction. Resource references become the bare name under which the model knows the thing; names that are not
 * declared are left as they stand.
 */
export function parseInstruction(text: string, isDeclared: (name: string) => boolean): InstructionTemplate {
  const segments: Segment[] = [];
  const dynamicNames = new Set<string>();
  let plain = "";
  let end = 0;
  for (const match of text.matchAll(REFERENCE)) {
    const [source, path, reference, dynamic] = match;
    plain += text.slice(end, match.index);
    end = match.index + source.length;
    const names = path?.split(".") ?? [];
    if (names[0] !== undefined && isDeclared(names[0])) {
      if (plain) segments.push({ kind: "text", text: plain });
      segments.push({ kind: "static", path: names, source });
      plain = "";
      continue;
    }
    if (dynamic !== undefined && isDeclared(dynamic)) dynamicNames.add(dynamic);
    plain += reference ?? source;
  }
  plain += text.slice(end);
  if (plain) segments.push({ kind: "text", text: plain });
  return { segments, dynamicNames: [...dynamicNames] };
}

/** The instruction with the static variables' present values; a missing or null one leaves its placeholder. */
export function renderInstruction(template: InstructionTemplate, variables: JsonObject): string {
  let text = "";
  for (const segment of template.segments) {
    text += segment.kind === "text" ? segment.text : (textAt(variables, segment.path) ?? segment.source);
  }
  return text;
}

/** A prompt with the present values of `{name}` and `{{name}}` in it; what has no value stays as it stands. */
export function substituteVariables(text: string, variables: JsonObject): string {
  return text.replaceAll(
    /\{\{\s*([A-Za-z_]\w*(?:\.\w+)*)\s*\}\}|\{([A-Za-z_]\w*(?:\.\w+)*)\}/g,
    (source: string, double: string | undefined, single: string | undefined) =>
      textAt(variables, (double ?? single ?? "").split(".")) ?? source,
  );
}

/** A variable's value as a prompt shows it: text as it is, everything else as JSON. */
export function variableText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function textAt(variables: JsonObject, path: readonly string[]): string | undefined {
  let value: JsonValue | undefined = variables;
  for (const name of path) value = isJsonObject(value) ? value[name] : undefined;
  return value === undefined || value === null ? undefined : variableText(value);
}
