import {
  definedFields,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  objectsIn,
  spelledNumber,
  textOrJson,
} from "#base";
import { type Outbound, OutboundError } from "#outbound";
import { fromJsonSchema, toJsonSchema } from "../schema/json-schema.ts";
import type { GoogleConnectors } from "./connectors-config.ts";
import {
  type ActionDescription,
  type Connection,
  type ConnectionCall,
  ConnectorError,
  type EntityField,
  type EntityQuery,
  type EntityType,
} from "./contract.ts";
import { type JsonRequest, sendJson } from "./send-json.ts";

const ENDPOINT = "https://connectors.googleapis.com";
/** Validation error without a full stop: there is no header for an end user's credentials. */
export const NO_END_USER_HEADER =
  "the end user's credentials cannot be sent, since the header for them is not public; the operator can name it under 'connectors.google.endUserHeader' of the config file";
/** Default and limit of the service's page size. */
const PAGE_SIZE = { default: 25, max: 200 };

/** A connection of Integration Connectors, by its runtime API (`connectors.googleapis.com`, v2). */
export function googleConnection(name: string, config: GoogleConnectors, outbound: Outbound): Connection {
  const root = `${config.endpoint ?? ENDPOINT}/v2/${name}`;
  const send = async (method: string, path: string, call: ConnectionCall, body?: JsonObject): Promise<JsonObject> => {
    const credentials = await credentialsOf(config, call, outbound);
    const request = { method, url: `${root}${path}`, ...credentials, ...definedFields({ body }) };
    const answer = await sendJson(request, {}, call, outbound);
    return isJsonObject(answer) ? answer : {};
  };
  const typePath = (entity: string) => `/entityTypes/${encodeURIComponent(entity)}`;
  const rowPath = (entity: string, id: string) => `${typePath(entity)}/entities/${encodeURIComponent(id)}`;
  return {
    action: async (id, call) => actionDescription(await send("GET", `/actions/${encodeURIComponent(id)}`, call)),
    entityType: async (id, call) => entityTypeOf(await send("GET", typePath(id), call)),
    execute: async (id, parameters, call) => {
      const { results } = await send("POST", `/actions/${encodeURIComponent(id)}:execute`, call, { parameters });
      return Array.isArray(results) ? results : [];
    },
    list: async (entity, query, call) => {
      const answer = await send("GET", `${typePath(entity)}/entities?${queryParametersOf(query)}`, call);
      const { entities, nextPageToken } = answer;
      return {
        entities: (Array.isArray(entities) ? entities : []).map(fieldsOf),
        nextPageToken: typeof nextPageToken === "string" ? nextPageToken : "",
      };
    },
    get: async (entity, id, call) => fieldsOf(await send("GET", rowPath(entity, id), call)),
    create: async (entity, fields, call) =>
      fieldsOf(await send("POST", `${typePath(entity)}/entities`, call, { fields })),
    update: async (entity, id, fields, call) => fieldsOf(await send("PATCH", rowPath(entity, id), call, { fields })),
    delete: async (entity, id, call) => void (await send("DELETE", rowPath(entity, id), call)),
  };
}

/** The server's identity authenticates at the service; an end user's credentials go with it, for the other system. */
async function credentialsOf(
  { accessToken, endUserHeader }: GoogleConnectors,
  { context, endUserAuth }: ConnectionCall,
  outbound: Outbound,
): Promise<Pick<JsonRequest, "headers" | "secrets">> {
  if (endUserAuth && !endUserHeader) throw new ConnectorError(NO_END_USER_HEADER);
  try {
    const token = await accessToken();
    const authorization = `Bearer ${token}`;
    if (!endUserAuth || !endUserHeader) return { headers: { authorization }, secrets: [token] };
    const override = authenticationOverride(outbound.endUserCredentials(endUserAuth, context));
    const encoded = Buffer.from(JSON.stringify(override)).toString("base64");
    return {
      headers: { authorization, [endUserHeader]: encoded },
      secrets: [token, encoded, ...Object.values(override).map(String)],
    };
  } catch (error) {
    const why = error instanceof OutboundError ? error.message : "there is no access token for Integration Connectors";
    throw new ConnectorError(why, { cause: error });
  }
}

/** The authentication override of a connection. */
function authenticationOverride(credentials: ReturnType<Outbound["endUserCredentials"]>): JsonObject {
  if (credentials.kind === "oauth-token") return { "oauth2_auth_code_flow.access_token": credentials.token };
  const { issuer, subject, clientKey } = credentials;
  return {
    "oauth2_jwt_bearer.issuer": issuer,
    "oauth2_jwt_bearer.subject": subject,
    "oauth2_jwt_bearer.client_key": clientKey,
  };
}

function actionDescription(action: JsonObject): ActionDescription {
  const { description, displayName, inputJsonSchema, resultJsonSchema, inputParameters, resultMetadata } = action;
  const words = [description, displayName].find((text) => typeof text === "string" && text !== "");
  const response = isJsonObject(resultJsonSchema) ? plainSchema(resultJsonSchema) : objectFrom(resultMetadata);
  return {
    description: typeof words === "string" ? words : "",
    parameters: isJsonObject(inputJsonSchema) ? plainSchema(inputJsonSchema) : (objectFrom(inputParameters) ?? OPEN),
    ...definedFields({ response }),
  };
}

const OPEN: JsonObject = { type: "object", properties: {} };

function entityTypeOf({ fields }: JsonObject): EntityType {
  return { fields: objectsIn(fields).map(fieldOf) };
}

function fieldOf(field: JsonObject): EntityField {
  const { name, key, nullable, defaultValue } = field;
  return {
    name: String(name),
    schema: schemaOf(field),
    key: key === true,
    required: nullable === false && defaultValue === undefined,
  };
}

/** Parameters or result fields as one object; undefined when there are none. */
function objectFrom(described: JsonValue | undefined): JsonObject | undefined {
  if (!Array.isArray(described) || described.length === 0) return undefined;
  const fields = described.filter(isJsonObject).map(fieldOf);
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 && { required }),
  };
}

/** The service's data types that are not strings; some responses prefix them with `DATA_TYPE_`. */
const TYPES: ReadonlyMap<string, string> = new Map([
  ...["INT", "SMALLINT", "INTEGER", "TINYINT"].map((name) => [name, "integer"] as const),
  ...["DOUBLE", "FLOAT", "REAL", "NUMERIC", "DECIMAL", "NUMBER", "LONG", "BIGINT"].map(
    (name) => [name, "number"] as const,
  ),
  ...["BOOLEAN", "BIT"].map((name) => [name, "boolean"] as const),
  ["STRUCT", "object"],
  ["ARRAY", "array"],
]);

function schemaOf({ dataType, description, defaultValue, jsonSchema }: JsonObject): JsonObject {
  const words: JsonObject = typeof description === "string" && description !== "" ? { description } : {};
  const rest: JsonObject = {
    ...words,
    ...(defaultValue !== undefined && defaultValue !== null && { default: defaultValue }),
  };
  if (isJsonObject(jsonSchema)) return { ...plainSchema(jsonSchema), ...rest };
  const type = TYPES.get(String(dataType).replace(/^DATA_TYPE_/, "")) ?? "string";
  return { type, ...(type === "array" && { items: { type: "string" } }), ...rest };
}

/** Removes the service's own keywords and its lists of types. */
function plainSchema(schema: JsonObject): JsonObject {
  const { type: _type, ...plain } = toJsonSchema(fromJsonSchema(schema));
  return { ...plain, type: typeOf(schema), ...(typeOf(schema) === "object" && { properties: plain.properties ?? {} }) };
}

function typeOf({ type, properties }: JsonObject): JsonValue {
  const named = Array.isArray(type) ? type.find((each) => each !== "null") : type;
  return named ?? (properties ? "object" : "string");
}

function fieldsOf(entity: JsonValue): JsonObject {
  return isJsonObject(entity) && isJsonObject(entity.fields) ? entity.fields : {};
}

function queryParametersOf({
  equal,
  conditions,
  pageSize = PAGE_SIZE.default,
  pageToken,
  sortBy,
}: EntityQuery): URLSearchParams {
  const all = [
    ...Object.entries(equal).map(([name, value]) => `${name} = ${spelledNumber(equal, name, value) ?? literal(value)}`),
    conditions,
  ].filter(Boolean);
  const search = new URLSearchParams({ pageSize: String(Math.min(PAGE_SIZE.max, Math.max(1, Math.trunc(pageSize)))) });
  if (all.length > 0) search.set("conditions", all.join(" AND "));
  if (pageToken) search.set("pageToken", pageToken);
  if (sortBy) search.set("sortBy", sortBy);
  return search;
}

/** A literal of a condition: strings in single quotes, with quotes doubled, so that no value can end the literal. */
function literal(value: JsonValue): string {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  const text = textOrJson(value);
  return `'${text.replaceAll("'", "''")}'`;
}
