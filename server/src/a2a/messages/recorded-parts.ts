import { fromBinary } from "@bufbuild/protobuf";
import type { Part } from "@frontdesk/protos/a2a/a2a";
import { Conversation_TurnSchema } from "@frontdesk/protos/ces/conversation";
import type { Chunk } from "@frontdesk/protos/ces/example";
import type { TurnRow } from "#storage";
import { toParts } from "./to-parts.ts";

/** What the agents said in a stored turn: for a task whose server stopped between the turn and the task. */
export function recordedParts({ body }: TurnRow): readonly Part[] {
  const { messages } = fromBinary(Conversation_TurnSchema, body, { recursionLimit: 1_000 });
  return messages
    .filter(({ role }) => role !== "user")
    .flatMap(({ chunks }) => chunks.flatMap(({ data }) => chunkParts(data)));
}

function chunkParts(data: Chunk["data"]): readonly Part[] {
  switch (data.case) {
    case "text":
    case "payload":
      return toParts({ outputType: data as never });
    case "transcript":
      return toParts({ outputType: { case: "text", value: data.value } });
    case "blob":
    case "image": {
      const { mimeType, data: bytes } = data.value;
      const inlineData = { mimeType, data: Buffer.from(bytes).toString("base64") };
      return toParts({ outputType: { case: "payload", value: { inlineData } } });
    }
    default:
      return [];
  }
}
