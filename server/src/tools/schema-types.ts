import { Schema_Type } from "@frontdesk/protos/ces/schema";

/** The platform's types by their names in JSON Schema. `null` is no type of the platform: it is said by `nullable`. */
export const TYPE_BY_NAME: ReadonlyMap<string, Schema_Type> = new Map([
  ["string", Schema_Type.STRING],
  ["integer", Schema_Type.INTEGER],
  ["number", Schema_Type.NUMBER],
  ["boolean", Schema_Type.BOOLEAN],
  ["object", Schema_Type.OBJECT],
  ["array", Schema_Type.ARRAY],
]);

/** The names of JSON Schema by the platform's types; none for an unspecified one. */
export const NAME_BY_TYPE: ReadonlyMap<Schema_Type, string> = new Map(
  [...TYPE_BY_NAME].map(([name, type]) => [type, name]),
);
