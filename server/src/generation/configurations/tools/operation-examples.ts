import { parse as parseUrl } from "node:querystring";
import type { GenerateAppResourceRequest_ToolGenerationConfig_OpenApiToolsetGenerationConfig as ToolsetConfig } from "@frontdesk/protos/ces/agent_service";
import type { JsonObject, JsonValue } from "#base";
import type { FieldViolation } from "#status";
import { inferSchema } from "./infer-schema.ts";

/** A parameter of an operation. */
export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly schema: JsonObject;
}

/** An operation as its examples show it. */
export interface OperationExample {
  /** Lower case. */
  readonly method: string;
  /** With `{name}` for each path parameter, without a query. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** Undefined where it has no body. */
  readonly request: JsonValue | undefined;
  readonly response: JsonValue;
  /** What was taken for a parameter although the example has a value there. */
  readonly notes: readonly string[];
}

type Config = ToolsetConfig["operationGenerationConfigs"][number];

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

/** Nested values of an example: far more than an API answers. */
const MOST_DEPTH = 64;

/** Reads an example, or says what is wrong with it. `place` is the path of its message. */
export function readOperation(config: Config, place: string): OperationExample | readonly FieldViolation[] {
  const method = config.method.trim().toLowerCase();
  const violations: FieldViolation[] = [];
  if (!METHODS.includes(method)) {
    const description = `'${config.method}' is not an HTTP method; use ${METHODS.join(", ").toUpperCase()}.`;
    violations.push({ field: `${place}.method`, description });
  }
  const [rawPath = "", query = ""] = splitOnce(config.path, "?");
  if (!/^\/[^\s#]*$/.test(rawPath))
    violations.push({ field: `${place}.path`, description: `'${config.path}' is not a path; it begins with '/'.` });
  const request = readJson(config.requestJson, `${place}.request_json`, violations);
  const response = readJson(config.responseJson, `${place}.response_json`, violations);
  if (violations.length > 0) return violations;
  const { path, parameters, notes } = readPath(rawPath);
  return {
    method,
    path,
    parameters: [...parameters, ...queryParameters(query)],
    request,
    response: response ?? null,
    notes,
  };
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function readJson(text: string, field: string, violations: FieldViolation[]): JsonValue | undefined {
  if (text.trim() === "") return undefined;
  try {
    const value = JSON.parse(text) as JsonValue;
    if (depthOf(value) <= MOST_DEPTH) return value;
    violations.push({ field, description: `The example is nested deeper than ${MOST_DEPTH} levels.` });
  } catch (error) {
    violations.push({ field, description: `The example is not JSON: ${(error as Error).message}.` });
  }
  return undefined;
}

/** Counts no further than is allowed, so that a hostile example costs nothing. */
function depthOf(value: JsonValue, depth = 1): number {
  if (typeof value !== "object" || value === null || depth > MOST_DEPTH) return depth;
  return Object.values(value).reduce<number>(
    (most, member) => Math.max(most, depthOf(member as JsonValue, depth + 1)),
    depth,
  );
}

/** A segment that is a value: a number, a UUID, or letters and digits as order numbers have them. Versions such as `v2` are none. */
const VALUE_SEGMENT = /^(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27}|(?!v\d+$)[A-Za-z]{1,8}-?\d[\w-]*)$/i;

function readPath(rawPath: string): Pick<OperationExample, "path" | "parameters" | "notes"> {
  const parameters: Parameter[] = [];
  const notes: string[] = [];
  const taken = new Set<string>();
  const segments = rawPath.split("/").map((segment, at, all) => {
    const declared = /^\{([^{}]+)\}$/.exec(segment)?.[1];
    if (declared === undefined && !VALUE_SEGMENT.test(segment)) return segment;
    const name = freeName(declared ?? `${singular(all[at - 1] ?? "item")}_id`, taken);
    const isNumber = declared === undefined && /^\d+$/.test(segment);
    parameters.push({ name, in: "path", schema: { type: isNumber ? "integer" : "string" } });
    if (declared === undefined) notes.push(`In '${rawPath}', '${segment}' was taken for the parameter {${name}}.`);
    return `{${name}}`;
  });
  return { path: segments.join("/"), parameters, notes };
}

function freeName(wanted: string, taken: Set<string>): string {
  const plain = wanted.replaceAll(/[^A-Za-z0-9_]+/g, "_");
  let name = plain;
  for (let number = 2; taken.has(name); number++) name = `${plain}_${number}`;
  taken.add(name);
  return name;
}

/** `orders` → `order`. Good enough for a name that the author can change. */
function singular(word: string): string {
  const plain = word.replaceAll(/[{}]/g, "").replace(/_id$/, "");
  return plain.replace(/ies$/, "y").replace(/(?<!s)s$/, "") || "item";
}

function queryParameters(query: string): readonly Parameter[] {
  if (query === "") return [];
  return Object.entries(parseUrl(query)).map(([name, value = ""]) => {
    const values = (Array.isArray(value) ? value : [value]).filter((text) => !/^\{.*\}$/.test(text) && text !== "");
    const schema = values.length === 0 ? { type: "string" } : inferSchema(values.map(literal));
    return { name, in: "query", schema: Array.isArray(value) ? { type: "array", items: schema } : schema };
  });
}

function literal(text: string): JsonValue {
  if (/^-?\d+(\.\d+)?$/.test(text) && text.length < 16) return Number(text);
  return text === "true" || text === "false" ? text === "true" : text;
}
