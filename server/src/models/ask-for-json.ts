import { isJsonObject, type JsonObject } from "#base";
import type { FinishReason, LanguageModel, ModelRequest, Usage } from "./contract.ts";

/** An answer that is not the JSON that was asked for. */
export class UnusableAnswer extends Error {
  override readonly name = "UnusableAnswer";
}

/** An answer of a model with the tokens that it took. */
interface JsonAnswer {
  readonly answer: JsonObject;
  readonly usage: Usage;
}

/** Limits of an answer. */
interface AnswerLimits {
  /** The answer is read as it is written, and left when it is longer. Default: it is read whole, however long. */
  readonly maxCharacters?: number;
}

/**
 * Asks a model once for a JSON object of the request's `responseSchema`. Rejects with UnusableAnswer when it answers anything but an object,
 * and with the status error of the provider.
 */
export async function askForJson(
  model: LanguageModel,
  request: Omit<ModelRequest, "tools">,
  signal: AbortSignal,
  { maxCharacters = Number.POSITIVE_INFINITY }: AnswerLimits = {},
): Promise<JsonAnswer> {
  let text = "";
  let usage: Usage = {};
  let reason: FinishReason = "other";
  const streaming = Number.isFinite(maxCharacters);
  for await (const part of model.stream({ ...request, tools: [] }, { signal, streaming })) {
    if (part.kind === "text-delta") text += part.text;
    if (text.length > maxCharacters)
      throw new UnusableAnswer(`the answer is longer than ${maxCharacters.toLocaleString("en")} characters`);
    if (part.kind === "finish") ({ usage, reason } = part);
  }
  return { answer: readObject(text, reason), usage };
}

/** Some models put JSON into a fence of Markdown although a schema asks for JSON alone. */
function readObject(text: string, reason: FinishReason): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\s*```(?:json)?|```\s*$/g, ""));
  } catch {
    throw new UnusableAnswer(problemOf(text, reason));
  }
  if (!isJsonObject(value)) throw new UnusableAnswer(`the answer is not a JSON object: ${text.slice(0, 200)}`);
  return value;
}

function problemOf(text: string, reason: FinishReason): string {
  if (reason === "length") return "the answer was cut off at the limit of its tokens";
  if (reason === "safety") return "the provider withheld the answer for safety";
  if (text.trim() === "") return "the answer is empty";
  return `the answer is not JSON: ${text.slice(0, 200)}`;
}
