import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { isJsonObject, type JsonValue } from "#base";

type Path = readonly (string | number)[];

/** The paths of keys of a message as JSON that its definition lacks, in order; what is below such a key is not searched. */
export function unknownKeys(desc: DescMessage, value: JsonValue, path: Path = []): readonly Path[] {
  // Well-known types have JSON of their own.
  if (!isJsonObject(value) || desc.typeName.startsWith("google.protobuf.")) return [];
  return Object.entries(value).flatMap(([key, part]): readonly Path[] => {
    const field = desc.fields.find(({ jsonName, name }) => jsonName === key || name === key);
    return field ? unknownBelow(field, part, [...path, key]) : [[...path, key]];
  });
}

function unknownBelow({ fieldKind, message }: DescField, value: JsonValue, path: Path): readonly Path[] {
  if (!message) return [];
  if (fieldKind === "message") return unknownKeys(message, value, path);
  const items = Array.isArray(value) ? [...value.entries()] : isJsonObject(value) ? Object.entries(value) : [];
  return items.flatMap(([at, item]) => unknownKeys(message, item, [...path, at]));
}
