import { type DescField, type DescMethod, hasOption, type Message, ScalarType } from "@bufbuild/protobuf";
import { resource_reference } from "@frontdesk/protos/google/api/resource";
import type { FieldViolation } from "#status";

/** Characters of a resource name, a filter or an order, at most. */
const MAX_LENGTH = 10_000;
/** Fields of list requests that are read (AIP-132, AIP-160). */
const READ_FIELDS: ReadonlySet<string> = new Set(["filter", "order_by"]);

/** The resource names, filters and orders of a request that are too long: refused before anything reads, compares or copies them. */
export function longNames({ input }: DescMethod, request: Message): readonly FieldViolation[] {
  return input.fields.flatMap((field) => {
    const value = (request as unknown as Readonly<Record<string, unknown>>)[field.localName];
    if (typeof value !== "string" || value.length <= MAX_LENGTH || !isName(field)) return [];
    return [{ field: field.name, description: `has ${value.length} characters; the limit is ${MAX_LENGTH}` }];
  });
}

function isName(field: DescField): boolean {
  if (field.fieldKind !== "scalar" || field.scalar !== ScalarType.STRING) return false;
  return READ_FIELDS.has(field.name) || hasOption(field, resource_reference);
}
