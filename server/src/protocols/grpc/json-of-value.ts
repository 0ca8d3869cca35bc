import type { ListValue, Struct, Value } from "@bufbuild/protobuf/wkt";
import type { JsonValue } from "#base";

/** The JSON of a value. Numbers that JSON does not have stay as they are: what reads them refuses them, and names the field. */
export function jsonOfValue({ kind }: Value): JsonValue {
  switch (kind.case) {
    case "structValue":
      return jsonOfStruct(kind.value);
    case "listValue":
      return jsonOfList(kind.value);
    case "nullValue":
    case undefined:
      return null;
    default:
      return kind.value;
  }
}

function jsonOfStruct({ fields }: Struct): JsonValue {
  return Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, jsonOfValue(value)]));
}

function jsonOfList({ values }: ListValue): JsonValue {
  return values.map(jsonOfValue);
}
