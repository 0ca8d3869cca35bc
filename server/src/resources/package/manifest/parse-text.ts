import { type ParseError, parse, printParseErrorCode, visit as visitJson } from "jsonc-parser";
import { isScalar, type ParsedNode, parseAllDocuments, visit as visitYaml, type YAMLError } from "yaml";
import { yamlValue } from "#base";

/** Values of one manifest, at most: reading, checking and copying them takes the event loop some tens of milliseconds (PKG-32). */
export const MAX_VALUES = 20_000;

/**
 * Characters of a YAML text that are parsed at most, far more than people write. JSON parses a hundred times faster and has no such limit.
 */
const MAX_YAML_LENGTH = 256 * 1024;

/** A problem at a place in a text; line and column count from 1. */
export interface SyntaxProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The JSON value of a manifest's text, or why it cannot be parsed. `remarks` do not stop an import. */
export type ParsedText =
  | { readonly kind: "parsed"; readonly value: unknown; readonly remarks: readonly SyntaxProblem[] }
  | { readonly kind: "broken"; readonly problems: readonly SyntaxProblem[] };

/** Parses the text of a manifest, by its file name: `.json` is JSON, anything else YAML. */
export function parseText(path: string, text: string): ParsedText {
  try {
    const parsed = path.endsWith(".json") ? parseJson(text) : parseYaml(text);
    if (parsed.kind === "broken" || isWellFormed(parsed.value)) return parsed;
    return broken(text, 0, "A text in it holds half a surrogate pair.");
  } catch (error) {
    // Both parsers are recursive: a text with ten thousands of levels exceeds the engine's stack.
    if (error instanceof RangeError) return broken(text, 0, "Nested too deeply.");
    throw error;
  }
}

/** An escape such as `\ud83d` alone is valid JSON and YAML, but no valid text. */
function isWellFormed(value: unknown): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  return Object.entries(value).every(([key, item]) => key.isWellFormed() && isWellFormed(item));
}

/** Parses strict JSON. A repeated key of an object is a remark; its last value is used. */
function parseJson(text: string): ParsedText {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return locateJsonError(text);
  }
  return { kind: "parsed", value, remarks: repeatedJsonKeys(text) };
}

/** The error of the tolerant parser, which always has a position; the engine's own message often has none. */
function locateJsonError(text: string): ParsedText {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false });
  // Later errors mostly follow from the first one.
  const [first] = errors;
  if (!first) return broken(text, 0, "Not valid JSON.");
  return broken(text, first.offset, `Not valid JSON: ${inWords(printParseErrorCode(first.error))}.`);
}

/** `CommaExpected` → `comma expected`. */
function inWords(code: string): string {
  return code.replace(/(?<=.)([A-Z])/g, " $1").toLowerCase();
}

function repeatedJsonKeys(text: string): readonly SyntaxProblem[] {
  const remarks: SyntaxProblem[] = [];
  const open: Set<string>[] = [];
  visitJson(text, {
    onObjectBegin: () => {
      open.push(new Set());
    },
    onObjectEnd: () => {
      open.pop();
    },
    onObjectProperty: (key, _offset, _length, line, column) => {
      const keys = open.at(-1);
      if (keys?.has(key)) remarks.push({ line: line + 1, column: column + 1, message: repeatedKey(key) });
      keys?.add(key);
    },
  });
  return remarks;
}

/**
 * The schema `core` even where the file asks for YAML 1.1, whose dates and sets are not JSON. `uniqueKeys` is off because the library
 * compares every key with every other one; `repeatedYamlKeys` does not.
 */
export const YAML_OPTIONS = { schema: "core", merge: true, uniqueKeys: false, prettyErrors: false } as const;

/** Parses one YAML document with JSON's types; merge keys are allowed. A repeated key is a remark, as in JSON. */
function parseYaml(text: string): ParsedText {
  if (text.length > MAX_YAML_LENGTH)
    return broken(text, 0, `A YAML manifest has at most ${MAX_YAML_LENGTH} characters; write this one as JSON.`);
  const documents = parseAllDocuments(text, YAML_OPTIONS);
  const [document, second] = Array.isArray(documents) ? documents : [];
  if (!document) return { kind: "parsed", value: null, remarks: [] };
  if (second) return broken(text, second.range[0], "A manifest is a single document; this starts a second one.");
  // Later errors mostly follow from the first one.
  const [error] = document.errors;
  if (error) return { kind: "broken", problems: [yamlProblem(text, error)] };
  const warnings = document.warnings.map((warning) => yamlProblem(text, warning));
  const remarks = [...warnings, ...repeatedYamlKeys(text, document.contents)];
  const found = yamlValue(document);
  if ("problem" in found) return broken(text, found.offset, found.problem);
  if (hasMoreValues(found.value, MAX_VALUES))
    return broken(text, 0, `With what its aliases stand for, it has more than ${MAX_VALUES} values.`);
  return { kind: "parsed", value: found.value, remarks };
}

/** Whether a value has more values than `most`; one that several places share counts at each of them. */
function hasMoreValues(value: unknown, most: number): boolean {
  const open = [value];
  for (let count = 0; open.length > 0; count++) {
    if (count + open.length > most) return true;
    const next = open.pop();
    if (typeof next !== "object" || next === null) continue;
    for (const item of Object.values(next)) open.push(item);
  }
  return false;
}

function repeatedYamlKeys(text: string, contents: ParsedNode | null): readonly SyntaxProblem[] {
  const remarks: SyntaxProblem[] = [];
  visitYaml(contents, {
    Map: (_, { items }) => {
      const keys = new Set<unknown>();
      for (const { key } of items) {
        if (!isScalar(key) || key.value === "<<") continue;
        if (keys.has(key.value))
          remarks.push({ ...lineColumn(text, key.range?.[0] ?? 0), message: repeatedKey(String(key.value)) });
        keys.add(key.value);
      }
    },
  });
  return remarks;
}

function yamlProblem(text: string, { pos, message }: YAMLError): SyntaxProblem {
  return { ...lineColumn(text, pos[0]), message: `Not valid YAML: ${message}` };
}

function broken(text: string, offset: number, message: string): ParsedText {
  return { kind: "broken", problems: [{ ...lineColumn(text, offset), message }] };
}

/** Line and column of an offset, both from 1, as editors count them. */
function lineColumn(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset);
  return { line: before.split("\n").length, column: offset - before.lastIndexOf("\n") };
}

function repeatedKey(key: string): string {
  return `The key '${key}' is repeated in its object; the last value was used.`;
}
