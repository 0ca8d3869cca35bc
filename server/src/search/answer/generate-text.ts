import { definedFields } from "#base";
import type { JsonSchema, Models } from "#models";
import { ConnectError } from "#status";
import type { ModelStep } from "../contract.ts";

/** The generated text, or why there is none. */
export type GeneratedText = { readonly text: string } | { readonly skipped: string };

interface TextRequest {
  readonly system: string;
  readonly prompt: string;
  readonly responseSchema?: JsonSchema;
  readonly signal: AbortSignal;
}

/**
 * Generates one text. A model that does not follow instructions is not called, since it cannot write summaries or rewrite queries.
 * When a model fails, the reason becomes a note in the trace, because passages can be returned without it.
 */
export async function generateText(
  models: Pick<Models, "resolve">,
  step: ModelStep,
  request: TextRequest,
): Promise<GeneratedText> {
  const { system, prompt, responseSchema, signal } = request;
  try {
    const model = models.resolve(step.model);
    if (!model.capabilities.instructionFollowing) return { skipped: "no model provider is configured" };
    const parts: string[] = [];
    const stream = model.stream(
      {
        system,
        messages: [{ role: "user", parts: [{ kind: "text", text: prompt }] }],
        tools: [],
        ...definedFields({ temperature: step.temperature, thinkingLevel: step.thinkingLevel, responseSchema }),
      },
      { signal, streaming: false },
    );
    for await (const part of stream) if (part.kind === "text-delta") parts.push(part.text);
    return { text: parts.join("").trim() };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ConnectError) return { skipped: error.rawMessage };
    throw error;
  }
}
