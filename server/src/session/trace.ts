import { create } from "@bufbuild/protobuf";
import { type Duration, DurationSchema, type Timestamp, TimestampSchema } from "@bufbuild/protobuf/wkt";
import { type Span, SpanSchema } from "@frontdesk/protos/ces/common";
import { type Clock, definedFields, type JsonObject } from "#base";
import type { ModelMessage, ModelPart, ModelRequest } from "#models";
import type { OutputLine, PythonFrame } from "#sandbox";
import type { NestedCall, ToolCall, ToolOutcome } from "#tools";

/** A span that has not ended. */
interface OpenSpan {
  /** Ends it, once. Attribute names are those that official tooling reads (CONV-7). */
  end(attributes: JsonObject): void;
}

/** A piece of work that the channel of a conversation by voice did. Times are milliseconds since the epoch. */
export interface ChannelSpan {
  readonly name: "SpeechToText" | "TextToSpeech" | "Interruption";
  readonly startedAt: number;
  readonly endedAt: number;
  readonly attributes: JsonObject;
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

  /** Adds a span of the channel. */
  add({ name, startedAt, endedAt, attributes }: ChannelSpan): void {
    const span = create(SpanSchema, { name, startTime: toTimestamp(startedAt) });
    close(span, startedAt, endedAt, attributes);
    this.#children.push(span);
  }

  /** Adds a warning to the root span, once: something was left out of the turn. */
  warn(warning: string): void {
    this.#warnings.add(warning);
  }

  /** Ends the turn and returns its whole trace. */
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

/** How many of the tools that one piece of code called a span shows each by itself. */
const TRACED_CALLS = 20;

/** The attributes of a run of Python: printed and logged lines, its own and those of the tools that it called. */
export function pythonAttributes({ output, calls = [] }: TracedRun): JsonObject {
  return {
    ...(output.length > 0 && { output: output.map(({ text }) => text) }),
    ...(calls.length > 0 && {
      calls: [...calls.slice(0, TRACED_CALLS).map(nestedCall), ...countedCalls(calls.slice(TRACED_CALLS))],
    }),
  };
}

interface TracedRun {
  readonly output: readonly OutputLine[];
  readonly calls?: readonly NestedCall[];
}

/** Without arguments and responses: the code that called it may use them in any way. */
function nestedCall({ name, outcome }: NestedCall): JsonObject {
  return {
    name,
    ...pythonAttributes(outcome),
    ...(outcome.trace?.warnings !== undefined && { warnings: outcome.trace.warnings }),
    ...(outcome.kind === "failed" && { error: outcome.error, ...tracebackAttributes(outcome.frames) }),
  };
}

/** The calls beyond those, and all inside them: how often each tool ran, and failed, with its first error. */
function countedCalls(calls: readonly NestedCall[]): readonly JsonObject[] {
  const counts = new Map<string, JsonObject & { times: number }>();
  const count = ({ name, outcome }: NestedCall) => {
    for (const inner of outcome.calls ?? []) count(inner);
    const failed = outcome.kind === "failed";
    const key = `${failed} ${name}`;
    const counted = counts.get(key) ?? { name, times: 0, ...(failed && { error: outcome.error }) };
    counts.set(key, { ...counted, times: counted.times + 1 });
  };
  for (const call of calls) count(call);
  return [...counts.values()];
}

/** The attributes of a traceback. */
export function tracebackAttributes(frames: readonly PythonFrame[]): JsonObject {
  return frames.length > 0 ? { frames: frames.map((frame) => ({ ...frame })) } : {};
}

/** What the span of every tool call has. Attribute names are those that official tooling reads (CONV-9). */
export function toolCallAttributes(
  agent: string,
  { name, args }: Pick<ToolCall, "name" | "args">,
  response: JsonObject,
): JsonObject {
  return { name, agent, args, response };
}

/** What the span of a tool call has beside the response when a tool ran. */
export function toolOutcomeAttributes(outcome: ToolOutcome): JsonObject {
  return {
    ...(outcome.faked && { fake: true }),
    ...pythonAttributes(outcome),
    ...outcome.trace,
    ...(outcome.kind === "failed" && { error: outcome.error, ...tracebackAttributes(outcome.frames) }),
  };
}

/** Most characters of messages in one span, the newest. A conversation of thousands of turns must not be stored once a turn. */
const MOST_PROMPT_CHARACTERS = 400_000;

/**
 * The attributes of a prompt: system prompt, messages, offered tools and settings as sent to the
 * provider, after all callbacks. Files are shown by type and size, thought signatures are left out; `omitted` counts the
 * oldest messages that did not fit.
 */
export function promptAttributes(request: ModelRequest): JsonObject {
  const { system, tools, temperature, maxOutputTokens, thinkingLevel, responseSchema } = request;
  const messages = newest(request.messages.map(messageOf));
  const omitted = request.messages.length - messages.length;
  return {
    system,
    messages,
    ...(omitted > 0 && { omitted }),
    tools: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    ...definedFields({
      temperature,
      "max output tokens": maxOutputTokens,
      "thinking level": thinkingLevel,
      "response schema": responseSchema,
    }),
  };
}

/** The attributes of a model's answer, before callbacks change it. */
export function answerAttributes(parts: readonly ModelPart[]): JsonObject[] {
  return parts.map(partOf);
}

function messageOf({ role, parts }: ModelMessage): JsonObject {
  return { role, parts: parts.map(partOf) };
}

function partOf(part: ModelPart): JsonObject {
  switch (part.kind) {
    case "text":
      return { text: part.text };
    case "blob":
      return { file: part.mimeType, bytes: part.data.byteLength };
    case "function-call":
      return { call: part.name, args: part.args };
    case "function-response":
      return { result: part.name, response: part.response };
  }
}

function newest(messages: readonly JsonObject[]): JsonObject[] {
  let left = MOST_PROMPT_CHARACTERS;
  const from = messages.findLastIndex((message) => {
    left -= JSON.stringify(message).length;
    return left < 0;
  });
  return messages.slice(from + 1);
}
