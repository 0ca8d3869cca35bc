import type { Message, ToolCall, ToolResponse } from "@frontdesk/protos/ces/example";
import { resourceId } from "../../api/resource-names.ts";
import { JsonView } from "../../components/json-view.tsx";
import type { Condition } from "./deciding-span.ts";

const LABELS: Readonly<Record<NonNullable<Condition["case"]>, string>> = {
  toolCall: "Tool call",
  toolResponse: "Tool response",
  agentResponse: "Agent response",
  agentTransfer: "Agent transfer",
  updatedVariables: "Updated variables",
  mockToolResponse: "Mocked tool response",
  noToolCalls: "No tool calls",
  observedToolCall: "Tool call",
  observedToolResponse: "Tool response",
  observedAgentResponse: "Agent response",
  observedAgentTransfer: "Agent transfer",
  observedPayload: "Updated variables",
};

/** What kind of thing an expectation is about. */
export function conditionLabel(condition: Condition): string {
  return condition.case ? LABELS[condition.case] : "Expectation";
}

/** Something that was expected or observed; what is missing is said. */
export function ConditionView({ condition, missing }: { readonly condition: Condition; readonly missing: string }) {
  switch (condition.case) {
    case "toolCall":
    case "observedToolCall":
      return <Call name={toolName(condition.value)} value={condition.value.args} />;
    case "toolResponse":
    case "mockToolResponse":
    case "observedToolResponse":
      return <Call name={toolName(condition.value)} value={condition.value.response} />;
    case "agentResponse":
    case "observedAgentResponse":
      return <p>{messageText(condition.value)}</p>;
    case "agentTransfer":
    case "observedAgentTransfer":
      return <p>{condition.value.displayName || resourceId(condition.value.targetAgent)}</p>;
    case "updatedVariables":
    case "observedPayload":
      return <JsonView value={condition.value} label="variables" />;
    case "noToolCalls":
      return <p>No tool call</p>;
    default:
      return <p className="muted">{missing}</p>;
  }
}

function Call({ name, value = {} }: { readonly name: string; readonly value: object | undefined }) {
  return (
    <div className="stack tight">
      <p>
        <code>{name}</code>
      </p>
      <JsonView value={value} label={`JSON of ${name}`} />
    </div>
  );
}

/** The tool of a call or a response: its display name, else its id. */
function toolName({ displayName, toolIdentifier }: ToolCall | ToolResponse): string {
  if (displayName !== "") return displayName;
  if (toolIdentifier.case === "tool") return resourceId(toolIdentifier.value);
  return toolIdentifier.case === "toolsetTool" ? toolIdentifier.value.toolId : "";
}

/** The texts of a message, one a line; other chunks by their kind. */
function messageText({ chunks }: Message): string {
  return chunks
    .map(({ data }) => (data.case === "text" ? data.value : data.case ? `[${data.case}]` : ""))
    .filter(Boolean)
    .join("\n");
}
