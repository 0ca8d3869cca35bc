import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { Span } from "@frontdesk/protos/ces/common";
import { milliseconds } from "../../api/timestamp.ts";
import { responseError } from "./response-error.ts";
import { loadFailures } from "./turn-failures.ts";

/** A span as a row of the waterfall; times in milliseconds, `from` and `share` as fractions of the turn. */
export interface SpanRow {
  readonly key: string;
  readonly span: Span;
  readonly depth: number;
  /** The span's name in small letters: what colours and details go by. */
  readonly kind: string;
  readonly label: string;
  readonly from: number;
  readonly share: number;
  readonly took: number;
  readonly failed: boolean;
}

const LABEL_ATTRIBUTES = ["name", "stage", "model", "target", "provider", "agent"];

/** The spans of a turn in order, each under its parent. */
export function spanRows(root: Span): readonly SpanRow[] {
  const start = milliseconds(root.startTime);
  const total = Math.max(milliseconds(root.endTime) - start, 0.001);
  return flatten(root, 0, "0").map(({ span, depth, key }) => {
    const begins = milliseconds(span.startTime);
    const took = Math.max(0, milliseconds(span.endTime) - begins);
    const kind = span.name.toLowerCase();
    return {
      key,
      span,
      depth,
      kind,
      label: labelOf(span),
      // Speech that was recognised before the turn began is shown at its start.
      from: Math.max(0, (begins - start) / total),
      share: took / total,
      took,
      failed: isFailed(span),
    };
  });
}

function flatten(span: Span, depth: number, key: string): { span: Span; depth: number; key: string }[] {
  return [
    { span, depth, key },
    ...span.childSpans.flatMap((child, index) => flatten(child, depth + 1, `${key}.${index}`)),
  ];
}

function labelOf({ attributes = {} }: Span): string {
  const label = LABEL_ATTRIBUTES.map((name) => attributes[name]).find(
    (value) => typeof value === "string" && value !== "",
  );
  return typeof label === "string" ? label : "";
}

/** A span failed when it carries an error or met code that does not load, a tool when it answers an error, and a guardrail "fails" when it triggered. */
function isFailed(span: Span): boolean {
  const { attributes = {} } = span;
  if (loadFailures(span).length > 0) return true;
  if (attributes.error !== undefined || attributes.triggered === true) return true;
  return responseError(objectOf(attributes.response)) !== undefined;
}

/** Duration, tokens and calls of a turn, from its trace. */
interface TurnCost {
  readonly milliseconds: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly modelCalls: number;
  readonly toolCalls: number;
}

/** Adds up a turn's trace. */
export function costOf(root: Span): TurnCost {
  const spans = flatten(root, 0, "0").map(({ span }) => span);
  const llm = spans.filter(({ name }) => name === "LLM");
  const sum = (name: string) => llm.reduce((all, { attributes = {} }) => all + Number(attributes[name] ?? 0), 0);
  return {
    milliseconds: milliseconds(root.endTime) - milliseconds(root.startTime),
    inputTokens: sum("input token count"),
    outputTokens: sum("output token count"),
    modelCalls: llm.length,
    toolCalls: spans.filter(({ name }) => name === "Tool").length,
  };
}

/** Milliseconds as people read them. */
export function timeText(took: number): string {
  if (took >= 10_000) return `${(took / 1_000).toFixed(1)} s`;
  return took < 10 ? `${took.toFixed(1)} ms` : `${took.toFixed(0)} ms`;
}

/** An attribute that should be an object; an empty one for everything else. */
export function objectOf(value: JsonValue | undefined): JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

/** An attribute that should be a list of texts. */
export function textsOf(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map((item) => (typeof item === "string" ? item : JSON.stringify(item))) : [];
}
