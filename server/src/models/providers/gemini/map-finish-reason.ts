import type { FinishReason } from "../../contract.ts";

const REASONS: Readonly<Record<string, FinishReason>> = {
  STOP: "stop",
  MAX_TOKENS: "length",
  SAFETY: "safety",
  RECITATION: "safety",
  BLOCKLIST: "safety",
  PROHIBITED_CONTENT: "safety",
  SPII: "safety",
  IMAGE_SAFETY: "safety",
  IMAGE_PROHIBITED_CONTENT: "safety",
  MODEL_ARMOR: "safety",
  MALFORMED_FUNCTION_CALL: "malformed",
  MALFORMED_RESPONSE: "malformed",
  UNEXPECTED_TOOL_CALL: "malformed",
};

/** `Candidate.FinishReason` in our words. Gemini says STOP after function calls too, so whether it made any is asked. */
export function mapFinishReason(reason: string, hasCalls: boolean): FinishReason {
  const mapped = REASONS[reason] ?? "other";
  return mapped === "stop" && hasCalls ? "tool-calls" : mapped;
}
