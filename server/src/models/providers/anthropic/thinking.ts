import type { JsonObject } from "#base";
import type { ModelRequest, ThinkingLevel } from "../../contract.ts";
import { ownSignature } from "../shared/thought-signature.ts";

/** Marks thinking blocks, which are stored as the signature of the part that follows them. */
export const THINKING = "anthropic";

/** Tokens of thought by level: the budget of older models, and room beside the answer for those that decide themselves. */
const BUDGETS: Readonly<Record<Exclude<ThinkingLevel, "minimal">, number>> = {
  low: 2_048,
  medium: 8_192,
  high: 16_384,
};

/**
 * Members of a request for its thinking: newer models decide how much and take an effort, older ones take a budget. The API accepts neither together with a
 * forced answer, and a budget only where the model thought of the calls itself whose results the prompt ends with.
 */
export function anthropicThinking(request: ModelRequest): readonly JsonObject[] {
  const { thinkingLevel: level, thoughtSummaries, responseSchema } = request;
  if (!level || responseSchema) return [];
  const effort = level === "minimal" ? "low" : level;
  const adaptive = {
    thinking: { type: "adaptive", ...(thoughtSummaries && { display: "summarized" }) },
    output_config: { effort },
  };
  if (level === "minimal") return [{ thinking: { type: "disabled" } }, adaptive];
  return hasForeignCalls(request)
    ? [adaptive]
    : [adaptive, { thinking: { type: "enabled", budget_tokens: BUDGETS[level] } }];
}

/** Tokens of thought that the limit of an answer leaves room for; 0 without thinking. */
export function thoughtTokens(thinking: JsonObject | undefined, level: ThinkingLevel | undefined): number {
  const { type } = (thinking?.thinking ?? {}) as JsonObject;
  return type === undefined || type === "disabled" ? 0 : BUDGETS[!level || level === "minimal" ? "low" : level];
}

/** Whether the calls that the prompt ends with came from elsewhere: a callback, another model. */
function hasForeignCalls({ messages }: ModelRequest): boolean {
  const [calls, results] = messages.slice(-2);
  if (!results?.parts.some(({ kind }) => kind === "function-response")) return false;
  const [first] = calls?.parts ?? [];
  const signature = first && "signature" in first ? first.signature : undefined;
  return ownSignature(THINKING, signature) === undefined;
}
