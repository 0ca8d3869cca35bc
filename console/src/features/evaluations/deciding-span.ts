import type { Span } from "@frontdesk/protos/ces/common";
import type {
  Evaluation_GoldenExpectation as GoldenExpectation,
  EvaluationResult_GoldenExpectationOutcome as GoldenOutcome,
} from "@frontdesk/protos/ces/evaluation";
import { type SpanRow, spanRows } from "../traces/span-rows.ts";

/** What an expectation is about, expected or observed. */
export type Condition = GoldenExpectation["condition"] | GoldenOutcome["result"];

/**
 * The key of the span of a turn that decided an outcome: that of the tool or the transfer, and where none happened or the agent's words are
 * meant, the model call that decided so. Undefined in a turn without model calls.
 */
export function decidingSpan(
  rootSpan: Span,
  { expectation, result }: Pick<GoldenOutcome, "expectation" | "result">,
): string | undefined {
  const rows = spanRows(rootSpan);
  const observed = result.case ? result : (expectation?.condition ?? result);
  return (spanAbout(rows, observed) ?? rows.findLast(({ kind }) => kind === "llm"))?.key;
}

function spanAbout(rows: readonly SpanRow[], condition: Condition): SpanRow | undefined {
  switch (condition.case) {
    case "toolCall":
    case "toolResponse":
    case "mockToolResponse":
    case "observedToolCall":
    case "observedToolResponse":
      return rows.find((row) => row.kind === "tool" && row.span.attributes?.name === condition.value.displayName);
    case "agentTransfer":
    case "observedAgentTransfer":
      return rows.find((row) => row.kind === "transfer" && row.span.attributes?.target === condition.value.displayName);
    case "noToolCalls":
    case "updatedVariables":
    case "observedPayload":
      return rows.find(({ kind }) => kind === "tool");
    default:
      return undefined;
  }
}
