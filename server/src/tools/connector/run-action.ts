import { isJsonObject, type JsonObject, type JsonValue, nonEmptyFields, pickJson, spelledNumber } from "#base";
import {
  type ActionSpec,
  type Connection,
  type ConnectionCall,
  type ConnectorAction,
  ConnectorError,
  type EntityQuery,
} from "./contract.ts";

/** Parameters of a list that are not fields. */
const LIST_PARAMETERS = ["conditions", "sort_by", "page_size", "page_token"];

/** Runs an action and returns its result, limited to `output_fields`. Rejects with `ConnectorError`. */
export async function runAction(
  spec: ActionSpec,
  { inputFields, outputFields }: ConnectorAction,
  args: JsonObject,
  connection: Connection,
  call: ConnectionCall,
): Promise<JsonValue> {
  const only = (row: JsonValue) => onlyColumns(row, outputFields);
  if (spec.kind === "action") return (await connection.execute(spec.id, onlyNamed(args, inputFields), call)).map(only);
  const { entity, verb } = spec;
  switch (verb) {
    case "list": {
      const { entities, nextPageToken } = await connection.list(entity, queryOf(args, inputFields), call);
      return { entities: entities.map(only), ...nonEmptyFields({ next_page_token: nextPageToken }) };
    }
    case "get":
      return only(await connection.get(entity, idIn(args), call));
    case "create":
      return only(await connection.create(entity, onlyNamed(args, inputFields), call));
    case "update": {
      const fields = pickJson(
        args,
        Object.keys(args).filter((name) => name !== "entity_id"),
      );
      return only(await connection.update(entity, idIn(args), onlyNamed(fields, inputFields), call));
    }
    case "delete":
      await connection.delete(entity, idIn(args), call);
      return {};
  }
}

/** Drops arguments that the tool does not name. */
function onlyNamed(args: JsonObject, names: readonly string[]): JsonObject {
  if (names.length === 0) return args;
  return pickJson(args, names);
}

function queryOf(args: JsonObject, inputFields: readonly string[]): EntityQuery {
  const { conditions, sort_by: sortBy, page_size: pageSize, page_token: pageToken } = args;
  const fields = Object.keys(args).filter((name) => !LIST_PARAMETERS.includes(name));
  return {
    equal: onlyNamed(pickJson(args, fields), inputFields),
    // A tool that names its fields has no parameter for conditions.
    conditions: inputFields.length === 0 && typeof conditions === "string" ? conditions : "",
    ...(typeof pageSize === "number" && { pageSize }),
    ...(typeof pageToken === "string" && { pageToken }),
    ...(typeof sortBy === "string" && inputFields.length === 0 && { sortBy }),
  };
}

function idIn(args: JsonObject): string {
  const { entity_id: id } = args;
  // As a path segment, these two would address another resource.
  if (id === "." || id === "..") throw new ConnectorError(`'${id}' is not a valid value for entity_id`);
  if (typeof id === "string" && id !== "") return id;
  if (typeof id === "number") return spelledNumber(args, "entity_id", id) ?? String(id);
  throw new ConnectorError("Missing parameter: entity_id");
}

function onlyColumns(row: JsonValue, names: readonly string[]): JsonValue {
  if (names.length === 0 || !isJsonObject(row)) return row;
  return pickJson(row, names);
}
