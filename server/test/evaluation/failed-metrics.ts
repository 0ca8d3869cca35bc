/** A turn of a golden's result, in the JSON of the API. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into the JSON as any client would
export type TurnResult = any;

const BY_CONDITION: Readonly<Record<string, string>> = {
  toolResponse: "tool response",
  agentTransfer: "agent transfer",
  updatedVariables: "variables",
  noToolCalls: "no tool calls",
};

/** Which metrics of a turn failed, as a person would read them off its result; sorted, each once. */
export function failedMetrics(turn: TurnResult): readonly string[] {
  const failed = (turn.expectationOutcome ?? []).flatMap(nameOfFailure);
  const { overallToolInvocationResult: overall, toolOrderedInvocationScore: ordered = 0 } = turn;
  if (overall?.outcome === "FAIL" && ordered < (overall.toolInvocationScore ?? 0)) failed.push("order");
  if (turn.semanticSimilarityResult?.outcome === "FAIL") failed.push("similarity");
  return [...new Set<string>(failed)].sort();
}

function nameOfFailure({ outcome, expectation, observedToolCall, toolInvocationResult }: TurnResult): string[] {
  if (outcome !== "FAIL") return [];
  if (!expectation) return ["extra call"];
  if (expectation.toolCall) return [observedToolCall ? "parameters" : "missing call"];
  const [name] = Object.keys(BY_CONDITION).filter((condition) => condition in expectation);
  // The outcome of an agent's response is that of the similarity of its turn, or of its own comparison.
  return name ? [BY_CONDITION[name] ?? ""] : toolInvocationResult ? ["tool call"] : ["agent response"];
}
