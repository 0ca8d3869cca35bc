import type { DescField } from "@bufbuild/protobuf";
import { referenceOf } from "#aip";
import { type Kind, kindOfType } from "../kinds.ts";
import { fieldId } from "../message/message-fields.ts";

/** References of the API that carry no `resource_reference` annotation. */
const UNANNOTATED: ReadonlyMap<string, string> = new Map([
  ["WidgetTool.DataMapping.source_tool_name", "ces.googleapis.com/Tool"],
  ["AgentTool.root_agent", "ces.googleapis.com/Agent"],
]);

/** The kind of resource of the same app that a field names; undefined for any other field. */
export function referencedKind(field: DescField): Kind | undefined {
  return kindOfType(referenceOf(field)?.type ?? UNANNOTATED.get(fieldId(field)) ?? "");
}

/** Elements that make no sense without the one resource they name: they go when it is left out. */
const DEPENDENT_ELEMENTS: ReadonlySet<string> = new Set(["Agent.toolsets", "Agent.transfer_rules"]);

/** Whether a list's element goes with the resource it names, instead of taking the whole resource along. */
export function isDependentList(field: DescField): boolean {
  return DEPENDENT_ELEMENTS.has(fieldId(field));
}
