import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type EvaluationResult,
  type LatencyReport,
  type LatencyReport_LatencyMetricsSchema,
  LatencyReportSchema,
  type EvaluationResult_SpanLatency as SpanLatency,
  EvaluationResult_SpanLatency_Type as Type,
} from "@frontdesk/protos/ces/evaluation";
import { durationOf } from "../observation/durations.ts";
import { latencyMs } from "../observation/latencies.ts";
import { conversationsOf } from "./result-conversations.ts";

/** The times of all turns of a run: of each tool, callback stage, guardrail and model. */
export function latencyReport(results: readonly EvaluationResult[]): LatencyReport {
  const spans = results.flatMap(spansOf);
  const byName = (type: Type) => [
    ...Map.groupBy(
      spans.filter((span) => span.type === type),
      ({ displayName, identifier }) => `${displayName} ${JSON.stringify(identifier.value ?? "")}`,
    ).values(),
  ];
  return create(LatencyReportSchema, {
    toolLatencies: byName(Type.TOOL).map((own) => ({
      toolDisplayName: own[0]?.displayName ?? "",
      toolIdentifier: toolIdentifierOf(own),
      latencyMetrics: metricsOf(own),
    })),
    callbackLatencies: byName(Type.USER_CALLBACK).map((own) => ({
      stage: own[0]?.displayName ?? "",
      latencyMetrics: metricsOf(own),
    })),
    guardrailLatencies: byName(Type.GUARDRAIL).map((own) => ({
      guardrailDisplayName: own[0]?.displayName ?? "",
      guardrail: own[0]?.identifier.case === "resource" ? own[0].identifier.value : "",
      latencyMetrics: metricsOf(own),
    })),
    llmCallLatencies: byName(Type.LLM).map((own) => ({
      model: own[0]?.displayName ?? "",
      latencyMetrics: metricsOf(own),
    })),
    sessionCount: new Set(results.flatMap(conversationsOf)).size,
  });
}

function spansOf({ result }: EvaluationResult): readonly SpanLatency[] {
  if (result.case === "scenarioResult") return result.value.spanLatencies;
  if (result.case !== "goldenResult") return [];
  return result.value.turnReplayResults.flatMap(({ spanLatencies }) => spanLatencies);
}

type ToolIdentifier = NonNullable<LatencyReport["toolLatencies"][number]["toolIdentifier"]>;

function toolIdentifierOf([first]: readonly SpanLatency[]): ToolIdentifier {
  if (first?.identifier.case === "toolset") return { case: "toolsetTool", value: first.identifier.value };
  return { case: "tool", value: first?.identifier.case === "resource" ? first.identifier.value : "" };
}

function metricsOf(spans: readonly SpanLatency[]): MessageInitShape<typeof LatencyReport_LatencyMetricsSchema> {
  const sorted = spans.map(latencyMs).sort((one, other) => one - other);
  const at = (share: number) => durationOf(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
  return { p50Latency: at(0.5), p90Latency: at(0.9), p99Latency: at(0.99), callCount: sorted.length };
}
