import type { JsonObject } from "#base";
import { type LanguageModel, LLM_CAPABILITIES, type ModelRequest, type StreamOptions, type StreamPart } from "#models";

/**
 * A model that does what the user says: `say …`, `call NAME {…}`, `wait …` (until `release`), `fail`. It tells the result of a call as JSON, and
 * anything else it answers with `You said: …`. Every request is kept.
 */
export class ActingModel implements LanguageModel {
  readonly label = "test/acting";
  readonly capabilities = { ...LLM_CAPABILITIES, safetySettings: true };
  readonly requests: ModelRequest[] = [];
  #calls = 0;
  #waiting = Promise.withResolvers<void>();
  #gate = Promise.withResolvers<void>();

  /** Resolves when an answer waits. */
  get waits(): Promise<void> {
    return this.#waiting.promise;
  }

  /** Lets the answer that waits go on; the next one waits again. */
  release(): void {
    this.#gate.resolve();
    this.#gate = Promise.withResolvers();
    this.#waiting = Promise.withResolvers();
  }

  async *stream(request: ModelRequest, { signal }: StreamOptions): AsyncGenerator<StreamPart, void> {
    this.requests.push(request);
    const parts = this.#answer(request);
    for (const part of parts) {
      signal.throwIfAborted();
      if (part.kind === "text-delta" && part.text === WAIT) await this.#wait(signal);
      else yield part;
    }
    const called = parts.some(({ kind }) => kind === "function-call");
    yield { kind: "finish", reason: called ? "tool-calls" : "stop", rawReason: "STOP", usage: {} };
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const aborted = new Promise<void>((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    });
    this.#waiting.resolve();
    await Promise.race([this.#gate.promise, aborted]);
  }

  #answer({ messages }: ModelRequest): readonly StreamPart[] {
    const last = messages.at(-1)?.parts ?? [];
    const response = last.at(-1);
    if (response?.kind === "function-response") return text(`${response.name}: ${JSON.stringify(response.response)}`);
    const content = last.filter(({ kind }) => kind !== "function-response");
    const said = content.map((part) => (part.kind === "text" ? part.text : `[${part.kind}]`)).join(" | ");
    const [, verb, rest = ""] = /^(say|call|wait|fail)\b *(.*)$/s.exec(said) ?? [];
    switch (verb) {
      case "say":
        return rest.split(/(?<= )/).flatMap(text);
      case "wait":
        return [...text("One moment. "), ...text(WAIT), ...text(rest)];
      case "fail":
        throw new TypeError("the model is broken");
      case "call":
        return [this.#call(rest)];
      default:
        return text(`You said: ${said}`);
    }
  }

  #call(line: string): StreamPart {
    const [, name = "", args = "{}"] = /^(\S+) *(\{.*\})?$/s.exec(line) ?? [];
    this.#calls += 1;
    return { kind: "function-call", id: `call-${this.#calls}`, name, args: JSON.parse(args) as JsonObject };
  }
}

const WAIT = "\u0000wait";

function text(words: string): readonly StreamPart[] {
  return [{ kind: "text-delta", text: words }];
}
