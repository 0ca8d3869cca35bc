import { type ParseError, parse, printParseErrorCode, visit as visitJson } from "jsonc-parser";
import { isScalar, type ParsedNode, parseAllDocuments, visit as visitYaml, type YAMLError } from "yaml";
import { hasMoreJsonValues, isJsonObject, type JsonObject, yamlValue } from "#base";
import type { Findings } from "../findings.ts";
import { decodeText } from "../package-files.ts";

/** Values of one manifest, at most: reading, checking and copying them takes the event loop some tens of milliseconds (PKG-32). */
const MAX_VALUES = 20_000;

/**
 * Characters of a YAML text that are parsed at most, far more than people write. JSON parses a hundred times faster and has no such limit.
 */
export const MAX_YAML_LENGTH = 256 * 1024;

/** A problem at a place in a text; line and column count from 1. */
interface SyntaxProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** The JSON value of a manifest's text, or why it cannot be parsed. `remarks` do not stop an import. */
type ParsedText =
  | { readonly kind: "parsed"; readonly value: unknown; readonly remarks: readonly SyntaxProblem[] }
  | { readonly kind: "broken"; readonly problems: readonly SyntaxProblem[] };

/**
 * Parses a manifest to a JSON object, by its file name: `.json` is JSON, anything else YAML. A file that cannot be parsed is undefined and a
 * violation with file, line and column: its resource is unknown, so the import fails as a whole.
 */
export function parseManifest(path: string, bytes: Uint8Array, findings: Findings): JsonObject | undefined {
  if (path.endsWith(".json") ? hasMoreJsonValues(bytes, MAX_VALUES) : linesAndItems(bytes) > MAX_VALUES)
    return addViolation(path, `has more than ${MAX_VALUES} values.`, findings);
  const text = manifestText(bytes);
  if (text === undefined) return addViolation(path, "is not UTF-8 text.", findings);
  const parsed = parseText(path, text);
  if (parsed.kind === "broken") {
    for (const problem of parsed.problems)
      findings.violations.push({ field: placeOf(path, problem), description: problem.message });
    return undefined;
  }
  for (const remark of parsed.remarks) findings.warnings.push(`${placeOf(path, remark)}: ${remark.message}`);
  if (parsed.value === null) return {};
  if (isJsonObject(parsed.value)) return parsed.value;
  return addViolation(path, "must hold an object of fields.", findings);
}

/** What a value of YAML begins with or follows: a line, a comma, a bracket, or the mark of an item or a key before a space. */
const BEFORE_VALUES = new Set(Buffer.from("\n,[{"));
const MARKS = new Set(Buffer.from("-?"));
const [SPACE] = Buffer.from(" ");

/** No fewer than the values of a YAML text, lists inside each other included. */
function linesAndItems(bytes: Uint8Array): number {
  let count = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (BEFORE_VALUES.has(byte) || (MARKS.has(byte) && bytes[at + 1] === SPACE)) count++;
  }
  return count;
}

/** The text of a manifest without a byte order mark; undefined when it is not UTF-8. */
export function manifestText(bytes: Uint8Array): string | undefined {
  return decodeText(bytes)?.replace(/^\uFEFF/, "");
}

function parseText(path: string, text: string): ParsedText {
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
  return "problem" in found
    ? broken(text, found.offset, found.problem)
    : { kind: "parsed", value: found.value, remarks };
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

function placeOf(path: string, { line, column }: SyntaxProblem): string {
  return `${path}:${line}:${column}`;
}

function addViolation(path: string, description: string, findings: Findings): undefined {
  findings.violations.push({ field: path, description: `The file ${description}` });
  return undefined;
}
