import { create, type DescField, type DescMethod, type Message, ScalarType } from "@bufbuild/protobuf";
import { classifyMethod, fieldValue, isOutputOnly, missingRequired, type RequiredCheck, shallowCopy } from "#aip";
import type { FieldViolation } from "#status";
import { REQUIRED_EXEMPTIONS, UNCHECKED_INSIDE } from "./required-exemptions.ts";

/** Output-only fields are not the caller's to set. */
const CHECK: RequiredCheck = {
  enters: (field) => !isOutputOnly(field) && !UNCHECKED_INSIDE.has(fullName(field)),
  exempt: (field) => isOutputOnly(field) || !hasEmptyValue(field) || REQUIRED_EXEMPTIONS.has(fullName(field)),
};

/**
 * The REQUIRED fields that a request lacks, by their proto paths. Nested messages count where they are set; output-only
 * fields do not. Numbers and booleans have no empty value and are never missing. The fields of the resource of a standard create or
 * update are left to the room `resources`, which reports them together with all its other violations.
 */
export function missingInRequest(method: DescMethod, request: Message): readonly FieldViolation[] {
  const resource = resourceFieldOf(method);
  const missing = missingRequired(method.input, withoutContent(request, resource), CHECK);
  return resource ? missing.filter(({ field }) => !field.startsWith(`${resource.name}.`)) : missing;
}

/** The request with an empty message in a field that is set: what would be found inside it is not told, and looking for it takes time. */
function withoutContent(request: Message, field: DescField | undefined): Message {
  if (!field?.message || fieldValue(request, field) === undefined) return request;
  return Object.assign(shallowCopy(request), { [field.localName]: create(field.message) });
}

function resourceFieldOf(method: DescMethod): DescField | undefined {
  const standard = classifyMethod(method);
  return standard?.kind === "create" || standard?.kind === "update" ? standard.body : undefined;
}

/** Whether a field can lack its value: not a number or a boolean, whose zero is a value, nor a member of a oneof, where another one may be set. */
function hasEmptyValue({ fieldKind, scalar, oneof }: DescField): boolean {
  if (oneof) return false;
  return fieldKind !== "scalar" || scalar === ScalarType.STRING || scalar === ScalarType.BYTES;
}

function fullName(field: DescField): string {
  return `${field.parent.typeName}.${field.name}`;
}
