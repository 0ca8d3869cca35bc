import type { DescMessage } from "@bufbuild/protobuf";
import type { Compression, UniversalServerRequest } from "@connectrpc/connect/protocol";
import { invalidArgument } from "#status";
import { hasTooManyJsonValues, maxValuesOf } from "../json/max-values.ts";
import { hasTooManyFields } from "./count-fields.ts";
import { FrameReader } from "./framing.ts";

/** Throws INVALID_ARGUMENT for a message with more values than can be decoded at once (WIRE-23). */
type ValueCheck = (message: Uint8Array) => void;

/** What messages in one format may be. */
export interface MessageLimits {
  readonly check: ValueCheck;
  readonly maxBytes: number;
}

/** The check of messages in protobuf. */
export function protobufCheck(type: DescMessage): ValueCheck {
  const most = maxValuesOf(type);
  return (message) => {
    if (hasTooManyFields(type, message, most)) throw tooManyValues(most);
  };
}

/** The check of messages in JSON. */
export function jsonCheck(type: DescMessage): ValueCheck {
  const most = maxValuesOf(type);
  return (message) => {
    if (hasTooManyJsonValues(message, most)) throw tooManyValues(most);
  };
}

function tooManyValues(most: number): Error {
  return invalidArgument({ field: "", description: `The message has more than ${most} values.` });
}

/** A compression whose messages are checked once they are decompressed. */
export function checkedCompression(compression: Compression, check: ValueCheck): Compression {
  return {
    ...compression,
    decompress: async (bytes, limit) => {
      const message = await compression.decompress(bytes, limit);
      check(message);
      return message;
    },
  };
}

/** The same request; its body fails with the first message that has too many values. Compressed messages are left to their compression. */
export function withCheckedBody(
  request: UniversalServerRequest,
  { check, maxBytes }: MessageLimits,
): UniversalServerRequest {
  if (!isStream(request.body)) return request;
  const isUnary = /^application\/(?:json|proto)(?=;|$)/i.test(request.header.get("content-type") ?? "");
  if (!isUnary) return { ...request, body: checkedFrames(request.body, check, maxBytes) };
  const encoding = request.header.get("content-encoding") ?? "identity";
  return encoding === "identity" ? { ...request, body: checkedMessage(request.body, check) } : request;
}

function isStream(body: UniversalServerRequest["body"]): body is AsyncIterable<Uint8Array> {
  return typeof body === "object" && body !== null && Symbol.asyncIterator in body;
}

async function* checkedMessage(body: AsyncIterable<Uint8Array>, check: ValueCheck): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) {
    chunks.push(chunk);
    yield chunk;
  }
  check(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
}

async function* checkedFrames(
  body: AsyncIterable<Uint8Array>,
  check: ValueCheck,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  const reader = new FrameReader(maxBytes);
  for await (const chunk of body) {
    for (const { compressed, payload } of reader.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)))
      if (!compressed) check(payload);
    yield chunk;
  }
}
