import { LineCounter, parseDocument } from "yaml";
import type { JsonObject } from "#base";

/** An OpenAPI document that can be read, or why it cannot: sentences without a full stop. */
export type ParsedDocument =
  | { readonly kind: "document"; readonly root: JsonObject }
  | { readonly kind: "unreadable"; readonly problem: string };

/** Largest document, characters. */
const LONGEST = 4 * 1024 * 1024;
/** Deepest nesting of objects and arrays: what lies deeper could end the process that walks it. */
const DEEPEST = 200;
/** YAML longer than this, characters, takes longer to read than other conversations should wait. */
const SHORT_YAML = 16 * 1024;

/** Reads OpenAPI 3.0 or 3.1 that is read at once: JSON, and short YAML. Undefined for long YAML, which `parseYamlDocument` takes its time for. */
export function parseImmediately(text: string): ParsedDocument | undefined {
  if (text.trim() === "") return unreadable("the schema is empty");
  if (text.length > LONGEST) return unreadable(`the schema is longer than ${LONGEST} characters`);
  const json = parseJson(text);
  if (json) return validated(json);
  return text.length > SHORT_YAML ? undefined : parseYamlDocument(text);
}

/** Reads OpenAPI 3.0 or 3.1 in YAML. */
export function parseYamlDocument(text: string): ParsedDocument {
  return validated(parseYaml(text));
}

function validated(read: ParsedText): ParsedDocument {
  if (read.kind === "broken") return unreadable(read.problem);
  if (!isObject(read.value)) return unreadable("the schema is no object");
  if (depthOf(read.value, read.shares) > DEEPEST) return unreadable(`the schema has more than ${DEEPEST} levels`);
  const problem = versionProblem(read.value);
  return problem ? unreadable(problem) : { kind: "document", root: read.value };
}

/** As `isJsonObject` of the base room, which this file leaves out: the thread that reads YAML would wait 200 ms for the room to load. */
function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Counted level by level, without recursion. Shared objects are looked at once; where there are none, none is remembered. */
function depthOf(root: JsonObject, shares: boolean): number {
  const seen = new Set<object>();
  let level: object[] = [root];
  for (let depth = 0; ; depth++) {
    if (level.length === 0 || depth > DEEPEST) return depth;
    const next: object[] = [];
    for (const node of level) {
      if (shares && seen.has(node)) continue;
      if (shares) seen.add(node);
      for (const value of Object.values(node)) if (typeof value === "object" && value !== null) next.push(value);
    }
    level = next;
  }
}

function versionProblem({ openapi, swagger, paths }: JsonObject): string | undefined {
  if (typeof swagger === "string" || typeof swagger === "number")
    return `the schema is Swagger ${swagger}; convert it to OpenAPI 3.0 or 3.1`;
  const version = typeof openapi === "number" ? openapi.toFixed(1) : openapi;
  if (typeof version !== "string") return "the schema has no field 'openapi' that says its version, e.g. 3.1.0";
  if (!/^3\.[01](\.|$)/.test(version)) return `OpenAPI ${version} is not supported; use 3.0 or 3.1`;
  return isObject(paths) ? undefined : "the schema has no paths";
}

/** The document that cannot be read for a reason. */
export function unreadable(problem: string): ParsedDocument {
  return { kind: "unreadable", problem };
}

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
