import {
  type DescMessage,
  fromBinary,
  type Message,
  type Registry as TypeRegistry,
  toBinary,
  toJson,
} from "@bufbuild/protobuf";
import { type Any, AnySchema, BytesValueSchema } from "@bufbuild/protobuf/wkt";
import { withoutInvalidValues } from "#aip";
import type { JsonValue } from "#base";
import { compileRewrite, type Rewrite, replace } from "./rewrite.ts";
import { createFloatShortener } from "./short-floats.ts";

/** Renders messages as proto3 JSON. `enumAsInteger`: enum numbers instead of names, as `$alt=json;enum-encoding=int` asks. */
export type MessageJson = (type: DescMessage, message: Message, enumAsInteger?: boolean) => JsonValue;

/**
 * JSON of messages whose `Any`s are in the type registry. An `Any` of another type, or whose bytes do not decode, becomes
 * `{"@type", "value": base64}`, and a value that JSON does not have becomes null, instead of failing the whole response.
 */
export function createMessageJson(types: TypeRegistry): MessageJson {
  const shortenFloats = createFloatShortener(types);
  return (type, message, enumAsInteger = false) => {
    const json = jsonOf(type, message, types, enumAsInteger);
    shortenFloats(type, json);
    return json;
  };
}

function jsonOf(type: DescMessage, message: Message, types: TypeRegistry, enumAsInteger: boolean): JsonValue {
  try {
    return toJson(type, message, { registry: types, enumAsInteger });
  } catch (error) {
    const opaque = undecodableTypes(type, message, types);
    const valid = withoutInvalidValues(type, message);
    if (opaque.size === 0 && valid === message) throw error;
    const wrapped = rewriteAnys(type, (any) => (opaque.has(typeNameOf(any)) ? asBytesValue(any) : any))(valid);
    return toJson(type, wrapped, { registry: withOpaque(types, opaque), enumAsInteger });
  }
}

function undecodableTypes(type: DescMessage, message: Message, types: TypeRegistry): ReadonlySet<string> {
  const names = new Set<string>();
  rewriteAnys(type, (any) => {
    if (any.typeUrl !== "" && !decodes(any, types)) names.add(typeNameOf(any));
    return any;
  })(message);
  return names;
}

function rewriteAnys(type: DescMessage, rewrite: (any: Any) => Message): Rewrite {
  const rule = (desc: DescMessage) => (desc.typeName === AnySchema.typeName ? (rewrite as Rewrite) : undefined);
  return compileRewrite(type, rule) ?? ((message) => message);
}

function decodes(any: Any, types: TypeRegistry): boolean {
  const type = types.getMessage(typeNameOf(any));
  if (!type) return false;
  try {
    fromBinary(type, any.value);
    return true;
  } catch {
    // Undecodable values are shown as bytes, so that the caller can see what is wrong with them.
    return false;
  }
}

function asBytesValue(any: Any): Message {
  return replace(any, "value", toBinary(BytesValueSchema, { $typeName: BytesValueSchema.typeName, value: any.value }));
}

/** The registry with substitute types: messages of one bytes field, as `asBytesValue` encodes them. */
function withOpaque(types: TypeRegistry, opaque: ReadonlySet<string>): TypeRegistry {
  const substitutes = new Map(
    [...opaque].map((typeName) => [typeName, { ...BytesValueSchema, typeName } as DescMessage]),
  );
  return { ...types, getMessage: (typeName) => substitutes.get(typeName) ?? types.getMessage(typeName) };
}

function typeNameOf(any: Any): string {
  return any.typeUrl.slice(any.typeUrl.lastIndexOf("/") + 1);
}
