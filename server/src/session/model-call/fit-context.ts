import { writeJson } from "#base";
import { type LanguageModel, type ModelMessage, type ModelPart, type ModelRequest, shareThatFits } from "#models";
import type { TurnEvent } from "../contract.ts";
import type { Turn } from "../turn/turn-context.ts";
import { callModel, type ModelAnswer } from "./call-model.ts";
import { ModelFailure } from "./model-failure.ts";
import { isContext } from "./other-agents.ts";

/** Most calls for one answer: each leaves out more of the conversation. */
const MOST_CALLS = 6;

/** When a conversation is tried whole again: its model may have got a larger context under its name. */
const TRIED_AGAIN_AFTER_MS = 3_600_000;

type FittingTurn = Parameters<typeof callModel>[0] & {
  readonly state: Pick<Turn["state"], "leftOut" | "leaveOut" | "leaveNothingOut">;
};

/**
 * Calls the model, and calls it again with a shorter conversation when it refuses the whole one as longer than its context (TURN-49): a conversation
 * that has outgrown a model would fail in every turn from then on. The user's present input and what came of it are never left out. Later calls of the
 * agent, in this turn and in others, begin where this one did; after an hour the whole conversation is tried once more.
 */
export async function* callModelWithinContext(
  turn: FittingTurn,
  model: LanguageModel,
  request: ModelRequest,
  streams: boolean,
): AsyncGenerator<TurnEvent, ModelAnswer> {
  const { state } = turn;
  const now = turn.engine.clock.now();
  const reader = `${state.agent.name} ${model.label}`;
  const { messages = 0, since = now } = state.leftOut[reader] ?? {};
  let start = now - since < TRIED_AGAIN_AFTER_MS ? messages : 0;
  for (let calls = 1; ; calls++) {
    if (!isStart(request.messages, start)) start = 0;
    if (start > 0)
      turn.spans.warn(
        `The conversation is longer than the context of ${model.label}: the oldest ${start} of its ${request.messages.length} messages were left out of a call.`,
      );
    let emitted = false;
    const events = callModel(turn, model, startingAt(request, start), streams);
    try {
      for (let next = await events.next(); ; next = await events.next()) {
        if (next.done) {
          if (start === 0 && messages > 0) state.leaveNothingOut(reader);
          return next.value;
        }
        emitted = true;
        yield next.value;
      }
    } catch (error) {
      const later = emitted || calls === MOST_CALLS ? undefined : laterStart(request.messages, start, error);
      if (later === undefined) throw error;
      start = later;
      state.leaveOut(reader, { messages: start, since: now });
    } finally {
      await events.return(NO_ANSWER);
    }
  }
}

/** What a generator returns that nobody reads to its end. */
const NO_ANSWER: ModelAnswer = { parts: [], partial: false, finish: "other", rawFinish: "", streamed: [] };

/** The request with its conversation from a message on, and the values that were told before. */
function startingAt(request: ModelRequest, start: number): ModelRequest {
  const { messages } = request;
  const first = messages[start];
  if (start === 0 || !first) return request;
  const updates = latestUpdates(messages.slice(0, start));
  return { ...request, messages: [{ ...first, parts: [...updates, ...first.parts] }, ...messages.slice(start + 1)] };
}

/** Where a conversation that began at `from` begins with as much of its end as may fit; undefined when there is nothing that can be left out. */
function laterStart(messages: readonly ModelMessage[], from: number, error: unknown): number | undefined {
  const share = shareThatFits(error instanceof ModelFailure ? error.statusError : error);
  if (share === undefined) return undefined;
  const starts = [...messages.keys()].filter((at) => at > from && isStart(messages, at));
  const sizes = messages.map(sizeOf);
  let left = sizes.slice(from).reduce((sum, size) => sum + size, 0) * share;
  let at = messages.length;
  while (at > from && left >= (sizes[at - 1] ?? 0)) left -= sizes[--at] ?? 0;
  return starts.find((each) => each >= at) ?? starts.at(-1);
}

/** Whether a conversation may begin at a message: one of the user, and no response whose call would be missing. */
function isStart(messages: readonly ModelMessage[], at: number): boolean {
  const message = messages[at];
  return at === 0 || (message !== undefined && beginsExchange(message));
}

function beginsExchange(message: ModelMessage): boolean {
  return (
    message.role === "user" && !isContext(message) && message.parts.every(({ kind }) => kind !== "function-response")
  );
}

/** Instructions refer to these values by name, wherever in the conversation they were told (TURN-34). */
function latestUpdates(messages: readonly ModelMessage[]): readonly ModelPart[] {
  const latest = new Map<string, ModelPart>();
  for (const part of messages.flatMap(({ parts }) => parts)) {
    const name = part.kind === "text" ? /^<state_update>([\w-]+): /.exec(part.text)?.[1] : undefined;
    if (name !== undefined) latest.set(name, part);
  }
  return [...latest.values()];
}

/** What an image or a document counts for, in characters of text. */
const BLOB_SIZE = 4_000;

/** Approximate size, in characters. */
function sizeOf({ parts }: ModelMessage): number {
  return parts.reduce((sum, part) => sum + partSize(part), 0);
}

function partSize(part: ModelPart): number {
  switch (part.kind) {
    case "text":
      return part.text.length;
    case "blob":
      return BLOB_SIZE;
    case "function-call":
      return writeJson(part.args).length;
    case "function-response":
      return writeJson(part.response).length;
  }
}
