import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { JsonObject } from "#base";
import { fieldsByName } from "../json/fields.ts";
import { inner } from "./bind-query.ts";
import type { PathValue } from "./router.ts";

/** Lays the variables of the path into the JSON of a request. The path is what was routed by, so it wins over the body. */
export function bindPath(type: DescMessage, json: JsonObject, values: readonly PathValue[]): void {
  for (const { fieldPath, value } of values) {
    let desc = type;
    let object = json;
    for (const name of fieldPath.slice(0, -1)) {
      const field = fieldNamed(desc, name);
      if (!field.message) throw new Error(`${desc.typeName}.${name} is no message, but an http rule goes through it`);
      desc = field.message;
      object = inner(field, object);
    }
    const last = fieldNamed(desc, fieldPath.at(-1) ?? "");
    delete object[last.name];
    object[last.jsonName] = value;
  }
}

function fieldNamed(type: DescMessage, name: string): DescField {
  const field = fieldsByName(type).get(name);
  if (!field) throw new Error(`${type.typeName} has no field ${name}, but an http rule names it`);
  return field;
}
