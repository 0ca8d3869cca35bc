import { isJsonObject, type JsonObject } from "#base";
import type { LanguageModel, ModelRequest, Usage } from "./contract.ts";

/** An answer that is not the JSON that was asked for. */
export class UnusableAnswer extends Error {
  override readonly name = "UnusableAnswer";
}

/** An answer of a model with the tokens that it took. */
interface JsonAnswer {
  readonly answer: JsonObject;
  readonly usage: Usage;
}

/**
 * Asks a model once for a JSON object of the request's `responseSchema`. Rejects with UnusableAnswer when it answers anything but an object,
 * and with the status error of the provider.
 */
export async function askForJson(
  model: LanguageModel,
  request: Omit<ModelRequest, "tools">,
  signal: AbortSignal,
): Promise<JsonAnswer> {
  let text = "";
  let usage: Usage = {};
  for await (const part of model.stream({ ...request, tools: [] }, { signal, streaming: false })) {
    if (part.kind === "text-delta") text += part.text;
    if (part.kind === "finish") usage = part.usage;
  }
  return { answer: readObject(text), usage };
}

/** Some models put JSON into a fence of Markdown although a schema asks for JSON alone. */
function readObject(text: string): JsonObject {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\s*```(?:json)?|```\s*$/g, ""));
  } catch {
    throw new UnusableAnswer(`the answer is not JSON: ${text.slice(0, 200)}`);
  }
  if (!isJsonObject(value)) throw new UnusableAnswer(`the answer is not a JSON object: ${text.slice(0, 200)}`);
  return value;
}
