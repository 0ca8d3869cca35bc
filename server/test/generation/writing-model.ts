import { type LanguageModel, LLM_CAPABILITIES, type ModelRequest, type StreamOptions, type StreamPart } from "#models";
import { createBuiltinModel } from "#offline";

/** An answer of the writing model: JSON, a text, a failure, or a function of what it was asked. */
type Written =
  | object
  | string
  | Error
  | ((request: ModelRequest, options: StreamOptions) => object | string | Promise<object | string>);

/**
 * A model for tests of what generations do with answers: what it writes is scripted, its agents are led by the built-in model, and its judge likes
 * everything. The wires of providers have tests of their own.
 */
export class WritingModel implements LanguageModel {
  readonly label = "test/writing";
  readonly #builtin = createBuiltinModel();
  readonly capabilities = { ...LLM_CAPABILITIES, dialogueContext: true };
  /** What it was asked to write, in order. */
  readonly asked: ModelRequest[] = [];
  /** What it writes next. */
  answers: Written[] = [];

  async *stream(request: ModelRequest, options: StreamOptions): AsyncGenerator<StreamPart, void> {
    const { caller = "", responseSchema } = request;
    if (caller.startsWith("judge")) return yield* said('{"explanation": "It fits.", "score": 4}');
    if (!responseSchema) return yield* this.#builtin.stream(request, options);
    this.asked.push(request);
    const next = this.answers.shift();
    const answer = typeof next === "function" ? await next(request, options) : next;
    if (answer === undefined) throw new Error("no answer is left in the script of the writing model");
    if (answer instanceof Error) throw answer;
    yield* said(typeof answer === "string" ? answer : JSON.stringify(answer));
  }

  /** The material of the last request. */
  get material(): string {
    const part = this.asked.at(-1)?.messages[0]?.parts[0];
    return part?.kind === "text" ? part.text : "";
  }
}

function* said(text: string): Generator<StreamPart, void> {
  yield { kind: "text-delta", text };
  yield { kind: "finish", reason: "stop", rawReason: "STOP", usage: { inputTokens: 100, outputTokens: 50 } };
}
