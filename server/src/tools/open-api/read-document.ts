import { LineCounter, parseDocument } from "yaml";
import { isJsonObject, type JsonObject } from "#base";

/** An OpenAPI document that can be read, or why it cannot: sentences without a full stop. */
export type ReadDocument =
  | { readonly kind: "document"; readonly root: JsonObject }
  | { readonly kind: "unreadable"; readonly problem: string };

/** Largest document, characters. */
const LONGEST = 4 * 1024 * 1024;
/** Deepest nesting of objects and arrays: what lies deeper could end the process that walks it. */
const DEEPEST = 200;
/** Anchors may stand for each other, so that a small text is an endless document; documents of people have few. */
const MAX_ALIASES = 100;

/** Reads JSON or YAML of OpenAPI 3.0 or 3.1. JSON first: it is YAML, too, but read fifty times as fast. */
export function readDocument(text: string): ReadDocument {
  if (text.trim() === "") return unreadable("the schema is empty");
  if (text.length > LONGEST) return unreadable(`the schema is longer than ${LONGEST} characters`);
  const read = parseText(text);
  if ("problem" in read) return unreadable(read.problem);
  if (!isJsonObject(read.value)) return unreadable("the schema is no object");
  if (depthOf(read.value, read.shares) > DEEPEST) return unreadable(`the schema has more than ${DEEPEST} levels`);
  const problem = versionProblem(read.value);
  return problem ? unreadable(problem) : { kind: "document", root: read.value };
}

/** `shares`: whether one object may stand at several places, as anchors of YAML do. */
type ParsedText = { readonly value: unknown; readonly shares: boolean } | { readonly problem: string };

function parseText(text: string): ParsedText {
  if (text.trimStart().startsWith("{")) {
    try {
      return { value: JSON.parse(text), shares: false };
    } catch {
      // Flow style YAML begins with a brace, too.
    }
  }
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: "silent" });
    const [error] = document.errors;
    if (!error) return { value: document.toJS({ maxAliasCount: MAX_ALIASES }), shares: true };
    const { line, col } = lines.linePos(error.pos[0]);
    return { problem: `the schema is neither JSON nor YAML (line ${line}, column ${col}): ${oneLine(error.message)}` };
  } catch (error) {
    return {
      problem: `the schema is neither JSON nor YAML: ${oneLine(error instanceof Error ? error.message : String(error))}`,
    };
  }
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
  return isJsonObject(paths) ? undefined : "the schema has no paths";
}

function unreadable(problem: string): ReadDocument {
  return { kind: "unreadable", problem };
}

function oneLine(text: string): string {
  return text.split("\n", 1)[0]?.replace(/[.:]$/, "") ?? "";
}
