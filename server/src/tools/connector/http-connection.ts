import {
  definedFields,
  isJsonObject,
  type JsonArray,
  type JsonObject,
  type JsonValue,
  objectsIn,
  pickJson,
  spelledNumber,
  writeJson,
} from "#base";
import type { Outbound, OutboundRoute } from "#outbound";
import type { HttpAction, HttpConnectionConfig, HttpEntity } from "./connectors-config.ts";
import { type Connection, type ConnectionCall, ConnectorError, type EntityQuery, type EntityVerb } from "./contract.ts";
import { type JsonRequest, sendJson } from "./send-json.ts";

/** A connection that the operator's configuration maps to HTTP requests, for systems without Integration Connectors. */
export function httpConnection(config: HttpConnectionConfig, outbound: Outbound): Connection {
  const base = config.baseUrl.replace(/\/+$/, "");
  const send = (request: JsonRequest, call: ConnectionCall) =>
    sendJson({ ...request, url: `${base}${request.url}` }, routeOf(config, call), call, outbound);
  const row = (entity: HttpEntity, id: string) => `${entity.path}/${encodeURIComponent(id)}`;
  const entityOf = (id: string, verb?: EntityVerb) => knownEntity(config, id, verb);
  return {
    action: async (id) => {
      const { description, input, output } = knownAction(config, id);
      return { description, parameters: input, ...definedFields({ response: output }) };
    },
    entityType: async (id) => ({ fields: fieldsOf(entityOf(id)) }),
    execute: async (id, parameters, call) => {
      const answer = await send(requestOf(knownAction(config, id), parameters), call);
      return Array.isArray(answer) ? answer : [answer];
    },
    list: async (id, query, call) => {
      const entity = entityOf(id, "list");
      return pageOf(await send({ method: "GET", url: `${entity.path}${queryParametersOf(query)}` }, call), entity);
    },
    get: async (id, key, call) => asRow(await send({ method: "GET", url: row(entityOf(id, "get"), key) }, call)),
    create: async (id, fields, call) =>
      asRow(await send({ method: "POST", url: entityOf(id, "create").path, body: fields }, call)),
    update: async (id, key, fields, call) =>
      asRow(await send({ method: "PATCH", url: row(entityOf(id, "update"), key), body: fields }, call)),
    delete: async (id, key, call) =>
      void (await send({ method: "DELETE", url: row(entityOf(id, "delete"), key) }, call)),
  };
}

/** An end user's credentials replace the connection's own. */
function routeOf({ authentication }: HttpConnectionConfig, { endUserAuth }: ConnectionCall): OutboundRoute {
  return endUserAuth ? { endUserAuth } : { apiAuthentication: authentication, byOperator: true };
}

function knownAction({ actions }: HttpConnectionConfig, id: string): HttpAction {
  const action = Object.hasOwn(actions, id) ? actions[id] : undefined;
  if (action) return action;
  throw new ConnectorError(`The connection has no action '${id}'; it has ${namesOf(actions)}`);
}

function knownEntity({ entities }: HttpConnectionConfig, id: string, verb: EntityVerb | undefined): HttpEntity {
  const entity = Object.hasOwn(entities, id) ? entities[id] : undefined;
  if (!entity) throw new ConnectorError(`The connection has no entity '${id}'; it has ${namesOf(entities)}`);
  if (verb && entity.operations && !entity.operations.includes(verb))
    throw new ConnectorError(`The connection does not allow the operation ${verb} on '${id}'`);
  return entity;
}

function namesOf(things: Readonly<Record<string, unknown>>): string {
  return Object.keys(things).join(", ") || "none";
}

function fieldsOf({ schema, key }: HttpEntity) {
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required = Array.isArray(schema.required) ? schema.required : [];
  return Object.entries(properties).map(([name, value]) => ({
    name,
    schema: isJsonObject(value) ? value : {},
    key: name === key,
    required: required.includes(name),
  }));
}

/** Fills the path with arguments; a value cannot leave its segment and must not be empty. */
function requestOf({ method, path, input }: HttpAction, parameters: JsonObject): JsonRequest {
  const used = new Set<string>();
  const filled = path.replaceAll(/\{([\w.-]+)\}/g, (_, name: string) => {
    used.add(name);
    const value = textAt(parameters, name);
    if (value === "") throw new ConnectorError(`Missing parameter: ${name}`);
    if (value === "." || value === "..") throw new ConnectorError(`'${value}' is not a valid value for ${name}`);
    return encodeURIComponent(value);
  });
  const known = isJsonObject(input.properties) ? Object.keys(input.properties) : [];
  const rest = pickJson(
    parameters,
    known.filter((name) => !used.has(name)),
  );
  if (method !== "GET" && method !== "DELETE") return { method, url: filled, body: rest };
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(rest))
    for (const text of textsAt(rest, name, value)) search.append(name, text);
  return { method, url: withSearch(filled, search) };
}

function queryParametersOf({ equal, conditions, pageSize, pageToken, sortBy }: EntityQuery): string {
  const search = new URLSearchParams();
  for (const name of Object.keys(equal)) search.append(name, textAt(equal, name));
  if (conditions) search.set("conditions", conditions);
  if (pageSize !== undefined) search.set("page_size", String(pageSize));
  if (pageToken) search.set("page_token", pageToken);
  if (sortBy) search.set("sort_by", sortBy);
  return withSearch("", search);
}

function withSearch(path: string, search: URLSearchParams): string {
  return search.size === 0 ? path : `${path}${path.includes("?") ? "&" : "?"}${search}`;
}

function pageOf(answer: JsonValue, { rows }: HttpEntity) {
  const found = rows !== undefined && isJsonObject(answer) ? answer[rows] : answer;
  const token = isJsonObject(answer) ? (answer.next_page_token ?? answer.nextPageToken) : undefined;
  return {
    entities: objectsIn(found),
    nextPageToken: typeof token === "string" ? token : "",
  };
}

function asRow(answer: JsonValue): JsonObject {
  return isJsonObject(answer) ? answer : {};
}

/** A list has a text for each of its items. */
function textsAt(holder: JsonObject, name: string, value: JsonValue): readonly string[] {
  return Array.isArray(value) ? value.map((_, at) => textAt(value, String(at))) : [textAt(holder, name)];
}

/** A value in an address; a number that JavaScript cannot hold as it came (PY-42). */
function textAt(holder: JsonObject | JsonArray, key: string): string {
  const value = (holder as JsonObject)[key];
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : (spelledNumber(holder, key, value) ?? writeJson(value));
}
