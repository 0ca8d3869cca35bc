import type { FinishReason } from "../../contract.ts";

const REASONS: Readonly<Record<string, FinishReason>> = {
  end_turn: "stop",
  stop_sequence: "stop",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  tool_use: "tool-calls",
  refusal: "safety",
};

/** `stop_reason` of a message in our words. */
export function mapFinishReason(reason: string): FinishReason {
  return REASONS[reason] ?? "other";
}
