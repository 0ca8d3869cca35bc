import { LineCounter, parseDocument } from "yaml";
import { type JsonObject, thrownMessage } from "#base";
import { isObject } from "./is-object.ts";
import { fromSwagger2 } from "./swagger-2.ts";

/** The root object of an OpenAPI document, or why it cannot be used: a sentence without a full stop. */
export type ParsedDocument =
  | { readonly kind: "document"; readonly root: JsonObject }
  | { readonly kind: "unreadable"; readonly problem: string };

/** Limit of a document, characters. */
const MAX_LENGTH = 16 * 1024 * 1024;
/** Limit of nested objects and arrays; recursion over deeper ones could overflow the stack. */
const MAX_DEPTH = 200;
/** Limit of objects and arrays, with what YAML aliases stand for. */
const MAX_NODES = 1_000_000;
/** Longer YAML, in characters, is parsed in a worker thread, because other sessions would wait for it. */
const MAX_IMMEDIATE_YAML = 16 * 1024;

/** Parses OpenAPI 3.0 or 3.1, or Swagger 2.0 as OpenAPI 3.0, in JSON or short YAML. Undefined for long YAML, which `parseYamlDocument` parses in a worker thread. */
export function parseImmediately(text: string): ParsedDocument | undefined {
  if (text.trim() === "") return unreadable("the schema is empty");
  if (text.length > MAX_LENGTH) return unreadable(`the schema is longer than ${MAX_LENGTH} characters`);
  const json = parseJson(text);
  if (json) return validated(json);
  return text.length > MAX_IMMEDIATE_YAML ? undefined : parseYamlDocument(text);
}

/** Parses OpenAPI 3.0 or 3.1, or Swagger 2.0 as OpenAPI 3.0, in YAML. */
export function parseYamlDocument(text: string): ParsedDocument {
  return validated(parseYaml(text));
}

function validated(parsed: ParsedText): ParsedDocument {
  if (parsed.kind === "broken") return unreadable(parsed.problem);
  if (!isObject(parsed.value)) return unreadable("the schema is not an object");
  const problem = sizeProblem(parsed.value) ?? versionProblem(parsed.value);
  if (problem) return unreadable(problem);
  return { kind: "document", root: isSwagger2(parsed.value) ? fromSwagger2(parsed.value) : parsed.value };
}

/** Why a document is too deep or too large. What a YAML alias stands for counts at each place, and one within itself is endlessly deep. */
function sizeProblem(root: JsonObject): string | undefined {
  let level: object[] = [root];
  let nodes = 0;
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return `the schema has more than ${MAX_DEPTH} levels`;
    const next: object[] = [];
    for (const node of level) {
      nodes++;
      for (const value of Object.values(node)) if (typeof value === "object" && value !== null) next.push(value);
      if (nodes + next.length > MAX_NODES) return `the schema has more than ${MAX_NODES} objects and lists`;
    }
    level = next;
  }
  return undefined;
}

function versionProblem(root: JsonObject): string | undefined {
  const { openapi, swagger, paths } = root;
  if ((typeof swagger === "string" || typeof swagger === "number") && !isSwagger2(root))
    return `the schema is Swagger ${swagger}; convert it to OpenAPI 3.0 or 3.1`;
  const version = typeof openapi === "number" ? openapi.toFixed(1) : openapi;
  if (!isSwagger2(root)) {
    if (typeof version !== "string") return "the schema has no field 'openapi' with its version, e.g. 3.1.0";
    if (!/^3\.[01](\.|$)/.test(version)) return `OpenAPI ${version} is not supported; use 3.0 or 3.1`;
  }
  return isObject(paths) ? undefined : "the schema has no paths";
}

/** YAML reads `2.0` without quotes as the number 2. */
function isSwagger2({ swagger }: JsonObject): boolean {
  return swagger === "2.0" || swagger === 2;
}

/** A document that cannot be used, and why. */
export function unreadable(problem: string): ParsedDocument {
  return { kind: "unreadable", problem };
}

/** Limit of YAML aliases: nested ones expand a small text to a huge document. */
const MAX_ALIASES = 100;

/** The value of a text. YAML aliases share objects in it. */
type ParsedText =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "broken"; readonly problem: string };

/** Parses JSON; undefined for anything else, which may still be YAML: its flow style begins with a brace, too. */
function parseJson(text: string): ParsedText | undefined {
  if (!text.trimStart().startsWith("{")) return undefined;
  try {
    return { kind: "value", value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

/** Parses YAML, which takes fifty times as long as JSON. */
function parseYaml(text: string): ParsedText {
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, { lineCounter: lines, merge: true, prettyErrors: false, logLevel: "silent" });
    const [error] = document.errors;
    if (!error) return { kind: "value", value: document.toJS({ maxAliasCount: MAX_ALIASES }) };
    const { line, col } = lines.linePos(error.pos[0]);
    return broken(`the schema is neither JSON nor YAML (line ${line}, column ${col}): ${oneLine(error.message)}`);
  } catch (error) {
    const why = thrownMessage(error);
    return broken(`the schema is neither JSON nor YAML: ${oneLine(why)}`);
  }
}

function broken(problem: string): ParsedText {
  return { kind: "broken", problem };
}

function oneLine(text: string): string {
  return text.split("\n", 1)[0]?.replace(/[.:]$/, "") ?? "";
}
