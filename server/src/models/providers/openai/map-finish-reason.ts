import type { FinishReason } from "../../contract.ts";

const REASONS: Readonly<Record<string, FinishReason>> = {
  stop: "stop",
  length: "length",
  tool_calls: "tool-calls",
  function_call: "tool-calls",
  content_filter: "safety",
};

/** `finish_reason` of a choice in our words. Some compatible servers say `stop` after tool calls, so whether there were any is asked. */
export function mapFinishReason(reason: string, hasCalls: boolean): FinishReason {
  const mapped = REASONS[reason] ?? "other";
  return hasCalls && mapped === "stop" ? "tool-calls" : mapped;
}
