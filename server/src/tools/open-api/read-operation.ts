import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { SchemaSide } from "./inline-schema.ts";
import type { References } from "./references.ts";

export type HttpMethod = "get" | "put" | "post" | "delete" | "options" | "head" | "patch" | "trace";

/** Location of a parameter in the request. */
type ParameterLocation = "path" | "query" | "header" | "cookie";

export type ParameterStyle = "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject";

/** A parameter of an operation, with the defaults of its location. */
export interface OperationParameter {
  readonly name: string;
  readonly in: ParameterLocation;
  readonly required: boolean;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  /** Media type, when the value is serialized as a document instead of by a style. */
  readonly contentType: string | undefined;
  /** Inlined, without references. */
  readonly schema: JsonObject;
  /** The session value that fills it, e.g. `$context.session_id`. */
  readonly sessionSource: string | undefined;
}

/** The request body, in the one media type that is sent. */
export interface OperationBody {
  readonly contentType: string;
  readonly required: boolean;
  /** Inlined, without references and without read-only properties. */
  readonly schema: JsonObject;
  /** Encoding objects of form fields, as in the document. */
  readonly encoding: JsonObject;
  /** Names of form fields that hold bytes: servers take them as files only. */
  readonly files: readonly string[];
  readonly sessionSource: string | undefined;
}

/** One operation of a document, ready to be declared and called. */
export interface Operation {
  readonly id: string;
  readonly method: HttpMethod;
  /** With `{placeholders}`. */
  readonly path: string;
  readonly description: string;
  readonly parameters: readonly OperationParameter[];
  readonly body: OperationBody | undefined;
  /** Inlined schema of the success response; undefined when the document has none. */
  readonly response: JsonObject | undefined;
  /** Media types of the documented responses. */
  readonly accepts: readonly string[];
  /** URL of the server, with variables replaced by their defaults; "" = none. */
  readonly serverUrl: string;
  /** Names of API keys that are sent in a cookie. */
  readonly cookieKeys: readonly string[];
}

/** The parameters of an operation. They override parameters of the path item with the same name and location. */
export function readParameters(
  operation: JsonObject,
  item: JsonObject,
  references: References,
  inline: Inline,
): readonly OperationParameter[] {
  const byKey = new Map<string, OperationParameter>();
  const given = [...listOf(item.parameters), ...listOf(operation.parameters)];
  const inlineOne: Inline = (schema, side) => inline(schema, side, 1 / given.length);
  for (const value of given) {
    const parameter = references.object(value);
    const location = parameter && LOCATIONS.find((known) => known === parameter.in);
    if (!parameter || !location || typeof parameter.name !== "string") continue;
    byKey.set(`${location} ${parameter.name}`, readParameter(parameter.name, location, parameter, inlineOne));
  }
  return [...byKey.values()].filter(
    (parameter) => parameter.in !== "header" || !IGNORED_HEADERS.has(parameter.name.toLowerCase()),
  );
}

const LOCATIONS: readonly ParameterLocation[] = ["path", "query", "header", "cookie"];
/** Header parameters of these names are ignored (OpenAPI 3.1, 4.8.12). */
const IGNORED_HEADERS = new Set(["accept", "content-type", "authorization"]);
const STYLES: readonly ParameterStyle[] = [
  "simple",
  "label",
  "matrix",
  "form",
  "spaceDelimited",
  "pipeDelimited",
  "deepObject",
];

function readParameter(
  name: string,
  location: ParameterLocation,
  parameter: JsonObject,
  inline: Inline,
): OperationParameter {
  const [content] = Object.entries(isJsonObject(parameter.content) ? parameter.content : {});
  const media = content?.[1];
  const schema = inline(content ? isJsonObject(media) && media.schema : parameter.schema, "request");
  const defaultStyle = location === "query" || location === "cookie" ? "form" : "simple";
  const style = STYLES.find((known) => known === parameter.style) ?? defaultStyle;
  return {
    name,
    in: location,
    required: location === "path" || parameter.required === true,
    style,
    explode: typeof parameter.explode === "boolean" ? parameter.explode : style === "form",
    allowReserved: parameter.allowReserved === true,
    contentType: content?.[0],
    schema: { ...schema, ...descriptionOf(parameter, schema) },
    sessionSource: sessionSource(parameter) ?? sessionSource(schema),
  };
}

function descriptionOf(parameter: JsonObject, schema: JsonObject): JsonObject {
  const own = textOf(parameter.description);
  const inner = textOf(schema.description);
  const words = /\([^()]*\)$/.exec(inner)?.[0];
  if (own === "") return {};
  return { description: words && !own.endsWith(words) && inner === words ? `${own} ${words}` : own };
}

/** Media types that can be serialized, the preferred one first. */
const PREFERRED_MEDIA_TYPES: readonly RegExp[] = [
  /^application\/json\b/i,
  /^[^;]*\+json\b/i,
  /^application\/x-www-form-urlencoded\b/i,
  /^multipart\/form-data\b/i,
  /^text\//i,
  /^application\/octet-stream\b/i,
  /./,
];

/** The request body in the preferred media type; undefined when the operation has none. */
export function readBody(operation: JsonObject, references: References, inline: Inline): OperationBody | undefined {
  const body = references.object(operation.requestBody);
  const content = Object.entries(isJsonObject(body?.content) ? body.content : {}).slice(0, MAX_ENTRIES);
  const chosen = PREFERRED_MEDIA_TYPES.flatMap((fitting) => content.filter(([type]) => fitting.test(type)))[0];
  if (!body || !chosen) return undefined;
  const media = isJsonObject(chosen[1]) ? chosen[1] : {};
  const schema = inline(media.schema, "request");
  const own = textOf(body.description);
  return {
    contentType: chosen[0] === "*/*" ? "application/json" : chosen[0],
    required: body.required === true,
    schema: own !== "" && schema.description === undefined ? { ...schema, description: own } : schema,
    encoding: isJsonObject(media.encoding) ? media.encoding : {},
    files: fileFields(media.schema, references),
    sessionSource: sessionSource(body) ?? sessionSource(schema),
  };
}

/** The properties of a schema, and of those that it is made of, that are bytes or lists of them. */
function fileFields(schema: JsonValue | undefined, references: References, level = 0): readonly string[] {
  const source = references.object(schema);
  if (!source || level > MAX_PARTS) return [];
  const properties = isJsonObject(source.properties) ? source.properties : {};
  const own = Object.entries(properties).flatMap(([name, property]) => {
    const field = references.object(property);
    return isBytes(field) || isBytes(references.object(field?.items)) ? [name] : [];
  });
  return [...own, ...listOf(source.allOf).flatMap((part) => fileFields(part, references, level + 1))];
}

/** In OpenAPI 3.0 by its format, in 3.1 by its media type (without an encoding, which would make it text). */
function isBytes(schema: JsonObject | undefined): boolean {
  if (schema?.format === "binary") return true;
  return typeof schema?.contentMediaType === "string" && schema.contentEncoding === undefined;
}

/** The documented success response: the lowest 2xx, else the default. */
export function readSuccessResponse(
  operation: JsonObject,
  references: References,
): { readonly schema: JsonValue | undefined; readonly mediaTypes: readonly string[] } {
  const responses = isJsonObject(operation.responses) ? operation.responses : {};
  const successes = Object.keys(responses)
    .slice(0, MAX_ENTRIES)
    .filter((status) => /^2(\d\d|XX)$/i.test(status))
    .sort();
  const key = successes[0] ?? (Object.hasOwn(responses, "default") ? "default" : undefined);
  const described = [...successes, "default"].map((status) => references.object(responses[status]) ?? {});
  const contents = described.map(({ content }) => (isJsonObject(content) ? content : {}));
  const content = key === undefined ? undefined : references.object(responses[key])?.content;
  const media = Object.entries(isJsonObject(content) ? content : {}).find(([type]) => /json|\*/i.test(type))?.[1];
  return {
    schema: isJsonObject(media) ? media.schema : undefined,
    mediaTypes: [...new Set(contents.flatMap((types) => Object.keys(types)))],
  };
}

/** Inlines a schema of the operation. `share`: the part of the limit that it may take (default 1). */
export type Inline = (schema: JsonValue | undefined, side: SchemaSide, share?: number) => JsonObject;

/** Limit of parameters, media types and responses of one operation. */
const MAX_ENTRIES = 500;

/** Limit of parts of parts (`allOf`) of a body that are searched for files. */
const MAX_PARTS = 4;

/** An array of a document; anything else is empty. */
function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value.slice(0, MAX_ENTRIES) : [];
}

/** A string of a document; anything else is "". */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value.trim() : "";
}

/** The session value that the annotation `x-ces-session-context` names (TOOL-35). */
export function sessionSource({ "x-ces-session-context": expression }: JsonObject): string | undefined {
  return typeof expression === "string" ? expression : undefined;
}
