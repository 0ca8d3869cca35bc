import { clone, create } from "@bufbuild/protobuf";
import { type Span, SpanSchema } from "@frontdesk/protos/ces/common";
import { type Chunk, ChunkSchema, type Message, MessageSchema } from "@frontdesk/protos/ces/example";
import type { JsonObject, JsonValue } from "#base";

/** Replaces one text of a value. */
export type TextChange = (text: string) => string;

/** Changes the texts of a message. Names of agents and tools, ids and times stay. */
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
      // No detector reads images and documents, so they are not stored.
      return { case: "text", value: `[${data.case.toUpperCase()} ${data.value.mimeType}]` };
    default:
      return data;
  }
}

/** Changes the texts in the attributes of a span and its children. */
export function mapSpan(span: Span, change: TextChange): Span {
  return create(SpanSchema, {
    ...span,
    ...(span.attributes && { attributes: mapObject(span.attributes, change) }),
    childSpans: span.childSpans.map((child) => mapSpan(child, change)),
  });
}

/** Smaller numbers are not redacted. */
const SMALLEST_ID = 10_000_000;

/** Resource names contain ids that may look like telephone numbers; they stay. */
const RESOURCE_NAME = /^projects\/[^/\s]+\/locations\/[^/\s]+(?:\/[^/\s]+)*$/;

/** Changes the texts of a JSON object, and its long integers, which become texts when they change. Keys stay. */
export function mapObject(value: JsonObject, change: TextChange): JsonObject {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapJson(item, change)]));
}

function mapJson(value: JsonValue, change: TextChange): JsonValue {
  if (typeof value === "string") return RESOURCE_NAME.test(value) ? value : change(value);
  if (typeof value === "number") return mapNumber(value, change);
  if (value === null || typeof value === "boolean") return value;
  return Array.isArray(value) ? value.map((item) => mapJson(item, change)) : mapObject(value, change);
}

function mapNumber(value: number, change: TextChange): JsonValue {
  if (!Number.isSafeInteger(value) || value < SMALLEST_ID) return value;
  const changed = change(String(value));
  return changed === String(value) ? value : changed;
}
