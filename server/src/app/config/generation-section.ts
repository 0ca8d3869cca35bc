import { z } from "zod";
import { DEFAULT_GENERATION_LIMITS, type GenerationLimits } from "#generation";
import { requireAllRead } from "./config-values.ts";

/** How resources of apps are generated. */
export interface GenerationConfig extends GenerationLimits {
  /** Name of the model that writes, as apps name models. "" = the default model. */
  readonly model: string;
}

/** The section `generation` of the config file. */
export const GenerationSectionSchema = z.strictObject({
  model: z.string().optional(),
  rounds: z.number().int().min(1).max(20).optional(),
  tokens: z.number().int().min(1_000).optional(),
  answerTokens: z.number().int().min(256).optional(),
  answerSeconds: z.number().positive().max(3_600).optional(),
});

/** The section as configuration. */
export function generationConfig({
  model = "",
  rounds = DEFAULT_GENERATION_LIMITS.rounds,
  tokens = DEFAULT_GENERATION_LIMITS.tokens,
  answerTokens = DEFAULT_GENERATION_LIMITS.answerTokens,
  answerSeconds = DEFAULT_GENERATION_LIMITS.answerMs / 1_000,
  ...unread
}: z.infer<typeof GenerationSectionSchema> = {}): GenerationConfig {
  requireAllRead(unread);
  return { model, rounds, tokens, answerTokens, answerMs: answerSeconds * 1_000 };
}
