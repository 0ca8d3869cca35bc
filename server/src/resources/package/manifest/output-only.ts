import { type DescField, getOption } from "@bufbuild/protobuf";
import { FieldBehavior, field_behavior } from "@frontdesk/protos/google/api/field_behavior";
import { fieldId } from "../message/message-fields.ts";

/**
 * Output-only fields that exports carry all the same, seen in the hosted product's own files or needed to understand a
 * golden (app-package 7 to 13).
 */
const KEPT_OUTPUT: ReadonlySet<string> = new Set([
  "Tool.display_name",
  "PythonFunction.description",
  "ToolCall.display_name",
  "ToolResponse.display_name",
  "AgentTransfer.display_name",
  "Evaluation.evaluation_datasets",
  "Evaluation.invalid",
  "Example.invalid",
  "Span.name",
  "Span.start_time",
  "Span.end_time",
  "Span.duration",
  "Span.attributes",
  "Span.child_spans",
]);

const kept = new WeakMap<DescField, boolean>();

/** Whether a field belongs in a package: everything but what the server sets by itself, and etags. */
export function isKept(field: DescField): boolean {
  const known = kept.get(field);
  if (known !== undefined) return known;
  const answer = belongs(field);
  kept.set(field, answer);
  return answer;
}

function belongs(field: DescField): boolean {
  if (field.name === "etag") return false;
  return KEPT_OUTPUT.has(fieldId(field)) || !getOption(field, field_behavior).includes(FieldBehavior.OUTPUT_ONLY);
}
