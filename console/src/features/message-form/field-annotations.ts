import { type DescField, getOption, hasOption } from "@bufbuild/protobuf";
import { FieldBehavior, field_behavior } from "@frontdesk/protos/google/api/field_behavior";
import { resource_reference } from "@frontdesk/protos/google/api/resource";

/** What a field's annotations say of it (AIP-203). */
interface FieldBehaviors {
  readonly required: boolean;
  readonly outputOnly: boolean;
  readonly inputOnly: boolean;
  readonly identifier: boolean;
}

/** What the field's annotations say. */
export function fieldBehaviors(field: DescField): FieldBehaviors {
  const behaviors = new Set(hasOption(field, field_behavior) ? getOption(field, field_behavior) : []);
  return {
    required: behaviors.has(FieldBehavior.REQUIRED),
    outputOnly: behaviors.has(FieldBehavior.OUTPUT_ONLY),
    inputOnly: behaviors.has(FieldBehavior.INPUT_ONLY),
    identifier: behaviors.has(FieldBehavior.IDENTIFIER),
  };
}

/** The type of resource a field names, e.g. `ces.googleapis.com/Tool`; undefined for other texts. */
export function referenceType(field: DescField): string | undefined {
  if (!hasOption(field, resource_reference)) return undefined;
  return getOption(field, resource_reference).type || undefined;
}

/** Whether the definition calls the field outdated. */
export function isDeprecated(field: DescField): boolean {
  return field.deprecated;
}
