import { clone, create } from "@bufbuild/protobuf";
import { type Chunk, ChunkSchema, type Message, MessageSchema } from "@frontdesk/protos/ces/example";
import { mapObject } from "./map-json.ts";
import type { TextChange } from "./redact-texts.ts";

/** A message with the texts of its chunks changed. Names of agents and tools, ids and times stay. */
export function mapMessage(message: Message, change: TextChange): Message {
  const copy = clone(MessageSchema, message);
  copy.chunks = message.chunks.map((chunk) => create(ChunkSchema, { data: mapChunk(chunk.data, change) }));
  return copy;
}

function mapChunk(data: Chunk["data"], change: TextChange): Chunk["data"] {
  switch (data.case) {
    case "text":
    case "transcript":
      return { case: data.case, value: change(data.value) };
    case "payload":
    case "updatedVariables":
    case "defaultVariables":
      return { case: data.case, value: mapObject(data.value, change) };
    case "toolCall":
      return {
        case: "toolCall",
        value: { ...data.value, ...(data.value.args && { args: mapObject(data.value.args, change) }) },
      };
    case "toolResponse": {
      const { response } = data.value;
      return {
        case: "toolResponse",
        value: { ...data.value, ...(response && { response: mapObject(response, change) }) },
      };
    }
    case "blob":
    case "image":
      // No detector looks into pictures and documents, so they are not kept.
      return { case: "text", value: `[${data.case.toUpperCase()} ${data.value.mimeType}]` };
    default:
      return data;
  }
}
