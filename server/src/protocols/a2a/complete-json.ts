import { create, type DescMessage, toJson } from "@bufbuild/protobuf";
import { behaviorsOf, FieldBehavior } from "#aip";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";

const emptyFields = new WeakMap<DescMessage, JsonObject>();

/** Adds required fields of a response that proto3 JSON leaves out because they are empty: A2A has them always (A2A 1.0, section 3.1.4). */
export function withRequiredFields(type: DescMessage, json: JsonValue): JsonValue {
  return isJsonObject(json) ? { ...emptyRequiredFields(type), ...json } : json;
}

function emptyRequiredFields(type: DescMessage): JsonObject {
  let found = emptyFields.get(type);
  if (!found) {
    const all = toJson(type, create(type), { alwaysEmitImplicit: true }) as JsonObject;
    const required = type.fields.filter((field) => behaviorsOf(field).has(FieldBehavior.REQUIRED));
    found = Object.fromEntries(
      required.flatMap(({ jsonName }) => (Object.hasOwn(all, jsonName) ? [[jsonName, all[jsonName] ?? null]] : [])),
    );
    emptyFields.set(type, found);
  }
  return found;
}
