import type { Message } from "@frontdesk/protos/ces/example";

/** A conversation as text, one line for each thing that happened: the same text for the same messages. */
export function transcriptOf(messages: readonly Message[]): string {
  return messages.flatMap(({ role, chunks }) => chunks.map((chunk) => lineOf(role, chunk))).join("\n");
}

function lineOf(role: string, { data }: Message["chunks"][number]): string {
  switch (data.case) {
    case "text":
    case "transcript":
      return `${role}: ${data.value}`;
    case "toolCall":
      return `${role} calls ${nameOf(data.value)} with ${JSON.stringify(data.value.args ?? {})}`;
    case "toolResponse":
      return `${nameOf(data.value)} returns ${JSON.stringify(data.value.response ?? {})}`;
    case "agentTransfer":
      return `${role} transfers to ${data.value.displayName || data.value.targetAgent}`;
    case "updatedVariables":
    case "defaultVariables":
      return `variables: ${JSON.stringify(data.value)}`;
    case "payload":
      return `${role} sends ${JSON.stringify(data.value)}`;
    case "image":
    case "blob":
      return `${role} sends a file (${data.value.mimeType})`;
    default:
      return "";
  }
}

function nameOf({
  displayName,
  toolIdentifier,
}: Extract<Message["chunks"][number]["data"], { case: "toolCall" | "toolResponse" }>["value"]): string {
  if (displayName) return displayName;
  return toolIdentifier.case === "toolsetTool" ? toolIdentifier.value.toolId : String(toolIdentifier.value ?? "tool");
}
