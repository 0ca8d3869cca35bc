import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import {
  type ActionSpec,
  type Connection,
  type ConnectionCall,
  type ConnectorAction,
  ConnectorError,
  type EntityQuery,
} from "./contract.ts";

/** Parameters of a list that are no fields. */
const LIST_PARAMETERS = ["conditions", "sort_by", "page_size", "page_token"];

/** Does a step and answers what it gives back, the columns of `output_fields` alone. Rejects with `ConnectorError`. */
export async function runAction(
  step: ActionSpec,
  { inputFields, outputFields }: ConnectorAction,
  args: JsonObject,
  connection: Connection,
  call: ConnectionCall,
): Promise<JsonValue> {
  const only = (row: JsonValue) => onlyColumns(row, outputFields);
  if (step.kind === "action") return (await connection.execute(step.id, onlyGiven(args, inputFields), call)).map(only);
  const { entity, verb } = step;
  switch (verb) {
    case "list": {
      const { entities, nextPageToken } = await connection.list(entity, queryOf(args, inputFields), call);
      return { entities: entities.map(only), ...(nextPageToken && { next_page_token: nextPageToken }) };
    }
    case "get":
      return only(await connection.get(entity, idIn(args), call));
    case "create":
      return only(await connection.create(entity, onlyGiven(args, inputFields), call));
    case "update": {
      const { entity_id: _id, ...fields } = args;
      return only(await connection.update(entity, idIn(args), onlyGiven(fields, inputFields), call));
    }
    case "delete":
      await connection.delete(entity, idIn(args), call);
      return {};
  }
}

/** What a model makes up beside the fields that the tool names does not get through. */
function onlyGiven(args: JsonObject, names: readonly string[]): JsonObject {
  if (names.length === 0) return args;
  return Object.fromEntries(Object.entries(args).filter(([name]) => names.includes(name)));
}

function queryOf(args: JsonObject, inputFields: readonly string[]): EntityQuery {
  const { conditions, sort_by: sortBy, page_size: pageSize, page_token: pageToken } = args;
  const fields = Object.entries(args).filter(([name]) => !LIST_PARAMETERS.includes(name));
  return {
    equal: onlyGiven(Object.fromEntries(fields), inputFields),
    // A tool that names its fields offers no other way to find rows.
    conditions: inputFields.length === 0 && typeof conditions === "string" ? conditions : "",
    ...(typeof pageSize === "number" && { pageSize }),
    ...(typeof pageToken === "string" && { pageToken }),
    ...(typeof sortBy === "string" && inputFields.length === 0 && { sortBy }),
  };
}

function idIn({ entity_id: id }: JsonObject): string {
  // These two would name another place than a row.
  if (id === "." || id === "..") throw new ConnectorError(`'${id}' is no value for entity_id`);
  if (typeof id === "string" && id !== "") return id;
  if (typeof id === "number") return String(id);
  throw new ConnectorError("Missing parameter: entity_id");
}

function onlyColumns(row: JsonValue, names: readonly string[]): JsonValue {
  if (names.length === 0 || !isJsonObject(row)) return row;
  return Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)));
}
