import type { ToolCall } from "@frontdesk/protos/ces/example";
import type { ClientResult } from "../turn-input.ts";

/** The result of a call as it is sent. */
export function resultOf(
  { id, displayName, toolIdentifier }: ToolCall,
  response: ClientResult["response"],
): ClientResult {
  return { id, displayName, tool: toolIdentifier.case === "tool" ? toolIdentifier.value : "", response };
}
