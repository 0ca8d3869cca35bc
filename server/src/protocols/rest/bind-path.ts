import type { DescField, DescMessage } from "@bufbuild/protobuf";
import type { JsonObject } from "#base";
import { fieldsByName } from "../json/fields.ts";
import { nestedObject } from "./bind-query.ts";
import type { PathValue } from "./router.ts";

/** Sets the variables of the path in the JSON of a request. They override the body, because the request was routed by its path. */
export function bindPath(type: DescMessage, json: JsonObject, values: readonly PathValue[]): void {
  for (const { fieldPath, value } of values) {
    let desc = type;
    let object = json;
    for (const name of fieldPath.slice(0, -1)) {
      const field = fieldNamed(desc, name);
      if (!field.message)
        throw new Error(`${desc.typeName}.${name} is not a message, but an http rule names a field of it`);
      desc = field.message;
      object = nestedObject(field, object);
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
