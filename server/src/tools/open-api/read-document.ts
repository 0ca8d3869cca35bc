import type { JsonObject } from "#base";
import { type ParsedText, parseJson, parseYaml } from "./parse-text.ts";

/** An OpenAPI document that can be read, or why it cannot: sentences without a full stop. */
export type ReadDocument =
  | { readonly kind: "document"; readonly root: JsonObject }
  | { readonly kind: "unreadable"; readonly problem: string };

/** Largest document, characters. */
const LONGEST = 4 * 1024 * 1024;
/** Deepest nesting of objects and arrays: what lies deeper could end the process that walks it. */
const DEEPEST = 200;
/** YAML longer than this, characters, takes longer to read than other conversations should wait. */
const SHORT_YAML = 16 * 1024;

/** Reads OpenAPI 3.0 or 3.1 that is read at once: JSON, and short YAML. Undefined for long YAML, which `readYaml` takes its time for. */
export function readAtOnce(text: string): ReadDocument | undefined {
  if (text.trim() === "") return unreadable("the schema is empty");
  if (text.length > LONGEST) return unreadable(`the schema is longer than ${LONGEST} characters`);
  const json = parseJson(text);
  if (json) return judged(json);
  return text.length > SHORT_YAML ? undefined : readYaml(text);
}

/** Reads OpenAPI 3.0 or 3.1 in YAML. */
export function readYaml(text: string): ReadDocument {
  return judged(parseYaml(text));
}

function judged(read: ParsedText): ReadDocument {
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
export function unreadable(problem: string): ReadDocument {
  return { kind: "unreadable", problem };
}
