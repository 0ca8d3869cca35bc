import { isJsonObject, type JsonObject } from "#base";
import type {
  ActionDescription,
  ActionSpec,
  Connection,
  ConnectionCall,
  ConnectorAction,
  EntityField,
  EntityVerb,
} from "./contract.ts";

const PAGE: JsonObject = {
  page_size: { type: "integer", description: "How many rows at most; 25 when left out, 200 at most." },
  page_token: { type: "string", description: "next_page_token of the answer before." },
};

const VERB_TEXTS: Readonly<Record<EntityVerb, string>> = {
  list: "Lists",
  get: "Gets one of",
  create: "Creates one of",
  update: "Changes one of",
  delete: "Deletes one of",
};

/**
 * Describes an action by its own schemas, an entity operation by the fields of its entity. `input_fields` and `output_fields` select
 * fields (connector_tool.proto). Rejects with `ConnectorError`.
 */
export async function describeAction(
  spec: ActionSpec,
  { inputFields, outputFields }: ConnectorAction,
  connection: Connection,
  call: ConnectionCall,
): Promise<ActionDescription> {
  if (spec.kind === "action") {
    const described = await connection.action(spec.id, call);
    const { response } = described;
    return {
      ...described,
      parameters: onlyFields(described.parameters, inputFields),
      ...(response && { response: { type: "array", items: onlyFields(response, outputFields) } }),
    };
  }
  const { fields } = await connection.entityType(spec.entity, call);
  const inputs = fields.filter(({ name }) => inputFields.length === 0 || inputFields.includes(name));
  const row = objectOf(fields.filter(({ name }) => outputFields.length === 0 || outputFields.includes(name)));
  return {
    description: `${VERB_TEXTS[spec.verb]} ${spec.entity}.`,
    parameters: parametersOf(spec.verb, inputs, inputFields.length > 0, keyOf(fields)),
    response: responseOf(spec.verb, row),
  };
}

/** A list filters by the fields that the tool names; without any, by a condition in the system's syntax. */
function parametersOf(verb: EntityVerb, inputs: readonly EntityField[], named: boolean, id: JsonObject): JsonObject {
  switch (verb) {
    case "list": {
      const equal = named ? Object.fromEntries(inputs.map(({ name, schema }) => [name, schema])) : {};
      const conditions = {
        conditions: { type: "string", description: "Which rows, e.g. Status = 'open' AND Total > 100." },
        sort_by: { type: "string", description: "The field by which rows are ordered." },
      };
      return { type: "object", properties: { ...equal, ...(!named && conditions), ...PAGE } };
    }
    case "get":
    case "delete":
      return { type: "object", properties: { entity_id: id }, required: ["entity_id"] };
    case "create":
      return objectOf(inputs);
    case "update": {
      const { properties } = objectOf(inputs.filter(({ key }) => !key));
      return { type: "object", properties: { entity_id: id, ...(properties as JsonObject) }, required: ["entity_id"] };
    }
  }
}

function responseOf(verb: EntityVerb, row: JsonObject): JsonObject {
  const { required: _required, ...open } = row;
  if (verb === "delete") return { type: "object", properties: {} };
  if (verb !== "list") return open;
  return {
    type: "object",
    properties: { entities: { type: "array", items: open }, next_page_token: { type: "string" } },
  };
}

function keyOf(fields: readonly EntityField[]): JsonObject {
  const keys = fields.filter(({ key }) => key).map(({ name }) => name);
  const description = keys.length > 0 ? `The row's ${keys.join(", ")}.` : "What identifies the row.";
  return { type: "string", description };
}

function objectOf(fields: readonly EntityField[]): JsonObject {
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
    ...(required.length > 0 && { required }),
  };
}

/** An object's schema with the named properties only; with all of them when none is named. */
function onlyFields(schema: JsonObject, names: readonly string[]): JsonObject {
  const { properties, required } = schema;
  if (names.length === 0 || !isJsonObject(properties)) return schema;
  const kept = Object.entries(properties).filter(([name]) => names.includes(name));
  const still = Array.isArray(required) ? required.filter((name) => names.includes(String(name))) : [];
  const { required: _required, ...rest } = schema;
  return { ...rest, properties: Object.fromEntries(kept), ...(still.length > 0 && { required: still }) };
}
