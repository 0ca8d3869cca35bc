import type { Chunk, Message } from "@frontdesk/protos/ces/example";
import { hasSpelling, isJsonObject, type JsonObject, parseJson, writeJson } from "#base";

/** JSON texts by message position, then chunk position. */
export type SpelledValues = Readonly<Record<number, Readonly<Record<number, string>>>>;

/**
 * The arguments, responses and variables of messages whose JSON text says more than a `Struct` can: the order of keys, `5.0`, whole numbers
 * beyond 2^53 (PY-42).
 */
export function spelledValues(messages: readonly Message[]): SpelledValues {
  const values: Record<number, Record<number, string>> = {};
  for (const [at, { chunks }] of messages.entries()) {
    for (const [place, chunk] of chunks.entries()) {
      const value = structOf(chunk);
      if (!value || !hasSpelling(value)) continue;
      values[at] ??= {};
      values[at][place] = writeJson(value);
    }
  }
  return values;
}

/** Puts the values back into messages that were just read. */
export function restoreValues(messages: readonly Message[], values: SpelledValues): void {
  for (const [at, texts] of Object.entries(values)) {
    for (const [place, text] of Object.entries(texts)) {
      const chunk = messages[Number(at)]?.chunks[Number(place)];
      const value = parseJson(text);
      if (chunk && isJsonObject(value)) setStruct(chunk, value);
    }
  }
}

function structOf({ data }: Chunk): JsonObject | undefined {
  switch (data.case) {
    case "toolCall":
      return data.value.args;
    case "toolResponse":
      return data.value.response;
    case "updatedVariables":
    case "defaultVariables":
      return data.value;
    default:
      return undefined;
  }
}

function setStruct({ data }: Chunk, value: JsonObject): void {
  if (data.case === "toolCall") data.value.args = value;
  else if (data.case === "toolResponse") data.value.response = value;
  else if (data.case === "updatedVariables" || data.case === "defaultVariables") data.value = value;
}
