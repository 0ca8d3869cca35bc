import type { JsonSchema, Models } from "#models";
import { ConnectError } from "#status";
import type { ModelStep } from "../contract.ts";

/** What a model said, or why it was not asked or did not answer. */
export type ModelWords = { readonly text: string } | { readonly skipped: string };

export interface ModelQuestion {
  readonly system: string;
  readonly prompt: string;
  readonly responseSchema?: JsonSchema;
  readonly signal: AbortSignal;
}

/**
 * Asks a model for one whole answer. A model that does not follow instructions writes no summaries and rewrites no questions, so
 * it is not asked; a model that fails is a note in the trace, because passages can be given without it.
 */
export async function askModel(
  models: Pick<Models, "resolve">,
  step: ModelStep,
  question: ModelQuestion,
): Promise<ModelWords> {
  const { system, prompt, responseSchema, signal } = question;
  try {
    const model = models.resolve(step.model);
    if (!model.capabilities.instructionFollowing) return { skipped: "no model provider is configured" };
    const parts: string[] = [];
    const stream = model.stream(
      {
        system,
        messages: [{ role: "user", parts: [{ kind: "text", text: prompt }] }],
        tools: [],
        ...(step.temperature !== undefined && { temperature: step.temperature }),
        ...(responseSchema && { responseSchema }),
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
