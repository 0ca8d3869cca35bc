import type { MessageInitShape } from "@bufbuild/protobuf";
import type { AppSnapshot } from "@frontdesk/protos/ces/app_version";
import type { Span } from "@frontdesk/protos/ces/common";
import {
  type EvaluationResult_SpanLatencySchema,
  type EvaluationResult_ToolCallLatencySchema,
  EvaluationResult_SpanLatency_Type as Type,
} from "@frontdesk/protos/ces/evaluation";
import type { ToolCall } from "@frontdesk/protos/ces/example";
import { definedFields } from "#base";
import { millisecondsOf } from "./durations.ts";
import { type ObservedTurn, toolKey } from "./observed-turn.ts";

type SpanLatency = MessageInitShape<typeof EvaluationResult_SpanLatencySchema>;
type ToolCallLatency = MessageInitShape<typeof EvaluationResult_ToolCallLatencySchema>;

/** The times of a turn, as results list them. */
interface TurnLatencies {
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

/** What spans are about, by the name that they have in a trace. */
type Identifier = NonNullable<SpanLatency["identifier"]>;

/** Resource names of guardrails by display name. */
export type GuardrailNames = ReadonlyMap<string, string>;

/** The guardrails that a snapshot's spans can be about. */
export function guardrailNames({ guardrails }: Pick<AppSnapshot, "guardrails">): GuardrailNames {
  return new Map(guardrails.map(({ name, displayName }) => [displayName, name]));
}

/** Reads the times of a turn from its trace. Tools have the resource names of the turn's own calls; system tools have none (EVAL-73). */
export function latenciesOf({ rootSpan, calls }: ObservedTurn, guardrails: GuardrailNames): TurnLatencies {
  const tools = new Map(calls.map(({ call }) => [call.displayName, call]));
  const toolSpans: ToolCallLatency[] = [];
  const spanLatencies = rootSpan.childSpans.flatMap((span): SpanLatency[] => {
    const { name, attributes, startTime, endTime, duration } = span;
    const kind = KINDS[name];
    if (!kind) return [];
    const displayName = String(attributes?.[kind.attribute] ?? "");
    const tool = kind.type === Type.TOOL ? tools.get(displayName) : undefined;
    const times = definedFields({ startTime, endTime, executionLatency: duration });
    if (kind.type === Type.TOOL) toolSpans.push({ tool: tool ? toolKey(tool) : "", displayName, ...times });
    const identifier = identifierOf(kind.type, displayName, tool, guardrails);
    return [{ type: kind.type, displayName, ...times, ...definedFields({ identifier }) }];
  });
  return { ...definedFields({ turnLatency: rootSpan.duration }), toolCallLatencies: toolSpans, spanLatencies };
}

function identifierOf(
  type: Type,
  displayName: string,
  tool: ToolCall | undefined,
  guardrails: GuardrailNames,
): Identifier | undefined {
  if (type === Type.LLM) return { case: "model", value: displayName };
  if (type === Type.USER_CALLBACK) return { case: "callback", value: displayName };
  if (tool?.toolIdentifier.case === "toolsetTool") return { case: "toolset", value: tool.toolIdentifier.value };
  const value = tool ? toolKey(tool) : guardrails.get(displayName);
  return value && (tool || type === Type.GUARDRAIL) ? { case: "resource", value } : undefined;
}

/** Milliseconds of a latency; 0 without one. */
export function latencyMs({ executionLatency }: Pick<SpanLatency, "executionLatency">): number {
  return millisecondsOf(executionLatency as Span["duration"]);
}
