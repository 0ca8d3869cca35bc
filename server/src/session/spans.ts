import { create } from "@bufbuild/protobuf";
import { type Duration, DurationSchema, type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { type Span, SpanSchema } from "@frontdesk/protos/ces/common";
import type { Clock, JsonObject } from "#base";
import type { ChannelSpan } from "./turn/voice-turn.ts";

/** A piece of work that is under way. */
export interface OpenSpan {
  /** Ends it, once. Attribute names are those that official tooling reads (CONV-7). */
  end(attributes: JsonObject): void;
}

/** The trace of a turn: one root, with a child for each callback, model call, tool call and guardrail, in order of their start. */
export class Spans {
  readonly #clock: Clock;
  readonly #startedAt: number;
  readonly #children: Span[] = [];
  readonly #warnings = new Set<string>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  /** Milliseconds since the epoch at which the turn began. */
  get startedAt(): number {
    return this.#startedAt;
  }

  /** `startedAt`: when the work began, for work that only turned out later to be worth a span. Default now. */
  start(name: string, startedAt = this.#clock.now()): OpenSpan {
    const span = create(SpanSchema, { name, startTime: toTimestamp(startedAt) });
    this.#children.push(span);
    return { end: (attributes) => close(span, startedAt, this.#clock.now(), attributes) };
  }

  /** Work that was done elsewhere. */
  add({ name, startedAt, endedAt, attributes }: ChannelSpan): void {
    const span = create(SpanSchema, { name, startTime: toTimestamp(startedAt) });
    close(span, startedAt, endedAt, attributes);
    this.#children.push(span);
  }

  /** Something that was left out of the turn and that whoever reads the trace has to know. */
  warn(warning: string): void {
    this.#warnings.add(warning);
  }

  /** Ends the turn and answers its whole trace. */
  root(name: string, attributes: JsonObject): Span {
    const span = create(SpanSchema, { name, startTime: toTimestamp(this.#startedAt) });
    const warnings = this.#warnings.size > 0 ? { warnings: [...this.#warnings] } : undefined;
    close(span, this.#startedAt, this.#clock.now(), { ...attributes, ...warnings });
    span.childSpans = this.#children;
    return span;
  }
}

function close(span: Span, startedAt: number, endedAt: number, attributes: JsonObject): void {
  span.endTime = toTimestamp(endedAt);
  span.duration = toDuration(endedAt - startedAt);
  span.attributes = attributes;
}

/** A time in milliseconds as a protobuf timestamp, to the microsecond. */
export function toTimestamp(milliseconds: number): Timestamp {
  return { $typeName: TimestampSchema.typeName, ...secondsAndNanos(milliseconds) };
}

function toDuration(milliseconds: number): Duration {
  return { $typeName: DurationSchema.typeName, ...secondsAndNanos(milliseconds) };
}

function secondsAndNanos(milliseconds: number): { readonly seconds: bigint; readonly nanos: number } {
  const seconds = Math.floor(milliseconds / 1000);
  return { seconds: BigInt(seconds), nanos: Math.floor((milliseconds - seconds * 1000) * 1000) * 1000 };
}
