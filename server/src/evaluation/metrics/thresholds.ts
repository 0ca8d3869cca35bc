import type { App } from "@frontdesk/protos/ces/app";
import {
  EvaluationMetricsThresholds_HallucinationMetricBehavior as Behavior,
  type EvaluationMetricsThresholds,
  EvaluationMetricsThresholds_ToolMatchingSettings_ExtraToolCallBehavior as ExtraToolCall,
  EvaluationMetricsThresholds_GoldenEvaluationMetricsThresholds_TurnLevelMetricsThresholds_SemanticSimilarityChannel as SimilarityChannel,
} from "@frontdesk/protos/ces/app";
import type { Evaluation, Evaluation_GoldenExpectation, Evaluation_GoldenTurn } from "@frontdesk/protos/ces/evaluation";
import type { EvaluationMetricsConfig } from "@frontdesk/protos/ces/evaluation_metrics_config";

/** What a turn of a golden is measured by (EVAL-7). A metric that is off is neither computed nor counted. */
export interface GoldenCriteria {
  readonly similarity: {
    readonly enabled: boolean /** 0 to 4. */;
    readonly atLeast: number;
    /** Whether what the user heard is compared, in place of what the agents said. */
    readonly ofSound: boolean;
  };
  readonly toolCalls: {
    readonly enabled: boolean /** Share of the expected calls, 0 to 1. */;
    readonly atLeast: number;
  };
  readonly parameters: {
    readonly enabled: boolean /** Share of the expected parameters, 0 to 1. */;
    readonly atLeast: number;
  };
  readonly extraToolCallsFail: boolean;
  /** Whether an invented claim fails the turn. It is computed in either case. */
  readonly hallucinationCounts: boolean;
}

/** The criteria of a turn: the turn's own, else the evaluation's, else the app's, else the documented defaults. */
export function goldenCriteria(
  app: Pick<App, "evaluationMetricsThresholds" | "evaluationSettings">,
  evaluation: Pick<Evaluation, "evaluationMetricsThresholdOverride" | "evaluationMetricsConfigOverride">,
  turn: Pick<Evaluation_GoldenTurn, "turnLevelMetricsThresholdsOverride" | "hallucinationMetricBehaviorOverride">,
): GoldenCriteria {
  const thresholds = [evaluation.evaluationMetricsThresholdOverride, app.evaluationMetricsThresholds];
  const configs = [evaluation.evaluationMetricsConfigOverride, app.evaluationSettings?.metricsConfig];
  const turnLevel = [
    turn.turnLevelMetricsThresholdsOverride,
    ...thresholds.map((level) => level?.goldenEvaluationMetricsThresholds?.turnLevelMetricsThresholds),
  ];
  return {
    similarity: {
      enabled: isEnabled(configs, (config) => {
        const similarity = config.goldenMetricsConfig?.semanticSimilarityMetricsConfig;
        return similarity && { enabled: similarity.enableSemanticSimilarityMetrics };
      }),
      atLeast: first(turnLevel, (level) => level.semanticSimilaritySuccessThreshold) ?? 3,
      ofSound: first(turnLevel, (level) => level.semanticSimilarityChannel || undefined) === SimilarityChannel.AUDIO,
    },
    toolCalls: {
      enabled: isEnabled(configs, (config) => {
        const correctness = config.goldenMetricsConfig?.toolCorrectnessMetricsConfig;
        return correctness && { enabled: correctness.enableToolCorrectnessMetrics };
      }),
      atLeast: first(turnLevel, (level) => level.overallToolInvocationCorrectnessThreshold) ?? 1,
    },
    parameters: {
      enabled: isEnabled(configs, (config) => {
        const correctness = config.goldenMetricsConfig?.stepToolCorrectnessMetricsConfig;
        return correctness && { enabled: correctness.enableToolCorrectnessMetrics };
      }),
      atLeast:
        first(
          thresholds,
          ({ goldenEvaluationMetricsThresholds: golden }) =>
            golden?.expectationLevelMetricsThresholds?.toolInvocationParameterCorrectnessThreshold,
        ) ?? 1,
    },
    extraToolCallsFail: first(thresholds, extraToolCallBehavior) !== ExtraToolCall.ALLOW,
    hallucinationCounts: hallucinationBehavior(turn, thresholds) === Behavior.ENABLED,
  };
}

/** Which metrics of a scenario count (EVAL-7). */
interface ScenarioCriteria {
  readonly userGoal: boolean;
  readonly expectations: boolean;
  /** Whether an invented claim fails the scenario. It is computed in either case. */
  readonly hallucinationCounts: boolean;
}

/** The criteria of a scenario: the evaluation's own, else the app's, else both metrics are on. */
export function scenarioCriteria(
  app: Pick<App, "evaluationMetricsThresholds" | "evaluationSettings">,
  evaluation: Pick<Evaluation, "evaluationMetricsThresholdOverride" | "evaluationMetricsConfigOverride">,
): ScenarioCriteria {
  const thresholds = [evaluation.evaluationMetricsThresholdOverride, app.evaluationMetricsThresholds];
  const configs = [evaluation.evaluationMetricsConfigOverride, app.evaluationSettings?.metricsConfig];
  const behavior = first(thresholds, (level) => level.scenarioHallucinationMetricBehavior || undefined);
  return {
    userGoal: isEnabled(configs, ({ scenarioMetricsConfig: config }) => {
      const goal = config?.userGoalMetMetricsConfig;
      return goal && { enabled: goal.enableUserGoalMetMetrics };
    }),
    expectations: isEnabled(configs, ({ scenarioMetricsConfig: config }) => {
      const met = config?.expectationsMetMetricsConfig;
      return met && { enabled: met.enableExpectationsMetMetrics };
    }),
    hallucinationCounts: behavior === Behavior.ENABLED,
  };
}

/** The share of parameters that a call must have, 0 to 1: the expectation's own threshold, else that of the turn. */
export function parameterThreshold(
  { expectationLevelMetricsThresholdsOverride: own }: Evaluation_GoldenExpectation,
  { parameters }: Pick<GoldenCriteria, "parameters">,
): number {
  return own?.toolInvocationParameterCorrectnessThreshold ?? parameters.atLeast;
}

/** Whether a score reaches a threshold. Both are floats of 32 bits on the wire, so 4 of 5 must reach 0.8 (EVAL-72). */
export function reaches(score: number, threshold: number): boolean {
  return Math.fround(score) >= Math.fround(threshold);
}

function extraToolCallBehavior({ goldenEvaluationMetricsThresholds: golden }: EvaluationMetricsThresholds) {
  return golden?.toolMatchingSettings?.extraToolCallBehavior || undefined;
}

function hallucinationBehavior(
  turn: Pick<Evaluation_GoldenTurn, "hallucinationMetricBehaviorOverride">,
  thresholds: readonly (EvaluationMetricsThresholds | undefined)[],
): Behavior | undefined {
  if (turn.hallucinationMetricBehaviorOverride) return turn.hallucinationMetricBehaviorOverride;
  return first(
    thresholds,
    (level) => level.goldenHallucinationMetricBehavior || level.hallucinationMetricBehavior || undefined,
  );
}

/** On unless the first level that has the message says otherwise: a message without its flag turns the metric off. */
function isEnabled(
  configs: readonly (EvaluationMetricsConfig | undefined)[],
  read: (config: EvaluationMetricsConfig) => { readonly enabled: boolean } | undefined,
): boolean {
  return first(configs, read)?.enabled ?? true;
}

/** What the first level that sets it says. */
function first<Level, Value>(
  levels: readonly (Level | undefined)[],
  read: (level: Level) => Value | undefined,
): Value | undefined {
  for (const level of levels) {
    const value = level && read(level);
    if (value !== undefined) return value;
  }
  return undefined;
}
