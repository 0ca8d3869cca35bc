import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  keepSpelling,
  mergeJson,
  pickJson,
  spelledNumber,
  writeJson,
} from "#base";
import { type FunctionInput, functionInputs } from "./function-inputs.ts";
import type { Operation, OperationParameter } from "./read-operation.ts";
import {
  type Pairs,
  serializeBody,
  serializeHeader,
  serializePairs,
  serializePathParameter,
} from "./serialize-values.ts";
import { type SessionContext, sessionValue, withField } from "./session-context.ts";

/** The request of a call, without credentials. */
interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | undefined;
}

/** Builds the request of a call. Returns an error message for the model when the arguments do not make a request. */
export async function buildRequest(
  operation: Operation,
  baseUrl: string,
  args: JsonObject,
  session: SessionContext,
): Promise<HttpRequest | string> {
  const values = valuesOf(operation, args, session);
  if (typeof values === "string") return values;
  const path = pathOf(operation, values.parameters);
  if (path.problem !== undefined) return path.problem;
  const query = pairsOf(values.parameters, "query");
  const cookies = pairsOf(values.parameters, "cookie");
  const headers: Record<string, string> = {
    accept: acceptOf(operation.accepts),
    ...headersOf(values.parameters),
    ...(cookies.length > 0 && { cookie: cookies.map(([name, value]) => `${name}=${value}`).join("; ") }),
  };
  const written =
    operation.body && values.body !== undefined ? await serializeBody(operation.body, values.body) : undefined;
  if (typeof written === "string") return `The body of ${operation.id} cannot be written: ${written}.`;
  if (written) headers["content-type"] = written.contentType;
  const invalid = Object.entries(headers).find(([, value]) => !/^[\t\x20-\x7e\x80-\xff]*$/.test(value));
  if (invalid) return `The header '${invalid[0]}' cannot hold this value; headers take one line of Latin-1 characters.`;
  const search = query.length > 0 ? `?${query.map(([name, value]) => `${name}=${value}`).join("&")}` : "";
  return {
    method: operation.method.toUpperCase(),
    url: joinUrl(baseUrl, path.path, search),
    headers,
    body: written?.content,
  };
}

/** JSON before what else is documented: where all are equal, servers often choose the first, and XML reads worse. */
function acceptOf(mediaTypes: readonly string[]): string {
  const isJson = (type: string) => /\bjson\b/i.test(type);
  const json = mediaTypes.filter(isJson);
  const others = mediaTypes.filter((type) => !isJson(type));
  if (json.length === 0) return others.join(", ") || "application/json";
  return [...json, ...others.map((type) => `${type};q=0.5`)].join(", ");
}

type ParameterValues = readonly (readonly [OperationParameter, JsonValue])[];

interface Values {
  readonly parameters: ParameterValues;
  readonly body: JsonValue | undefined;
}

/** The values of the model and of the session, or an error message that lists what is missing. */
function valuesOf(operation: Operation, args: JsonObject, session: SessionContext): Values | string {
  const { inputs, sessionFields } = functionInputs(operation);
  const parameters: (readonly [OperationParameter, JsonValue])[] = [];
  const missing: string[] = [];
  let body: JsonValue | undefined;
  for (const { name, required, schema, target } of inputs) {
    const given = Object.hasOwn(args, name)
      ? args[name]
      : target.kind === "body"
        ? freeBody(schema, inputs, args)
        : undefined;
    const isNull = given === null && target.kind !== "parameter" && allowsNull(schema);
    const value = isNull ? null : (given ?? (required ? schema.default : undefined));
    if (value === undefined || (value === null && !isNull)) {
      if (required) missing.push(name);
    } else if (target.kind === "parameter") {
      parameters.push([target.parameter, spelledNumber(args, name, value) ?? value]);
    } else if (target.kind === "body") {
      body = value;
    } else {
      const field = { [target.field]: value };
      keepSpelling(args, name, field, target.field);
      body = mergeJson(isJsonObject(body) ? body : {}, field);
    }
  }
  if (missing.length > 0) return `Missing parameter: ${missing.join(", ")}`;
  return withSession(operation, parameters, body, sessionFields, session);
}

/** A body that is an object without properties of its own: the arguments that nothing else takes (PY-58). Code passes its fields, as it does for any other body. */
function freeBody({ type }: JsonObject, inputs: readonly FunctionInput[], args: JsonObject): JsonObject | undefined {
  if (![type].flat().includes("object")) return undefined;
  const taken = new Set(inputs.map(({ name }) => name));
  const fields = Object.keys(args).filter((name) => !taken.has(name));
  return fields.length > 0 ? pickJson(args, fields) : undefined;
}

/** Whether a schema (of OpenAPI 3.0 or 3.1) says that null is a value: in a body it clears a field, where leaving it out changes nothing (TOOL-48). */
function allowsNull({ type, nullable, anyOf, enum: values }: JsonObject): boolean {
  if (nullable === true || type === "null" || (Array.isArray(type) && type.includes("null"))) return true;
  if (Array.isArray(values) && values.includes(null)) return true;
  return Array.isArray(anyOf) && anyOf.some((member) => isJsonObject(member) && allowsNull(member));
}

function withSession(
  operation: Operation,
  given: ParameterValues,
  givenBody: JsonValue | undefined,
  sessionFields: ReturnType<typeof functionInputs>["sessionFields"],
  session: SessionContext,
): Values | string {
  const parameters = [...given];
  const missing: string[] = [];
  for (const parameter of operation.parameters) {
    if (parameter.sessionSource === undefined) continue;
    const value = sessionValue(parameter.sessionSource, session);
    if (value !== undefined && value !== null) parameters.push([parameter, value]);
    else if (parameter.required) missing.push(`${parameter.name} (${parameter.sessionSource})`);
  }
  const { body: definition } = operation;
  let body = definition?.sessionSource === undefined ? givenBody : sessionValue(definition.sessionSource, session);
  if (definition?.sessionSource !== undefined && definition.required && body === undefined)
    missing.push(`the body (${definition.sessionSource})`);
  for (const { path, expression } of sessionFields) {
    const value = sessionValue(expression, session);
    if (value !== undefined) body = withField(body, path, value);
  }
  // A required body whose fields are all omitted is an empty object.
  if (body === undefined && definition?.required && isJsonObject(definition.schema.properties)) body = {};
  if (missing.length > 0) return `The session has no value for ${missing.join(", ")}.`;
  return { parameters, body };
}

function pathOf({ path, id }: Operation, given: ParameterValues): { readonly path: string; readonly problem?: string } {
  const missing: string[] = [];
  const written = path.replaceAll(/\{([^{}]+)\}/g, (_whole, name: string) => {
    const found = given.find(([parameter]) => parameter.in === "path" && parameter.name === name);
    const text = found ? serializePathParameter(...found) : "";
    if (text === "") missing.push(name);
    return text;
  });
  if (missing.length > 0) return { path, problem: `Missing parameter: ${missing.join(", ")}` };
  // A segment of dots would address another path.
  const climbs = written.split("/").some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment));
  return climbs ? { path, problem: `A parameter in the path of ${id} must not be '.' or '..'.` } : { path: written };
}

function pairsOf(given: ParameterValues, location: "query" | "cookie"): Pairs {
  return given.flatMap(([parameter, value]) => {
    if (parameter.in !== location) return [];
    const { contentType, ...writing } = parameter;
    return serializePairs(writing, contentType === undefined ? value : writeJson(value));
  });
}

function headersOf(given: ParameterValues): Readonly<Record<string, string>> {
  return Object.fromEntries(
    given.flatMap(([parameter, value]) =>
      parameter.in === "header" ? [[parameter.name.toLowerCase(), serializeHeader(parameter, value)]] : [],
    ),
  );
}

/** A server URL may have a query, e.g. a version. */
function joinUrl(baseUrl: string, path: string, search: string): string {
  const [address = "", own] = baseUrl.split("?", 2);
  const base = `${address.replace(/\/+$/, "")}${path}`;
  if (own === undefined) return `${base}${search}`;
  return `${base}?${own}${search === "" ? "" : `&${search.slice(1)}`}`;
}
