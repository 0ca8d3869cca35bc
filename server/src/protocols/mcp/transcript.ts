import type { Message } from "@bufbuild/protobuf";
import type { Conversation } from "@frontdesk/protos/ces/conversation";
import type { Chunk, Message as ConversationMessage } from "@frontdesk/protos/ces/example";
import type { RunSessionResponse } from "@frontdesk/protos/ces/session_service";

/** A conversation, or the text of a turn, in the form that people and models read. Empty for other messages. */
export function transcriptOf(message: Message): readonly string[] {
  switch (message.$typeName) {
    case "google.cloud.ces.v1beta.Conversation":
      return linesOfConversation(message as Conversation);
    case "google.cloud.ces.v1beta.RunSessionResponse":
      return textOfTurn(message as RunSessionResponse);
    default:
      return [];
  }
}

/** `user: …`, `Agent: …`, one line for each text, call and transfer. */
function linesOfConversation({ turns }: Conversation): readonly string[] {
  const lines = turns.flatMap(({ messages }) => messages.flatMap(linesOf));
  return lines.length > 0 ? [lines.join("\n")] : [];
}

function linesOf({ role, chunks }: ConversationMessage): readonly string[] {
  return chunks.flatMap((chunk) => {
    const line = lineOf(chunk);
    return line === undefined ? [] : [`${role}: ${line}`];
  });
}

function lineOf({ data }: Chunk): string | undefined {
  switch (data.case) {
    case "text":
    case "transcript":
      return data.value;
    case "toolCall":
      return `[calls ${data.value.displayName || "a tool"} with ${JSON.stringify(data.value.args ?? {})}]`;
    case "toolResponse":
      return `[${data.value.displayName || "the tool"} returned ${JSON.stringify(data.value.response ?? {})}]`;
    case "agentTransfer":
      return `[transfers to ${data.value.displayName || data.value.targetAgent}]`;
    default:
      return undefined;
  }
}

function textOfTurn({ outputs }: RunSessionResponse): readonly string[] {
  const text = outputs.map(({ outputType }) => (outputType.case === "text" ? outputType.value : "")).join("");
  return text === "" ? [] : [text];
}
