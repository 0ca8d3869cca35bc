import { type DescField, type DescMessage, isFieldSet, type Message } from "@bufbuild/protobuf";
import { fieldValue } from "#aip";

/** A set field with its value in the form of the generated types. */
interface SetField {
  readonly field: DescField;
  readonly value: unknown;
}

/** The set fields of a message in field-number order, oneof members among them. */
export function setFields(schema: DescMessage, message: Message): readonly SetField[] {
  return fieldsByNumber(schema)
    .filter((field) => isFieldSet(message, field))
    .map((field) => ({ field, value: fieldValue(message, field) }));
}

const byNumber = new WeakMap<DescMessage, readonly DescField[]>();

/** All fields of a message type in field-number order. */
function fieldsByNumber(schema: DescMessage): readonly DescField[] {
  const known = byNumber.get(schema);
  if (known) return known;
  const sorted = [...schema.fields].sort((one, other) => one.number - other.number);
  byNumber.set(schema, sorted);
  return sorted;
}

/** `package.Message.field` without the package: the form of field names in `field-tables.ts`. */
export function fieldId(field: DescField): string {
  return `${field.parent.typeName.replace("google.cloud.ces.v1beta.", "")}.${field.name}`;
}

/** Whether a message type is a well-known one, which has its own JSON form. */
export function isWellKnown(schema: DescMessage): boolean {
  return schema.typeName.startsWith("google.protobuf.");
}
