import { join } from "node:path";
import { loadSync, type MessageTypeDefinition } from "@grpc/proto-loader";
import { isJsonObject, type JsonValue } from "#base";

const PROTOS = join(import.meta.dirname, "..", "..", "..", "..", "node_modules", "google-proto-files");

/** Says what in a JSON message its published definition does not have, by path; nothing when all is known. */
export type CheckMessage = (type: string, message: JsonValue) => readonly string[];

/** Reads a published definition, so that a server made for tests takes no message that the real one would refuse. */
export function publishedTypes(file: string): CheckMessage {
  const definitions = loadSync(file, { includeDirs: [PROTOS] });
  const names = Object.keys(definitions);
  const find = (typeName: string) => {
    const name = names.find((candidate) => candidate === typeName || candidate.endsWith(`.${typeName}`));
    return name === undefined ? undefined : (definitions[name] as MessageTypeDefinition<object, object>);
  };
  return (type, message) => unknownFieldsIn(type, message, find, type);
}

type Find = (typeName: string) => MessageTypeDefinition<object, object> | undefined;

interface FieldDescriptor {
  readonly name: string;
  readonly typeName: string;
  readonly type: string;
}

function unknownFieldsIn(type: string, value: JsonValue | undefined, find: Find, path: string): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item, at) => unknownFieldsIn(type, item, find, `${path}[${at}]`));
  const definition = find(type);
  // Structs contain anything; entries of maps, enums and scalars have no fields to check.
  if (!isJsonObject(value) || !definition || /(?:^|\.)(?:Struct|Value|ListValue)$/.test(type)) return [];
  const { field } = definition.type as unknown as { readonly field: readonly FieldDescriptor[] };
  return Object.entries(value).flatMap(([name, item]) => {
    const known = field.find((candidate) => candidate.name === name);
    if (!known) return [`${path}.${name}`];
    return known.type === "TYPE_MESSAGE" ? unknownFieldsIn(known.typeName, item, find, `${path}.${name}`) : [];
  });
}
