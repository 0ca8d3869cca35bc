import type { DescField } from "@bufbuild/protobuf";
import { fieldBehaviors, isDeprecated } from "./field-facts.ts";

/** What the annotations of a field mean for whoever fills it in. */
export function inputOnlyHint(field: DescField): string | undefined {
  if (isDeprecated(field)) return "Outdated: the API keeps it for old apps.";
  return fieldBehaviors(field).inputOnly ? "Is taken and never shown again." : undefined;
}
