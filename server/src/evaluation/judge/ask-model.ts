import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import type { JsonSchema, LanguageModel, ModelMessage } from "#models";

/** A question to a model whose answer is a JSON object of a schema. */
export interface ModelQuestion {
  readonly system: string;
  readonly messages: readonly ModelMessage[];
  readonly schema: JsonSchema;
  /** Shown in recordings; never sent to a provider. */
  readonly caller: string;
  readonly temperature: number;
}

/** An answer that is not the JSON that was asked for. */
export class UnusableAnswer extends Error {
  override readonly name = "UnusableAnswer";
}

/** Asks a model once. Rejects with UnusableAnswer when it answers anything but a JSON object, and with the status error of the provider. */
export async function askModel(
  model: LanguageModel,
  { system, messages, schema, caller, temperature }: ModelQuestion,
  signal: AbortSignal,
): Promise<JsonObject> {
  let text = "";
  const request = { system, messages, tools: [], temperature, responseSchema: schema, caller };
  for await (const part of model.stream(request, { signal, streaming: false })) {
    if (part.kind === "text-delta") text += part.text;
  }
  const value = parse(text.replace(/^\s*```(?:json)?|```\s*$/g, ""));
  if (!isJsonObject(value))
    throw new UnusableAnswer(`the model answered '${text.slice(0, 200)}', which is no JSON object`);
  return value;
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
