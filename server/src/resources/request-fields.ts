import type { DescField, DescMessage, Message } from "@bufbuild/protobuf";
import { reflect } from "@bufbuild/protobuf/reflect";
import type { MessageField } from "#aip";
import type { Resource } from "./resource.ts";

/** The string in a field that has a role in a standard method; "" when the request has no such field. */
export function stringField(desc: DescMessage, request: Message, field: DescField | undefined): string {
  return field ? String(reflect(desc, request).get(field)) : "";
}

/** The boolean in a field; false when the request has no such field. */
export function booleanField(desc: DescMessage, request: Message, field: DescField | undefined): boolean {
  return field ? reflect(desc, request).get(field) === true : false;
}

/** The number in a field; 0 when the request has no such field. */
export function numberField(desc: DescMessage, request: Message, field: DescField | undefined): number {
  return field ? Number(reflect(desc, request).get(field)) : 0;
}

/** The resource of a create or update request; an empty one when it has none. */
export function resourceField(desc: DescMessage, request: Message, field: MessageField): Resource {
  return reflect(desc, request).get(field).message as Resource;
}

/** The paths of a mask; none when it is absent or empty. */
export function maskPaths(desc: DescMessage, request: Message, field: DescField | undefined): readonly string[] {
  if (field?.fieldKind !== "message") return [];
  const mask = reflect(desc, request).get(field).message as Message & { readonly paths?: readonly string[] };
  return mask.paths ?? [];
}
