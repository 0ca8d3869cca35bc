import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Span } from "@frontdesk/protos/ces/common";
import {
  type EvaluationResult_SpanLatencySchema,
  type EvaluationResult_ToolCallLatencySchema,
  EvaluationResult_SpanLatency_Type as Type,
} from "@frontdesk/protos/ces/evaluation";
import { definedFields } from "#base";
import { millisecondsOf } from "./durations.ts";

type SpanLatency = MessageInitShape<typeof EvaluationResult_SpanLatencySchema>;
type ToolCallLatency = MessageInitShape<typeof EvaluationResult_ToolCallLatencySchema>;

/** The times of a turn, as results list them. */
export interface TurnLatencies {
  readonly turnLatency?: NonNullable<Span["duration"]>;
  readonly toolCallLatencies: ToolCallLatency[];
  readonly spanLatencies: SpanLatency[];
}

/** What a span is measured as, and which of its attributes identifies it (CONV-7). */
const KINDS: Readonly<Record<string, { readonly type: Type; readonly attribute: string }>> = {
  Tool: { type: Type.TOOL, attribute: "name" },
  Callback: { type: Type.USER_CALLBACK, attribute: "stage" },
  Guardrail: { type: Type.GUARDRAIL, attribute: "name" },
  LLM: { type: Type.LLM, attribute: "model" },
};

/** Reads the times of a turn from its trace. */
export function latenciesOf(root: Span): TurnLatencies {
  const spans = root.childSpans.flatMap((span) => toSpanLatency(span) ?? []);
  const tools = spans.filter(({ type }) => type === Type.TOOL);
  return {
    ...definedFields({ turnLatency: root.duration }),
    toolCallLatencies: tools.map(({ displayName = "", startTime, endTime, executionLatency }) => ({
      displayName,
      ...definedFields({ startTime, endTime, executionLatency }),
    })),
    spanLatencies: spans,
  };
}

function toSpanLatency({ name, attributes, startTime, endTime, duration }: Span): SpanLatency | undefined {
  const kind = KINDS[name];
  if (!kind) return undefined;
  const label = String(attributes?.[kind.attribute] ?? "");
  return {
    type: kind.type,
    displayName: label,
    identifier: identifierOf(kind.type, label),
    ...definedFields({ startTime, endTime, executionLatency: duration }),
  };
}

function identifierOf(type: Type, label: string): NonNullable<SpanLatency["identifier"]> {
  if (type === Type.LLM) return { case: "model", value: label };
  if (type === Type.USER_CALLBACK) return { case: "callback", value: label };
  return { case: "resource", value: label };
}

/** Milliseconds of a latency; 0 without one. */
export function latencyMs({ executionLatency }: Pick<SpanLatency, "executionLatency">): number {
  return millisecondsOf(executionLatency as Span["duration"]);
}
