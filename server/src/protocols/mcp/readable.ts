import type { Message } from "@bufbuild/protobuf";
import type { Conversation } from "@frontdesk/protos/ces/conversation";
import type { Chunk, Message as Said } from "@frontdesk/protos/ces/example";
import type { RunSessionResponse } from "@frontdesk/protos/ces/session_service";

/** What a person, or a model, would rather read than JSON: a conversation as it was held. Nothing for other messages. */
export function readable(message: Message): readonly string[] {
  switch (message.$typeName) {
    case "google.cloud.ces.v1beta.Conversation":
      return transcript(message as Conversation);
    case "google.cloud.ces.v1beta.RunSessionResponse":
      return spoken(message as RunSessionResponse);
    default:
      return [];
  }
}

/** `user: …`, `Agent: …`, a line a thing said or done. */
function transcript({ turns }: Conversation): readonly string[] {
  const lines = turns.flatMap(({ messages }) => messages.flatMap(linesOf));
  return lines.length > 0 ? [lines.join("\n")] : [];
}

function linesOf({ role, chunks }: Said): readonly string[] {
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
      return `[${data.value.displayName || "the tool"} answered ${JSON.stringify(data.value.response ?? {})}]`;
    case "agentTransfer":
      return `[hands over to ${data.value.displayName || data.value.targetAgent}]`;
    default:
      return undefined;
  }
}

function spoken({ outputs }: RunSessionResponse): readonly string[] {
  const text = outputs.map(({ outputType }) => (outputType.case === "text" ? outputType.value : "")).join("");
  return text === "" ? [] : [text];
}
