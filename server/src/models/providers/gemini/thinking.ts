import type { JsonObject } from "#base";
import type { ModelRequest, ThinkingLevel } from "../../contract.ts";

/** Tokens of thought by level, for models before Gemini 3: Google's own table for its OpenAI-shaped endpoint. */
const BUDGETS: Readonly<Record<ThinkingLevel, number>> = { minimal: 1_024, low: 1_024, medium: 8_192, high: 24_576 };

/** `ThinkingConfig`s for a request: by level, by budget, and with the summaries alone. */
export function geminiThinking({ thinkingLevel, thoughtSummaries }: ModelRequest): readonly JsonObject[] {
  const summaries: JsonObject = thoughtSummaries ? { includeThoughts: true } : {};
  const levels = thinkingLevel
    ? [
        { thinkingLevel: thinkingLevel.toUpperCase(), ...summaries },
        { thinkingBudget: BUDGETS[thinkingLevel], ...summaries },
      ]
    : [];
  return [...levels, ...(thoughtSummaries ? [summaries] : [])];
}
