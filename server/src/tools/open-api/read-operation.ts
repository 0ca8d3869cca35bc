import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { SchemaSide } from "./inline-schema.ts";
import type { References } from "./references.ts";

export type HttpMethod = "get" | "put" | "post" | "delete" | "options" | "head" | "patch" | "trace";

/** Where a parameter stands in the request. */
export type ParameterPlace = "path" | "query" | "header" | "cookie";

export type ParameterStyle = "simple" | "label" | "matrix" | "form" | "spaceDelimited" | "pipeDelimited" | "deepObject";

/** A parameter of an operation, with the defaults of its place. */
export interface OperationParameter {
  readonly name: string;
  readonly in: ParameterPlace;
  readonly required: boolean;
  readonly style: ParameterStyle;
  readonly explode: boolean;
  readonly allowReserved: boolean;
  /** Media type, when the value is written as a document instead of by a style. */
  readonly contentType: string | undefined;
  /** Inlined: without references. */
  readonly schema: JsonObject;
  /** What the session fills it with, e.g. `$context.session_id`. */
  readonly sessionSource: string | undefined;
}

/** The body of a request, in the one media type that is sent. */
export interface OperationBody {
  readonly contentType: string;
  readonly required: boolean;
  /** Inlined: without references, without what is only read. */
  readonly schema: JsonObject;
  /** Of forms: how single fields are written, as in the document. */
  readonly encoding: JsonObject;
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
  /** Inlined schema of the answer when all goes well; undefined when the document says nothing of it. */
  readonly response: JsonObject | undefined;
  /** Media types that answers may have, by the document. */
  readonly accepts: readonly string[];
  /** Absolute, or relative to nothing that is known. */
  readonly serverUrl: string;
  /** Names of API keys that the document wants in a cookie. */
  readonly cookieKeys: readonly string[];
}

/** The parameters of an operation. Its own override those of its path with the same name and place. */
export function readParameters(
  operation: JsonObject,
  item: JsonObject,
  references: References,
  inline: Inline,
): readonly OperationParameter[] {
  const byKey = new Map<string, OperationParameter>();
  for (const value of [...listOf(item.parameters), ...listOf(operation.parameters)]) {
    const parameter = references.object(value);
    const place = parameter && PLACES.find((known) => known === parameter.in);
    if (!parameter || !place || typeof parameter.name !== "string") continue;
    byKey.set(`${place} ${parameter.name}`, readParameter(parameter.name, place, parameter, inline));
  }
  return [...byKey.values()].filter(
    (parameter) => parameter.in !== "header" || !RESERVED.has(parameter.name.toLowerCase()),
  );
}

const PLACES: readonly ParameterPlace[] = ["path", "query", "header", "cookie"];
/** Described elsewhere in a document, so parameters of these names are ignored (OpenAPI 3.1, 4.8.12). */
const RESERVED = new Set(["accept", "content-type", "authorization"]);
const STYLES: readonly ParameterStyle[] = [
  "simple",
  "label",
  "matrix",
  "form",
  "spaceDelimited",
  "pipeDelimited",
  "deepObject",
];

function readParameter(name: string, place: ParameterPlace, parameter: JsonObject, inline: Inline): OperationParameter {
  const [content] = Object.entries(isJsonObject(parameter.content) ? parameter.content : {});
  const media = content?.[1];
  const schema = inline(content ? isJsonObject(media) && media.schema : parameter.schema, "request");
  const usual = place === "query" || place === "cookie" ? "form" : "simple";
  const style = STYLES.find((known) => known === parameter.style) ?? usual;
  return {
    name,
    in: place,
    required: place === "path" || parameter.required === true,
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

/** Media types that can be written here, the best first. */
const WRITABLE: readonly RegExp[] = [
  /^application\/json\b/i,
  /^[^;]*\+json\b/i,
  /^application\/x-www-form-urlencoded\b/i,
  /^multipart\/form-data\b/i,
  /^text\//i,
  /^application\/octet-stream\b/i,
  /./,
];

/** The body of an operation in the media type that is sent; undefined when it has none. */
export function readBody(operation: JsonObject, references: References, inline: Inline): OperationBody | undefined {
  const body = references.object(operation.requestBody);
  const content = Object.entries(isJsonObject(body?.content) ? body.content : {}).slice(0, MOST_OF_A_KIND);
  const chosen = WRITABLE.flatMap((fitting) => content.filter(([type]) => fitting.test(type)))[0];
  if (!body || !chosen) return undefined;
  const media = isJsonObject(chosen[1]) ? chosen[1] : {};
  const schema = inline(media.schema, "request");
  const own = textOf(body.description);
  return {
    contentType: chosen[0] === "*/*" ? "application/json" : chosen[0],
    required: body.required === true,
    schema: own !== "" && schema.description === undefined ? { ...schema, description: own } : schema,
    encoding: isJsonObject(media.encoding) ? media.encoding : {},
    sessionSource: sessionSource(body) ?? sessionSource(schema),
  };
}

/** The best answer that the document describes: the lowest 2xx, else the default. */
export function readSuccessResponse(
  operation: JsonObject,
  references: References,
): { readonly schema: JsonValue | undefined; readonly mediaTypes: readonly string[] } {
  const responses = isJsonObject(operation.responses) ? operation.responses : {};
  const good = Object.keys(responses)
    .slice(0, MOST_OF_A_KIND)
    .filter((status) => /^2(\d\d|XX)$/i.test(status))
    .sort();
  const key = good[0] ?? (Object.hasOwn(responses, "default") ? "default" : undefined);
  const answers = [...good, "default"].map((status) => references.object(responses[status]) ?? {});
  const contents = answers.map(({ content }) => (isJsonObject(content) ? content : {}));
  const content = key === undefined ? undefined : references.object(responses[key])?.content;
  const media = Object.entries(isJsonObject(content) ? content : {}).find(([type]) => /json|\*/i.test(type))?.[1];
  return {
    schema: isJsonObject(media) ? media.schema : undefined,
    mediaTypes: [...new Set(contents.flatMap((types) => Object.keys(types)))],
  };
}

/** Inlines a schema of the operation that is being read. */
export type Inline = (schema: JsonValue | undefined, side: SchemaSide) => JsonObject;

/** Things of one kind that an operation may have: no people write more, and each is looked at for each operation. */
export const MOST_OF_A_KIND = 500;

/** A list of a document; what is none is an empty one. */
export function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value.slice(0, MOST_OF_A_KIND) : [];
}

/** A text of a document; what is none is an empty one. */
export function textOf(value: JsonValue | undefined): string {
  return typeof value === "string" ? value.trim() : "";
}

/** What a session fills a thing with, by its annotation (TOOL-35). */
export function sessionSource({ "x-ces-session-context": expression }: JsonObject): string | undefined {
  return typeof expression === "string" ? expression : undefined;
}
