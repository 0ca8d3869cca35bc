import { create, fromJson, type MessageInitShape, toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { type Part, PartSchema } from "@frontdesk/protos/a2a/a2a";
import type { SessionOutput } from "@frontdesk/protos/ces/session_service";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";

/** What an agent said, as parts of an artifact (A2A-12). Nothing for what is no content; calls are told with the status (`askedParts`). */
export function toParts({ outputType }: Pick<SessionOutput, "outputType">): readonly Part[] {
  switch (outputType.case) {
    case "text":
      return [textPart(outputType.value)];
    case "audio":
      return [partOf({ content: { case: "raw", value: outputType.value }, mediaType: "application/octet-stream" })];
    case "image": {
      const { mimeType, data } = outputType.value;
      return [partOf({ content: { case: "raw", value: data }, mediaType: mimeType })];
    }
    case "payload":
      return [payloadPart(outputType.value)];
    default:
      return [];
  }
}

/** A part with a text. */
export function textPart(text: string): Part {
  return partOf({ content: { case: "text", value: text }, mediaType: "text/plain" });
}

/** A part with JSON. */
export function dataPart(value: JsonValue): Part {
  return partOf({ content: { case: "data", value: fromJson(ValueSchema, value) }, mediaType: "application/json" });
}

/** A payload in the form of Gemini's file parts is a file (CB-22); any other is data. */
function payloadPart(payload: JsonObject): Part {
  const { inlineData, fileData } = payload;
  const [only] = Object.keys(payload).length === 1 ? Object.values(payload) : [];
  if (only === undefined || !isJsonObject(only)) return dataPart(payload);
  const { mimeType, displayName, data, fileUri } = only;
  const names = {
    mediaType: typeof mimeType === "string" ? mimeType : "application/octet-stream",
    ...(typeof displayName === "string" && { filename: displayName }),
  };
  if (inlineData && typeof data === "string")
    return partOf({ content: { case: "raw", value: new Uint8Array(Buffer.from(data, "base64")) }, ...names });
  if (fileData && typeof fileUri === "string") return partOf({ content: { case: "url", value: fileUri }, ...names });
  return dataPart(payload);
}

/** The parts for a client that accepts only some media types: data that it does not accept is told as text (A2A-13). */
export function acceptable(parts: readonly Part[], accepted: readonly string[]): readonly Part[] {
  if (accepted.length === 0 || accepted.some((type) => DATA_TYPES.test(type))) return parts;
  return parts.map((part) =>
    part.content.case === "data" ? textPart(JSON.stringify(toJson(ValueSchema, part.content.value))) : part,
  );
}

const DATA_TYPES = /^(?:application\/(?:json|\*)|\*\/\*|\*)\s*(?:;|$)/i;

function partOf(init: MessageInitShape<typeof PartSchema>): Part {
  return create(PartSchema, init);
}
