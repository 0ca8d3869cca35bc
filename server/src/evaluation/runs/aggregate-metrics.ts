import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type AggregatedMetrics,
  type AggregatedMetrics_MetricsByAppVersionSchema,
  type AggregatedMetrics_MetricsByTurnSchema,
  AggregatedMetricsSchema,
  type EvaluationResult,
  EvaluationResult_Outcome as Outcome,
  type EvaluationResult_GoldenResult_TurnReplayResult as TurnReplayResult,
} from "@frontdesk/protos/ces/evaluation";
import type { MetricField } from "@frontdesk/protos/metric-field";
import { durationOf, millisecondsOf } from "../observation/durations.ts";
import { toolKey } from "../observation/observed-turn.ts";

type TurnMetrics = Omit<MessageInitShape<typeof AggregatedMetrics_MetricsByTurnSchema>, "$typeName" | "turnIndex">;

/**
 * Adds the metrics of a run to those that an evaluation or dataset has: those of the run's version are replaced, those of other versions
 * stay (EVAL-15).
 */
export function aggregateMetrics(
  before: AggregatedMetrics | undefined,
  appVersion: string,
  results: readonly EvaluationResult[],
): AggregatedMetrics {
  const appVersionId = appVersion.slice(appVersion.lastIndexOf("/") + 1);
  const others = (before?.metricsByAppVersion ?? []).filter((metrics) => metrics.appVersionId !== appVersionId);
  return create(AggregatedMetricsSchema, {
    metricsByAppVersion: [...others, versionMetrics(appVersionId, results)],
  });
}

function versionMetrics(
  appVersionId: string,
  results: readonly EvaluationResult[],
): MessageInitShape<typeof AggregatedMetrics_MetricsByAppVersionSchema> {
  const turns = results.map(turnsOf);
  const most = Math.max(0, ...turns.map(({ length }) => length));
  const byTurn = Array.from({ length: most }, (_, index) => ({
    turnIndex: index,
    ...turnMetrics(turns.flatMap((turn) => turn[index] ?? [])),
  }));
  const outcomes = (outcome: Outcome) => results.filter(({ evaluationStatus }) => evaluationStatus === outcome).length;
  return {
    appVersionId,
    passCount: outcomes(Outcome.PASS),
    failCount: outcomes(Outcome.FAIL),
    metricsByTurn: byTurn,
    ...turnMetrics(turns.flat()),
  };
}

function turnsOf({ result }: EvaluationResult): readonly TurnReplayResult[] {
  return result.case === "goldenResult" ? result.value.turnReplayResults : [];
}

function turnMetrics(turns: readonly TurnReplayResult[]): TurnMetrics {
  const latencies = turns.flatMap(({ turnLatency }) => (turnLatency ? [millisecondsOf(turnLatency)] : []));
  return {
    ...Object.assign({}, ...Object.values(TURN_METRICS).map((metricsOf) => metricsOf(turns))),
    turnLatencyMetrics: latencies.length > 0 ? [{ averageLatency: durationOf(average(latencies)) }] : [],
    toolCallLatencyMetrics: toolLatencies(turns),
  };
}

/** The means of each metric of turns; `{}`: the API has none for it. */
const TURN_METRICS: Readonly<
  Record<MetricField<TurnReplayResult>, (turns: readonly TurnReplayResult[]) => Partial<TurnMetrics>>
> = {
  expectationOutcome: (turns) => ({ toolMetrics: toolMetrics(turns) }),
  semanticSimilarityResult: (turns) => ({
    semanticSimilarityMetrics: meanScore(turns.map(({ semanticSimilarityResult }) => semanticSimilarityResult)),
  }),
  hallucinationResult: (turns) => ({
    hallucinationMetrics: meanScore(turns.map(({ hallucinationResult }) => hallucinationResult)),
  }),
  overallToolInvocationResult: () => ({}),
};

function meanScore(results: readonly ({ readonly score?: number } | undefined)[]): { score: number }[] {
  const scores = results.flatMap((result) => result?.score ?? []);
  return scores.length > 0 ? [{ score: average(scores) }] : [];
}

/** Passed and failed expectations of tool calls, by tool. */
function toolMetrics(turns: readonly TurnReplayResult[]): NonNullable<TurnMetrics["toolMetrics"]> {
  const byTool = new Map<string, { tool: string; passCount: number; failCount: number }>();
  for (const { expectation, result, toolInvocationResult } of turns.flatMap((turn) => turn.expectationOutcome)) {
    const call =
      expectation?.condition.case === "toolCall"
        ? expectation.condition.value
        : result.case === "observedToolCall" && result.value;
    if (!call || !toolInvocationResult) continue;
    const tool = toolKey(call);
    const counts = byTool.get(tool) ?? { tool, passCount: 0, failCount: 0 };
    if (toolInvocationResult.outcome === Outcome.PASS) counts.passCount += 1;
    if (toolInvocationResult.outcome === Outcome.FAIL) counts.failCount += 1;
    byTool.set(tool, counts);
  }
  return [...byTool.values()];
}

function toolLatencies(turns: readonly TurnReplayResult[]): NonNullable<TurnMetrics["toolCallLatencyMetrics"]> {
  const byTool = Map.groupBy(
    turns.flatMap(({ toolCallLatencies }) => toolCallLatencies),
    ({ tool, displayName }) => tool || displayName,
  );
  return [...byTool].map(([tool, latencies]) => ({
    tool,
    averageLatency: durationOf(average(latencies.map(({ executionLatency }) => millisecondsOf(executionLatency)))),
  }));
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
