import { extname } from "node:path";
import { createJobThread, hasMoreJsonValues, isJsonObject, type JsonObject } from "#base";
import type { Findings } from "../findings.ts";
import { decodeText, type PackageFiles } from "../package-files.ts";
import type { ManifestText, ManifestTextJob } from "./manifest-worker.ts";
import { MAX_VALUES, type ParsedText, parseText, type SyntaxProblem } from "./parse-text.ts";
import { documentOfText, documentsOf, type SourceOf } from "./source-document.ts";

/** A manifest of a package. */
export interface Manifest {
  readonly json: JsonObject;
  readonly sourceOf: SourceOf;
}

/**
 * Reads a manifest as a JSON object, by its file name: `.json` is JSON, anything else YAML. One that cannot be parsed is undefined and a
 * violation with file, line and column. A file that is missing is an empty one.
 */
export type ReadManifest = (path: string, files: PackageFiles, findings: Findings) => Promise<Manifest | undefined>;

/** Longer texts, in characters, are parsed in a thread: YAML takes the event loop two milliseconds per thousand, JSON of many escapes a tenth. */
const SHORT_YAML = 16 * 1024;
const SHORT_JSON = 256 * 1024;
/** Milliseconds and heap, MB, for one text; the longest that a package can hold needs a fraction of both. */
const TIMEOUT_MS = 30_000;
const HEAP_MB = 1_024;

/** Parses a text, and gives its document too where that was no more work. */
type Parse = (path: string, text: string) => Promise<ManifestText>;

/** Creates the reader. It has a thread for long manifests, one at a time. */
export function createManifestReader(): ReadManifest {
  const parse = parser();
  return async (path, files, findings) => {
    const bytes = files.get(path) ?? new Uint8Array();
    if (isJson(path) ? hasMoreJsonValues(bytes, MAX_VALUES) : linesAndItems(bytes) > MAX_VALUES)
      return addViolation(path, `has more than ${MAX_VALUES} values.`, findings);
    const text = decodeText(bytes)?.replace(/^\uFEFF/, "");
    if (text === undefined) return addViolation(path, "is not UTF-8 text.", findings);
    const { parsed, document } = await parse(path, text);
    const json = objectOf(path, parsed, findings);
    return json && { json, sourceOf: documentsOf(json, () => document ?? documentOfText(path, text)) };
  };
}

function parser(): Parse {
  const parseInThread = createJobThread<ManifestTextJob, ManifestText>({
    file: new URL(`./manifest-worker${extname(import.meta.filename)}`, import.meta.url),
    name: "manifests",
    timeoutMs: TIMEOUT_MS,
    heapMb: HEAP_MB,
  });
  return async (path, text) => {
    if (text.length <= (isJson(path) ? SHORT_JSON : SHORT_YAML)) return { parsed: parseText(path, text) };
    const problem = { line: 1, column: 1, message: "It takes too much time or memory to read." };
    return (await parseInThread({ path, text })) ?? { parsed: { kind: "broken", problems: [problem] } };
  };
}

function isJson(path: string): boolean {
  return path.endsWith(".json");
}

function objectOf(path: string, parsed: ParsedText, findings: Findings): JsonObject | undefined {
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
const BEFORE_VALUES = bytesOf("\n,[{");
const MARKS = bytesOf("-?");
const [SPACE] = Buffer.from(" ");

/** 1 at the place of each byte of the text: a table, because every byte of a manifest is looked up. */
function bytesOf(text: string): Uint8Array {
  const table = new Uint8Array(256);
  for (const byte of Buffer.from(text)) table[byte] = 1;
  return table;
}

/** No fewer than the values of a YAML text, lists inside each other included. */
function linesAndItems(bytes: Uint8Array): number {
  let count = 1;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (BEFORE_VALUES[byte] === 1 || (MARKS[byte] === 1 && bytes[at + 1] === SPACE)) count++;
  }
  return count;
}

function placeOf(path: string, { line, column }: SyntaxProblem): string {
  return `${path}:${line}:${column}`;
}

function addViolation(path: string, description: string, findings: Findings): undefined {
  findings.violations.push({ field: path, description: `The file ${description}` });
  return undefined;
}
