import { isDeepStrictEqual } from "node:util";
import { applyPatch, type Operation } from "rfc6902";
import { createPauses, isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "#base";
import { type FieldViolation, invalidArgument } from "#status";

/** One operation of a JSON patch (RFC 6902) with its pointers read. */
export interface PatchOperation {
  readonly op: "add" | "remove" | "replace" | "move" | "copy" | "test";
  readonly path: readonly string[];
  /** Where `move` and `copy` take the value from. */
  readonly from: readonly string[] | undefined;
  readonly written: JsonObject;
}

/** Operations of one patch, at most. */
const MAX_OPERATIONS = 1_000;
/** Characters of a pointer, at most. */
const MAX_POINTER_LENGTH = 1_000;
/** Values that `copy` makes, at most, and how deep a value may be nested: copies of copies grow fast. */
const MAX_COPIED = 100_000;
const MAX_DEPTH = 100;
/** Values that an error message shows, at most. */
const EXCERPT_VALUES = 50;

/** Members that would reach the objects' own machinery. */
const FORBIDDEN = new Set(["__proto__", "constructor", "prototype"]);
const OPERATIONS: readonly string[] = ["add", "remove", "replace", "move", "copy", "test"];

/** Reads the text of a patch. INVALID_ARGUMENT names every operation that is none, by its position. */
export function readPatch(text: string, field: string): readonly PatchOperation[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch (error) {
    throw invalidArgument({
      field,
      description: `The patch is not JSON: ${error instanceof Error ? error.message : error}.`,
    });
  }
  if (!Array.isArray(list))
    throw invalidArgument({ field, description: "A JSON patch is a list of operations (RFC 6902)." });
  if (list.length > MAX_OPERATIONS)
    throw invalidArgument({
      field,
      description: `The patch has ${list.length} operations; at most ${MAX_OPERATIONS} are possible.`,
    });
  const read = (list as JsonArray).map((value, index) => operationOf(value, `${field}[${index}]`));
  const violations = read.flatMap((each) => ("description" in each ? [each] : []));
  if (violations.length > 0) throw invalidArgument(violations);
  return read as readonly PatchOperation[];
}

function operationOf(value: JsonValue, field: string): PatchOperation | FieldViolation {
  if (!isJsonObject(value)) return { field, description: "An operation is an object with op and path." };
  const { op, path, from } = value;
  if (typeof op !== "string" || !OPERATIONS.includes(op))
    return { field: `${field}.op`, description: `Must be one of ${OPERATIONS.join(", ")}.` };
  const needsValue = op === "add" || op === "replace" || op === "test";
  if (needsValue && value.value === undefined) return { field: `${field}.value`, description: `${op} needs a value.` };
  if (needsValue && isDeep(value.value))
    return { field: `${field}.value`, description: `The value is nested more than ${MAX_DEPTH} levels deep.` };
  const needsFrom = op === "move" || op === "copy";
  const pointers = { path: tokensOf(path), ...(needsFrom && { from: tokensOf(from) }) };
  for (const [name, tokens] of Object.entries(pointers)) {
    if (!tokens)
      return {
        field: `${field}.${name}`,
        description: `Must be a JSON pointer, such as /agents/Root/model, of at most ${MAX_POINTER_LENGTH} characters.`,
      };
    if (tokens.some((token) => FORBIDDEN.has(token)))
      return { field: `${field}.${name}`, description: `No member can be called ${[...FORBIDDEN].join(", ")}.` };
  }
  return { op: op as PatchOperation["op"], path: pointers.path ?? [], from: pointers.from, written: value };
}

function tokensOf(pointer: JsonValue | undefined): readonly string[] | undefined {
  if (typeof pointer !== "string" || pointer.length > MAX_POINTER_LENGTH) return undefined;
  if (!/^(\/([^~/]|~[01])*)*$/.test(pointer)) return undefined;
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/**
 * Applies a patch to a document, in place; other calls run in between. INVALID_ARGUMENT names the first operation that cannot be applied,
 * and why.
 */
export async function applyToDocument(
  document: JsonObject,
  patch: readonly PatchOperation[],
  field: string,
): Promise<void> {
  const pause = createPauses();
  let copied = 0;
  for (const [index, operation] of patch.entries()) {
    await pause();
    const { op, path, from, written } = operation;
    const fail = (description: string) => invalidArgument({ field: `${field}[${index}]`, description });
    if (path.length === 0 && op !== "test")
      throw fail(`${op} of the whole document is not possible; name a part of it.`);
    const source = op === "copy" || op === "move" ? from : op === "add" ? undefined : path;
    const missing = (source && missingAt(document, source)) ?? notAround(document, path);
    if (missing) throw fail(`${op} ${pointerOf(path)}: ${missing}`);
    if (op === "copy" && from) copied += sizeOf(valueAt(document, from), fail);
    if (copied > MAX_COPIED) throw fail(`The patch copies more than ${MAX_COPIED} values.`);
    const problem = op === "test" ? difference(document, path, written.value) : applied(document, written);
    if (problem) throw fail(`${op} ${pointerOf(path)}: ${problem}`);
  }
}

/** Why a test fails. The library would list all differences, which takes the product of the lengths of two lists. */
function difference(document: JsonObject, path: readonly string[], wanted: JsonValue | undefined): string | undefined {
  const value = valueAt(document, path);
  return isDeepStrictEqual(value, wanted)
    ? undefined
    : `the value is ${excerpt(value)}, not the one that the test names.`;
}

function applied(document: JsonObject, operation: JsonObject): string | undefined {
  const [error] = applyPatch(document, [operation as unknown as Operation]);
  return error ? "there is no such place in the list." : undefined;
}

/** Why nothing can be at a place; undefined when a value is around it that can have members. */
function notAround(document: JsonObject, path: readonly string[]): string | undefined {
  const around = path.slice(0, -1);
  const missing = missingAt(document, around);
  if (missing) return missing;
  const value = valueAt(document, around);
  if (typeof value === "object" && value !== null) return undefined;
  return `${pointerOf(around)} is ${excerpt(value)}; nothing is below it.`;
}

/** Where a pointer leads nowhere, with what there is instead; undefined when it leads to a value. */
function missingAt(document: JsonObject, tokens: readonly string[]): string | undefined {
  for (const [index] of tokens.entries()) {
    const reached = tokens.slice(0, index);
    const around = valueAt(document, reached);
    if (valueAt(document, tokens.slice(0, index + 1)) !== undefined) continue;
    const place = reached.length === 0 ? "The document" : pointerOf(reached);
    if (Array.isArray(around)) return `${place} is a list of ${around.length}; it has no '${tokens[index]}'.`;
    if (!isJsonObject(around)) return `${place} is ${excerpt(around)}; nothing is below it.`;
    const names = Object.keys(around);
    const listed = names.slice(0, 20).join(", ");
    return `${place} has no '${tokens[index]}'; it has ${listed || "nothing"}${names.length > 20 ? " and more" : ""}.`;
  }
  return undefined;
}

function valueAt(document: JsonValue, tokens: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = document;
  for (const token of tokens) {
    if (Array.isArray(value)) value = /^(0|[1-9]\d*)$/.test(token) ? value[Number(token)] : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, token) ? value[token] : undefined;
  }
  return value;
}

/** The number of values in a value, at most `MAX_COPIED + 1`. */
function sizeOf(value: JsonValue | undefined, fail: (description: string) => Error): number {
  const { count, depth } = measure(value, MAX_COPIED);
  if (depth > MAX_DEPTH) throw fail(`The value is nested more than ${MAX_DEPTH} levels deep.`);
  return count;
}

function isDeep(value: JsonValue | undefined): boolean {
  return measure(value, Number.POSITIVE_INFINITY).depth > MAX_DEPTH;
}

/** Values and levels of a value, without recursion; it stops after `most` values and a level that is too deep. */
function measure(value: JsonValue | undefined, most: number): { readonly count: number; readonly depth: number } {
  const open: (readonly [JsonValue | undefined, number])[] = [[value, 0]];
  let count = 0;
  let deepest = 0;
  for (let next = open.pop(); next && count <= most && deepest <= MAX_DEPTH; next = open.pop()) {
    const [current, depth] = next;
    count++;
    deepest = Math.max(deepest, depth);
    if (typeof current !== "object" || current === null) continue;
    for (const inner of Object.values(current)) open.push([inner, depth + 1]);
  }
  return { count, depth: deepest };
}

function pointerOf(tokens: readonly string[]): string {
  return tokens.map((token) => `/${token.replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}

function excerpt(value: JsonValue | undefined): string {
  if (Array.isArray(value) && value.length > EXCERPT_VALUES) return `a list of ${value.length}`;
  if (measure(value, EXCERPT_VALUES).count > EXCERPT_VALUES) return Array.isArray(value) ? "a list" : "an object";
  const text = JSON.stringify(typeof value === "string" ? value.slice(0, 100) : value) ?? "nothing";
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}
