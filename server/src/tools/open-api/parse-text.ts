import { LineCounter, parseDocument } from "yaml";

/** Anchors may stand for each other, so that a small text is an endless document; documents of people have few. */
const MAX_ALIASES = 100;

/** What a text holds. `shares`: whether one object may stand at several places, as anchors of YAML do. */
export type ParsedText =
  | { readonly kind: "value"; readonly value: unknown; readonly shares: boolean }
  | { readonly kind: "broken"; readonly problem: string };

/** Reads JSON; undefined when the text is none, which YAML may still be: flow style begins with a brace, too. */
export function parseJson(text: string): ParsedText | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    return { kind: "value", value: JSON.parse(text), shares: false };
  } catch {
    return undefined;
  }
}

/** Reads YAML. Takes fifty times as long as JSON. */
export function parseYaml(text: string): ParsedText {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "silent" });
    const [error] = document.errors;
    if (!error) return { kind: "value", value: document.toJS({ maxAliasCount: MAX_ALIASES }), shares: true };
    const { line, col } = lines.linePos(error.pos[0]);
    return broken(`the schema is neither JSON nor YAML (line ${line}, column ${col}): ${oneLine(error.message)}`);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return broken(`the schema is neither JSON nor YAML: ${oneLine(why)}`);
  }
}

function broken(problem: string): ParsedText {
  return { kind: "broken", problem };
}

function oneLine(text: string): string {
  return text.split("\n", 1)[0]?.replace(/[.:]$/, "") ?? "";
}
