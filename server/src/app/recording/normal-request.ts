import { createHash } from "node:crypto";
import type { JsonObject, JsonValue } from "#base";
import { isJsonObject } from "#base";
import type { ModelPart, ModelRequest } from "#models";
import type { NormalRequest } from "./recording.ts";

/** A model request in the form that recordings have and replays compare. */
export function normalRequest({ caller = "", messages }: ModelRequest): NormalRequest {
  return {
    agent: caller,
    messages: messages.map(({ role, parts }) => ({ role, parts: parts.map(normalPart) })),
  };
}

function normalPart(part: ModelPart): JsonObject {
  switch (part.kind) {
    case "text":
      return { text: part.text.replace(/\s+/g, " ").trim() };
    case "blob":
      return { blob: part.mimeType, sha256: createHash("sha256").update(part.data).digest("hex") };
    case "function-call":
      return { call: part.name, args: sorted(part.args) };
    case "function-response":
      return { response: part.name, value: sorted(part.response) };
  }
}

/** The value with sorted keys: equal values have equal texts. */
export function sorted(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, item]) => [key, sorted(item)]));
}
