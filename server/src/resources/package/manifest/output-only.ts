import type { DescField } from "@bufbuild/protobuf";
import { isOutputOnly } from "#aip";
import { fieldId } from "../message/message-fields.ts";

/**
 * Output-only fields that exports carry all the same, seen in the hosted product's own files or needed to understand a
 * golden (PKG-15, EVAL-3).
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

/** Whether a field belongs in a package: everything but what the server sets by itself, and etags. */
export function isKept(field: DescField): boolean {
  return field.name !== "etag" && (!isOutputOnly(field) || KEPT_OUTPUT.has(fieldId(field)));
}
