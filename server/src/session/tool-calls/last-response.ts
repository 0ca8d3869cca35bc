import type { Message, ToolResponse } from "@frontdesk/protos/ces/example";
import { isJsonObject, type JsonObject } from "#base";
import type { TurnRun } from "../turn/turn-context.ts";

/** The newest recorded answer of a tool in a session, this turn's first. The tool is named by resource name, id or display name. */
export function lastResponse({ recorder, pastTurns }: TurnRun, tool: string): JsonObject | undefined {
  const id = tool.slice(tool.lastIndexOf("/") + 1);
  const isWanted = (response: ToolResponse) => namesOf(response).some((name) => name === tool || name === id);
  for (const messages of [recorder.messages, ...pastTurns.map((turn) => turn.messages).toReversed()]) {
    const found = responsesOf(messages).findLast(isWanted)?.response;
    if (found) return isJsonObject(found) ? found : undefined;
  }
  return undefined;
}

function responsesOf(messages: readonly Message[]): readonly ToolResponse[] {
  return messages.flatMap(({ chunks }) =>
    chunks.flatMap(({ data }) => (data.case === "toolResponse" ? [data.value] : [])),
  );
}

function namesOf({ displayName, toolIdentifier }: ToolResponse): readonly string[] {
  if (toolIdentifier.case === "toolsetTool") {
    const { toolset, toolId } = toolIdentifier.value;
    return [displayName, toolId, `${toolset}/tools/${toolId}`];
  }
  if (toolIdentifier.case !== "tool") return [displayName];
  return [displayName, toolIdentifier.value, toolIdentifier.value.slice(toolIdentifier.value.lastIndexOf("/") + 1)];
}
