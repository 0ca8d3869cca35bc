import { type Clock, definedFields, type Ids, type JsonObject, thrownMessage, unreachable } from "#base";
import type { FinishReason, LanguageModel, ModelPart, ModelRequest, StreamPart, Usage } from "#models";
import { ConnectError, failedPrecondition, unavailable } from "#status";
import type { PreparedCallback } from "../callbacks/agent-callbacks.ts";
import { fromLlmResponse, type ModelOutput, textOf, toLlmResponse } from "../callbacks/python-content.ts";
import { type CallbackTurn, runCallbacks } from "../callbacks/run-callbacks.ts";
import type { TurnEvent } from "../contract.ts";
import type { PreparedGuardrail } from "../guardrails/prepare-guardrails.ts";
import { answerAttributes, promptAttributes } from "../trace.ts";
import type { Turn, TurnView } from "../turn/turn-context.ts";
import { ModelFailure } from "./model-failure.ts";

/** A whole model answer, and what of its text the client has already seen. */
export interface ModelAnswer extends ModelOutput {
  readonly finish: FinishReason;
  /** The provider's own word for `finish`, or what was malformed. */
  readonly rawFinish: string;
  /** The texts that the client saw while they were written, one a text part. */
  readonly streamed: readonly string[];
}

/** What a model call needs of its turn. */
type ModelCallTurn = CallbackTurn &
  Pick<Turn, "variables" | "request"> & {
    readonly state: Pick<Turn["state"], "inputCheck" | "markOutput">;
    readonly engine: Pick<Turn["engine"], "ids" | "clock">;
  };

/** Calls the model and collects its parts; with `streams`, yields its text as it comes. */
export async function* callModel(
  turn: ModelCallTurn,
  model: LanguageModel,
  request: ModelRequest,
  streams: boolean,
): AsyncGenerator<TurnEvent, ModelAnswer> {
  const { state, engine, turnIndex } = turn;
  const { agent, inputCheck } = state;
  const span = turn.spans.start("LLM");
  const trace = new CallTrace(agent.displayName, model.label, engine.clock);
  const prompts = (answer: readonly ModelPart[]): JsonObject =>
    turn.request.tracePrompts ? { prompt: promptAttributes(request), answer: answerAttributes(answer) } : {};
  const parts: ModelPart[] = [];
  const streamed: string[] = [];
  let withheld: Delta[] = [];
  const thinksAloud = showsThoughts(turn);
  const proactive = agent.callbacks.after_model.some(isProactive);
  const signal = inputCheck ? AbortSignal.any([turn.signal, inputCheck.blocked]) : turn.signal;
  try {
    for await (const part of model.stream(request, { signal, streaming: streams })) {
      trace.observe(part);
      collect(parts, part, engine.ids);
      const isShown = part.kind === "thought-delta" ? thinksAloud : streams;
      if (!isShown || !("text" in part)) continue;
      withheld.push({ kind: part.kind, text: part.text, position: parts.length - 1 });
      if (inputCheck && !inputCheck.passed()) continue;
      const released = withheld;
      withheld = [];
      for (const delta of released) {
        if (delta.kind === "thought-delta") {
          yield { kind: "progress", text: delta.text, turnIndex };
          continue;
        }
        const text = proactive ? await shownText(turn, delta.text) : delta.text;
        if (text === "") continue;
        streamed[delta.position] = (streamed[delta.position] ?? "") + text;
        state.markOutput();
        yield { kind: "text-delta", agent: agent.displayName, text, turnIndex };
      }
    }
  } catch (error) {
    const message = thrownMessage(error);
    span.end({ ...trace.attributes(), ...prompts(parts), error: message });
    throw asFailure(error, turn.signal);
  }
  span.end({ ...trace.attributes(), ...prompts(parts) });
  const { finish, rawFinish } = trace;
  return { parts, partial: false, finish, rawFinish, streamed: streamed.filter(Boolean) };
}

/** A piece of text and the part of the answer it belongs to, or a piece of a thought. */
interface Delta {
  readonly kind: "text-delta" | "thought-delta";
  readonly text: string;
  readonly position: number;
}

/** A status error becomes the app's to handle; an aborted turn and a defect of ours do not. */
function asFailure(error: unknown, signal: AbortSignal): unknown {
  if (signal.aborted || !(error instanceof ConnectError)) return error;
  return ModelFailure.of(error);
}

/** An empty answer is an error of the model (TURN-9). One that was blocked would be blocked again, so no client is told to try again (TURN-92). */
export function emptyAnswer(
  { label }: LanguageModel,
  { finish, rawFinish }: Pick<ModelAnswer, "finish" | "rawFinish">,
): ModelFailure {
  const message = `The model ${label} returned an empty answer (${finish})${WHY_EMPTY[finish]?.(rawFinish) ?? ". Try again."}`;
  const info = { reason: "EMPTY_RESPONSE", metadata: { model: label, finish_reason: finish } };
  const error = finish === "safety" ? failedPrecondition(message, info) : unavailable(message, info);
  return new ModelFailure("empty_response", error);
}

/** What an empty answer's finish reason says beyond itself. */
const WHY_EMPTY: Readonly<Partial<Record<FinishReason, (rawFinish: string) => string>>> = {
  length: () => ": it used all of its tokens before it said anything.",
  malformed: (what) => `: ${what}`,
  safety: (what) =>
    `: the provider blocked it${what && ` (${what})`}, and would block the same conversation again. Send other words, or start a new session.`,
  other: (what) => `${what && `: it ended with ${what}`}. Try again.`,
};

/**
 * Whether text may reach the client before the output is whole (GUARD-4): the client asks for it, and no guardrail waits for the answer.
 * after_model callbacks do not delay what a client reads, as hosted: they see the whole afterwards, and what they add is sent then. They delay what is
 * spoken, which nobody asked to get in pieces (TURN-70).
 */
export function mayStream({ request, state }: Pick<TurnView, "request" | "state">): boolean {
  const { guardrails, callbacks } = state.agent;
  if (!request.streamText || guardrails.some(waitsForAnswer)) return false;
  return !request.config.outputAudioConfig || callbacks.after_model.length === 0;
}

/**
 * Whether summaries of the model's thoughts reach the client (SESS-25): it asks for them, and no guardrail waits for the answer, because none judges
 * thoughts. They do not count as output.
 */
export function showsThoughts({ request, state }: Pick<TurnView, "request" | "state">): boolean {
  return request.config.includeLlmThoughtSummary && !state.agent.guardrails.some(waitsForAnswer);
}

function waitsForAnswer({ stages, codeStages }: PreparedGuardrail): boolean {
  return stages.has("agent-response") || codeStages?.has("after-model") === true;
}

function isProactive({ proactive }: PreparedCallback): boolean {
  return proactive;
}

/** A delta as proactive callbacks let it through. */
async function shownText(turn: CallbackTurn & Pick<Turn, "variables">, text: string): Promise<string> {
  const output: ModelOutput = { parts: [{ kind: "text", text }], partial: true };
  const override = await runCallbacks(turn, turn.state.agent, {
    stage: "after_model",
    variables: turn.variables,
    args: () => [{ kind: "callback-context" }, { kind: "llm-response", value: toLlmResponse(output) }],
    accept: fromLlmResponse,
    only: isProactive,
  });
  return textOf((override ?? output).parts);
}

/** Adds a stream part to the answer: deltas of one text are one part, its last signature counts. */
function collect(parts: ModelPart[], part: StreamPart, ids: Ids): void {
  switch (part.kind) {
    case "text-delta": {
      const last = parts.at(-1);
      const signed = part.signature === undefined ? undefined : { signature: part.signature };
      if (last?.kind === "text") parts[parts.length - 1] = { ...last, text: last.text + part.text, ...signed };
      else if (part.text !== "") parts.push({ kind: "text", text: part.text, ...signed });
      return;
    }
    case "function-call": {
      const { id, name, args, unreadableArgs, signature } = part;
      parts.push({
        kind: "function-call",
        id: id || newCallId(ids),
        name,
        args,
        ...definedFields({ unreadableArgs, signature }),
      });
      return;
    }
    case "thought-delta":
    case "finish":
      return;
    default:
      unreachable(part);
  }
}

/** An id for a call that came without one, in the form that hosted traces show. */
export function newCallId(ids: Pick<Ids, "uuid">): string {
  return `adk-${ids.uuid()}`;
}

/** What the LLM span has (CONV-8). */
class CallTrace {
  finish: FinishReason = "other";
  rawFinish = "";
  #finished = false;
  readonly #agent: string;
  readonly #model: string;
  readonly #clock: Clock;
  readonly #startedAt: number;
  #firstChunkMs: number | undefined;
  #usage: Usage = {};

  constructor(agent: string, model: string, clock: Clock) {
    this.#agent = agent;
    this.#model = model;
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  observe(part: StreamPart): void {
    this.#firstChunkMs ??= this.#clock.now() - this.#startedAt;
    if (part.kind !== "finish") return;
    this.finish = part.reason;
    this.rawFinish = part.rawReason;
    this.#finished = true;
    this.#usage = part.usage;
  }

  attributes(): JsonObject {
    const { inputTokens, outputTokens } = this.#usage;
    return {
      agent: this.#agent,
      model: this.#model,
      ...definedFields({ "input token count": inputTokens, "output token count": outputTokens }),
      ...(this.#finished && { "finish reason": this.finish }),
      ...(this.#firstChunkMs !== undefined && { "time to first chunk (ms)": Math.round(this.#firstChunkMs) }),
    };
  }
}
