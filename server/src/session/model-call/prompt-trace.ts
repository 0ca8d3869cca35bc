import type { JsonObject } from "#base";
import type { ModelMessage, ModelPart, ModelRequest } from "#models";

/** Characters of messages that one span keeps: the newest. A conversation of thousands of turns must not be stored once a turn. */
const MOST = 400_000;

/**
 * What a model call was asked, for the trace: system prompt, messages, offered tools and settings as they left for the
 * provider, after all callbacks. Files are told by type and size, signatures of thoughts are left out; `omitted` counts the
 * oldest messages that did not fit.
 */
export function promptOf(request: ModelRequest): JsonObject {
  const { system, tools, temperature, maxOutputTokens, responseSchema } = request;
  const messages = newest(request.messages.map(messageOf));
  const omitted = request.messages.length - messages.length;
  return {
    system,
    messages,
    ...(omitted > 0 && { omitted }),
    tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    ...(temperature !== undefined && { temperature }),
    ...(maxOutputTokens !== undefined && { "max output tokens": maxOutputTokens }),
    ...(responseSchema && { "response schema": responseSchema }),
  };
}

/** What the model answered, before any callback saw it. */
export function answerOf(parts: readonly ModelPart[]): JsonObject[] {
  return parts.map(partOf);
}

function messageOf({ role, parts }: ModelMessage): JsonObject {
  return { role, parts: parts.map(partOf) };
}

function partOf(part: ModelPart): JsonObject {
  switch (part.kind) {
    case "text":
      return { text: part.text };
    case "blob":
      return { file: part.mimeType, bytes: part.data.byteLength };
    case "function-call":
      return { call: part.name, args: part.args };
    case "function-response":
      return { result: part.name, response: part.response };
  }
}

function newest(messages: readonly JsonObject[]): JsonObject[] {
  let left = MOST;
  const from = messages.findLastIndex((message) => {
    left -= JSON.stringify(message).length;
    return left < 0;
  });
  return messages.slice(from + 1);
}
