import { type JsonObject, type JsonValue, listOrEmpty, textsIn } from "#base";
import { isObject } from "./is-object.ts";

/**
 * A document of Swagger 2.0 as OpenAPI 3.0 (TOOL-45): servers of `host`, `basePath` and `schemes`; parameters with a `schema`; a body of the `body`
 * parameter or of the fields of a form; media types of `consumes` and `produces` at bodies and responses; API keys. Definitions stay where
 * they are, because references lead there. A document without a host has a relative server.
 */
export function fromSwagger2(root: JsonObject): JsonObject {
  const { swagger: _version, paths, securityDefinitions, ...rest } = root;
  const server = serverOf(root);
  return {
    ...rest,
    openapi: "3.0.3",
    ...(server !== "" && { servers: [{ url: server }] }),
    components: { securitySchemes: isObject(securityDefinitions) ? securityDefinitions : {} },
    ...(isObject(paths) && { paths: mapValues(paths, (item) => pathItem(item, root)) }),
  };
}

function serverOf({ host, basePath, schemes }: JsonObject): string {
  const path = typeof basePath === "string" && basePath !== "/" ? basePath : "";
  if (typeof host !== "string" || host === "") return path;
  const named = textsIn(schemes).filter((scheme) => scheme === "https" || scheme === "http");
  const scheme = named.length === 0 || named.includes("https") ? "https" : "http";
  return `${scheme}://${host}${path}`;
}

const METHODS = ["get", "put", "post", "delete", "options", "head", "patch"];

/** Parameters of the path are those of each operation, because a body among them is one of the operation in OpenAPI 3. */
function pathItem(item: JsonValue | undefined, root: JsonObject): JsonValue {
  if (!isObject(item)) return {};
  const { parameters, ...rest } = item;
  return mapValues(rest, (value, key) =>
    METHODS.includes(key) && isObject(value) ? operationOf(value, parameters, root) : (value ?? null),
  );
}

function operationOf(operation: JsonObject, shared: JsonValue | undefined, root: JsonObject): JsonObject {
  const { parameters, responses, consumes, produces, schemes: _schemes, ...rest } = operation;
  const all = resolvedParameters([...listOrEmpty(shared), ...listOrEmpty(parameters)], root);
  const requestBody = bodyOf(all, textsIn(consumes ?? root.consumes));
  return {
    ...rest,
    parameters: all.filter(({ in: place }) => place !== "body" && place !== "formData").map(parameterOf),
    ...(requestBody && { requestBody }),
    responses: isObject(responses)
      ? mapValues(responses, (response) => responseOf(response, textsIn(produces ?? root.produces), root))
      : {},
  };
}

/** The parameters without references; a later one takes the place of an earlier one of the same name and place. */
function resolvedParameters(values: readonly JsonValue[], root: JsonObject): readonly JsonObject[] {
  const byKey = new Map<string, JsonObject>();
  for (const value of values) {
    const parameter = resolved(value, "#/parameters/", root.parameters);
    if (parameter) byKey.set(parameter.in === "body" ? "body" : `${parameter.in} ${parameter.name}`, parameter);
  }
  return [...byKey.values()];
}

/** What a reference to one of the shared things leads to. */
function resolved(value: JsonValue | undefined, prefix: string, shared: JsonValue | undefined): JsonObject | undefined {
  if (!isObject(value) || typeof value.$ref !== "string") return isObject(value) ? value : undefined;
  const name = value.$ref.startsWith(prefix) ? value.$ref.slice(prefix.length) : "";
  const target = isObject(shared) && Object.hasOwn(shared, name) ? shared[name] : undefined;
  // What leads nowhere stays, so that it is reported.
  return isObject(target) ? target : value;
}

/** Fields of a parameter that are not of its schema. */
const OWN_FIELDS = new Set(["name", "in", "description", "required", "collectionFormat", "allowEmptyValue"]);

function parameterOf(parameter: JsonObject): JsonObject {
  if (typeof parameter.$ref === "string") return parameter;
  const entries = Object.entries(parameter).filter(([key]) => key !== "collectionFormat");
  return {
    ...Object.fromEntries(entries.filter(([key]) => OWN_FIELDS.has(key) || key.startsWith("x-"))),
    schema: schemaOf(parameter),
    ...(parameter.type === "array" && { ...styleOf(parameter) }),
  };
}

function schemaOf(parameter: JsonObject): JsonObject {
  const schema = Object.fromEntries(Object.entries(parameter).filter(([key]) => !OWN_FIELDS.has(key)));
  return schema.type === "file" ? { ...schema, type: "string", format: "binary" } : schema;
}

/** How the items of a list are written; `tsv` has no style in OpenAPI 3 and is written like `csv`, the default. */
function styleOf({ in: place, collectionFormat }: JsonObject): JsonObject {
  if (place === "path" || place === "header") return {};
  if (collectionFormat === "multi") return { style: "form", explode: true };
  const style = collectionFormat === "ssv" ? "spaceDelimited" : collectionFormat === "pipes" ? "pipeDelimited" : "form";
  return { style, explode: false };
}

const FORM = "application/x-www-form-urlencoded";
const MULTIPART = "multipart/form-data";

function bodyOf(parameters: readonly JsonObject[], consumes: readonly string[]): JsonObject | undefined {
  const body = parameters.find(({ in: place }) => place === "body");
  if (body) {
    const { name: _name, in: _place, schema, ...rest } = body;
    return { ...rest, content: contentOf(consumes, schema) };
  }
  const fields = parameters.filter(({ in: place }) => place === "formData");
  if (fields.length === 0) return undefined;
  const isMultipart = consumes.includes(MULTIPART) || fields.some(({ type }) => type === "file");
  const named = (of: (field: JsonObject) => JsonObject, some = fields) =>
    Object.fromEntries(some.map((field) => [String(field.name), of(field)]));
  const required = fields.filter((field) => field.required === true).map(({ name }) => String(name));
  const schema = {
    type: "object",
    properties: named((field) => {
      const { description } = field;
      return { ...schemaOf(field), ...(typeof description === "string" && { description }) };
    }),
    ...(required.length > 0 && { required }),
  };
  const lists = fields.filter(({ type }) => type === "array");
  return {
    required: required.length > 0,
    content: { [isMultipart ? MULTIPART : FORM]: { schema, encoding: named(styleOf, lists) } },
  };
}

function responseOf(value: JsonValue | undefined, produces: readonly string[], root: JsonObject): JsonObject {
  const response = resolved(value, "#/responses/", root.responses) ?? {};
  const { schema, ...rest } = response;
  if (schema === undefined) return rest;
  return { ...rest, content: contentOf(produces, isObject(schema) && schema.type === "file" ? {} : schema) };
}

function contentOf(mediaTypes: readonly string[], schema: JsonValue | undefined): JsonObject {
  const types = mediaTypes.length > 0 ? mediaTypes : ["application/json"];
  return Object.fromEntries(types.map((type) => [type, { ...(schema !== undefined && { schema }) }]));
}

function mapValues(
  object: JsonObject,
  convert: (value: JsonValue | undefined, key: string) => JsonValue,
): Record<string, JsonValue> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, convert(value, key)]));
}
