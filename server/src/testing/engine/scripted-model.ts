import type { JsonObject } from "#base";
import { type LanguageModel, LLM_CAPABILITIES, type ModelRequest, type StreamOptions, type StreamPart } from "#models";

/** One response of a scripted model: its parts, an error to throw, or a function of the request that returns either. */
export type ScriptedAnswer =
  | readonly StreamPart[]
  | Error
  | ((
      request: ModelRequest,
      options: StreamOptions,
    ) => readonly StreamPart[] | Error | Promise<readonly StreamPart[] | Error>);

/** A model with a script: each call gets the next response. An unexpected call fails the test, and so do unused responses. */
export class ScriptedModel implements LanguageModel {
  readonly label = "test/scripted";
  readonly capabilities = { ...LLM_CAPABILITIES, safetySettings: true };
  /** Every request so far. */
  readonly requests: ModelRequest[] = [];
  readonly #answers: ScriptedAnswer[];

  constructor(...answers: readonly ScriptedAnswer[]) {
    this.#answers = [...answers];
  }

  /** Adds responses to the script. */
  extend(...answers: readonly ScriptedAnswer[]): void {
    this.#answers.push(...answers);
  }

  async *stream(request: ModelRequest, options: StreamOptions): AsyncGenerator<StreamPart, void> {
    this.requests.push(request);
    const next = this.#answers.shift();
    if (!next) throw new Error(`call ${this.requests.length} of the scripted model is not in its script`);
    const answer = typeof next === "function" ? await next(request, options) : next;
    if (answer instanceof Error) throw answer;
    for (const part of answer) {
      options.signal.throwIfAborted();
      yield part;
    }
    if (answer.at(-1)?.kind !== "finish") yield finishOf(answer);
  }

  /** Throws when responses of the script were not used. */
  assertDone(): void {
    if (this.#answers.length > 0)
      throw new Error(`${this.#answers.length} answers of the scripted model were not asked for`);
  }

  [Symbol.dispose](): void {
    this.assertDone();
  }
}

/** Text, in as many deltas as there are arguments. */
export function say(...deltas: readonly string[]): readonly StreamPart[] {
  return deltas.map((text) => ({ kind: "text-delta", text }));
}

/** A function call. */
export function call(name: string, args: JsonObject = {}, id = `call-${name}`): readonly StreamPart[] {
  return [{ kind: "function-call", id, name, args }];
}

function finishOf(parts: readonly StreamPart[]): StreamPart {
  const calls = parts.some(({ kind }) => kind === "function-call");
  return {
    kind: "finish",
    reason: calls ? "tool-calls" : "stop",
    rawReason: "STOP",
    usage: { inputTokens: 7, outputTokens: 3 },
  };
}
