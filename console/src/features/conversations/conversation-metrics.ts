import type { Span } from "@frontdesk/protos/ces/common";
import type { Conversation, Conversation_Turn as ConversationTurn } from "@frontdesk/protos/ces/conversation";
import { milliseconds } from "../../api/timestamp.ts";
import { recordedInput } from "../simulator/turn-input.ts";
import { loadFailures } from "../traces/turn-failures.ts";

/** One span of a turn, as numbers need it. Times in milliseconds. */
export interface SpanMetrics {
  readonly kind: "llm" | "tool" | "callback" | "guardrail";
  /** Model, tool, stage or guardrail. */
  readonly name: string;
  readonly agent: string;
  readonly took: number;
  /** What went wrong; "" when nothing did. */
  readonly error: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** One turn as numbers. */
export interface TurnMetrics {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly took: number;
  /** Who had the last word. */
  readonly agent: string;
  readonly escalated: boolean;
  /** A guardrail stopped it. */
  readonly stopped: boolean;
  readonly transfers: number;
  readonly spans: readonly SpanMetrics[];
}

/** Metrics of a conversation, computed from its turns. */
export interface ConversationMetrics {
  readonly name: string;
  /** The first text of the user, else the opening event; "" without either. */
  readonly opening: string;
  readonly turns: readonly TurnMetrics[];
  /** What went wrong, in order. */
  readonly errors: readonly string[];
  readonly escalated: boolean;
  readonly stopped: boolean;
  readonly tokens: number;
}

/** Computes the metrics of a whole conversation from its messages and traces. */
export function conversationMetrics({ name, turns }: Conversation): ConversationMetrics {
  const metrics = turns.map(turnMetrics);
  const spans = metrics.flatMap((turn) => turn.spans);
  return {
    name,
    opening: openingOf(turns),
    turns: metrics,
    errors: [
      ...turns.flatMap(({ rootSpan }) => (rootSpan ? loadFailures(rootSpan) : [])),
      ...spans.filter(({ error }) => error !== "").map(({ name: subject, error }) => `${subject}: ${error}`),
    ],
    escalated: metrics.some(({ escalated }) => escalated),
    stopped: metrics.some(({ stopped }) => stopped),
    tokens: spans.reduce((sum, { inputTokens, outputTokens }) => sum + inputTokens + outputTokens, 0),
  };
}

/** The first text of the user; a conversation without one is named by the event that opened it. */
function openingOf(turns: readonly ConversationTurn[]): string {
  const inputs = turns.flatMap(({ messages }) => recordedInput(messages));
  const text = inputs.find((part) => part.kind === "text" && part.text.trim() !== "");
  if (text?.kind === "text") return text.text.trim();
  const event = inputs.find((part) => part.kind === "event");
  return event?.kind === "event" ? `Event: ${event.event}` : "";
}

function turnMetrics({ messages, rootSpan }: ConversationTurn): TurnMetrics {
  const spans = rootSpan ? below(rootSpan) : [];
  return {
    at: milliseconds(rootSpan?.startTime ?? messages[0]?.eventTime),
    took: rootSpan ? tookOf(rootSpan) : 0,
    agent: textOf(rootSpan?.attributes?.agent),
    escalated: messages.some(({ chunks }) => chunks.some(({ data }) => isEscalation(data))),
    stopped: spans.some(({ name, attributes }) => name === "Guardrail" && attributes?.triggered === true),
    transfers: spans.filter(({ name }) => name === "Transfer").length,
    spans: spans.flatMap(spanMetrics),
  };
}

function below(span: Span): readonly Span[] {
  return span.childSpans.flatMap((child) => [child, ...below(child)]);
}

type ChunkData = ConversationTurn["messages"][number]["chunks"][number]["data"];

/** A session is escalated to a person by its `end_session` call. */
function isEscalation(data: ChunkData): boolean {
  if (data.case !== "toolCall") return false;
  const { displayName, args } = data.value;
  return displayName.endsWith("end_session") && String(args?.session_escalated) === "true";
}

const KINDS: Readonly<Record<string, SpanMetrics["kind"]>> = {
  LLM: "llm",
  Tool: "tool",
  Callback: "callback",
  Guardrail: "guardrail",
};

function spanMetrics(span: Span): readonly SpanMetrics[] {
  const kind = KINDS[span.name];
  if (!kind) return [];
  const { attributes = {} } = span;
  const name = kind === "llm" ? attributes.model : kind === "callback" ? attributes.stage : attributes.name;
  return [
    {
      kind,
      name: textOf(name),
      agent: textOf(attributes.agent),
      took: tookOf(span),
      error: errorOf(attributes),
      inputTokens: numberOf(attributes["input token count"]),
      outputTokens: numberOf(attributes["output token count"]),
    },
  ];
}

/** The error of the span, or the error in the response of its tool. */
function errorOf({ error, response }: NonNullable<Span["attributes"]>): string {
  if (error !== undefined) return textOf(error) || "failed";
  const result = typeof response === "object" && response !== null && !Array.isArray(response) ? response : {};
  return result.status === "error" ? textOf(result.error) || "failed" : "";
}

function tookOf({ startTime, endTime }: Span): number {
  return Math.max(0, milliseconds(endTime) - milliseconds(startTime));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
}

function numberOf(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
