import type { EvaluationResult } from "@frontdesk/protos/ces/evaluation";

/** The conversations that a result is about, each once. A golden that ran STABLE has one for each turn. */
export function conversationsOf({ result }: Pick<EvaluationResult, "result">): readonly string[] {
  if (result.case === "scenarioResult") return [result.value.conversation].filter((name) => name !== "");
  if (result.case !== "goldenResult") return [];
  const names = result.value.turnReplayResults.map(({ conversation }) => conversation);
  return [...new Set(names)].filter((name) => name !== "");
}
