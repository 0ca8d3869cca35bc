import { clone, create } from "@bufbuild/protobuf";
import { type Span, SpanSchema } from "@frontdesk/protos/ces/common";
import { type Chunk, ChunkSchema, type Message, MessageSchema } from "@frontdesk/protos/ces/example";
import { type JsonArray, type JsonObject, type JsonValue, keepSpelling, spelledNumber } from "#base";

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

/** Whole numbers of eight digits and more: shorter ones are not redacted. */
const LONG_NUMBER = /^\d{8,}$/;

/** Resource names contain ids that may look like telephone numbers; they stay. */
const RESOURCE_NAME = /^projects\/[^/\s]+\/locations\/[^/\s]+(?:\/[^/\s]+)*$/;

/** Changes the texts of a JSON object, and its long integers, which become texts when they change. Keys stay, and so do numbers as they came (PY-42). */
export function mapObject(value: JsonObject, change: TextChange): JsonObject {
  const mapped = Object.fromEntries(Object.keys(value).map((key) => [key, mapAt(value, key, change)]));
  for (const key of Object.keys(value)) keepSpelling(value, key, mapped, key);
  return mapped;
}

function mapAt(holder: JsonObject | JsonArray, key: string, change: TextChange): JsonValue {
  const value = (holder as JsonObject)[key] ?? null;
  if (typeof value === "string") return RESOURCE_NAME.test(value) ? value : change(value);
  if (typeof value === "number") return mapNumber(value, spelledNumber(holder, key, value) ?? String(value), change);
  if (value === null || typeof value === "boolean") return value;
  return Array.isArray(value) ? mapArray(value, change) : mapObject(value, change);
}

function mapArray(value: JsonArray, change: TextChange): JsonArray {
  const mapped = value.map((_, at) => mapAt(value, String(at), change));
  for (const at of value.keys()) keepSpelling(value, String(at), mapped, String(at));
  return mapped;
}

/** `written`: the number as it came, which may have more digits than JavaScript holds. */
function mapNumber(value: number, written: string, change: TextChange): JsonValue {
  if (!LONG_NUMBER.test(written)) return value;
  const changed = change(written);
  return changed === written ? value : changed;
}
