import { isJsonObject, type JsonObject } from "#base";
import { failureFromAnswer } from "./call-failure.ts";
import type { StreamPart, Usage } from "./contract.ts";
import type { HttpAnswer } from "./http-answer.ts";
import type { HttpCalls, HttpRequest } from "./http-call.ts";
import type { Attempt } from "./retry.ts";
import { SseParser } from "./sse.ts";

/** A provider's answer, from them to us. One reader reads one answer. */
export interface AnswerReader {
  /** Reads the JSON of one event, or of a whole answer. Appends what it says to `parts`. Throws `CallFailure` for an error inside. */
  read(json: JsonObject, parts: StreamPart[]): void;
  /** Appends what was held back and the closing `finish` part. Called once, after the last event. */
  finish(parts: StreamPart[]): void;
  /** Tokens counted so far. */
  usage(): Usage;
}

/** One call of a provider over HTTP. */
export interface HttpCall {
  readonly http: HttpCalls;
  readonly request: HttpRequest;
  readonly reader: AnswerReader;
  /** Whether the answer comes as events; otherwise it is one JSON document. */
  readonly streaming: boolean;
  /** Milliseconds since the epoch: what a `Retry-After` date is measured from. */
  readonly now: () => number;
}

/** Sends the request. Resolves when the provider began to answer; rejects with `CallFailure` when it refused. */
export async function openHttpAttempt(call: HttpCall): Promise<Attempt> {
  const answer = await call.http.post(call.request);
  if (answer.status < 200 || answer.status > 299) {
    throw failureFromAnswer(answer.status, answer.headers, await answer.text(), call.now());
  }
  return call.streaming ? new EventsAttempt(answer, call.reader) : new WholeAttempt(answer, call.reader);
}

/** The answer as one JSON document. */
class WholeAttempt implements Attempt {
  readonly #answer: HttpAnswer;
  readonly #reader: AnswerReader;
  #done = false;

  constructor(answer: HttpAnswer, reader: AnswerReader) {
    this.#answer = answer;
    this.#reader = reader;
  }

  async read(): Promise<readonly StreamPart[] | undefined> {
    if (this.#done) return undefined;
    const text = await this.#answer.text();
    this.#done = true;
    const parts: StreamPart[] = [];
    const json = parseObject(text);
    if (!json) return [malformed(this.#reader, text)];
    this.#reader.read(json, parts);
    this.#reader.finish(parts);
    return parts;
  }

  close(): void {
    this.#answer.abort();
  }
}

/** What OpenAI's wire sends after the last event. */
const DONE = "[DONE]";

/** The answer as server-sent events. */
class EventsAttempt implements Attempt {
  readonly #answer: HttpAnswer;
  readonly #reader: AnswerReader;
  readonly #parser = new SseParser();
  #done = false;

  constructor(answer: HttpAnswer, reader: AnswerReader) {
    this.#answer = answer;
    this.#reader = reader;
  }

  async read(): Promise<readonly StreamPart[] | undefined> {
    const parts: StreamPart[] = [];
    const events: string[] = [];
    while (parts.length === 0 && !this.#done) {
      const chunk = await this.#answer.read();
      if (chunk) this.#parser.push(chunk, events);
      else this.#parser.end(events);
      for (const event of events) this.#event(event, parts);
      events.length = 0;
      if (!chunk) this.#finish(parts);
    }
    return parts.length > 0 ? parts : undefined;
  }

  close(): void {
    // Past the closing mark only the end of the transfer follows; before it, nobody wants the rest.
    if (this.#done) this.#answer.release();
    else this.#answer.abort();
  }

  #event(event: string, parts: StreamPart[]): void {
    if (this.#done) return;
    if (event === DONE) {
      this.#finish(parts);
      return;
    }
    const json = parseObject(event);
    if (json) {
      this.#reader.read(json, parts);
      return;
    }
    this.#done = true;
    parts.push(malformed(this.#reader, event));
  }

  #finish(parts: StreamPart[]): void {
    if (this.#done) return;
    this.#done = true;
    this.#reader.finish(parts);
  }
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const json: unknown = JSON.parse(text);
    // Gemini wraps a whole answer in a list when it was asked for a stream without `alt=sse`, and gateways do likewise.
    const [value] = Array.isArray(json) ? json : [json];
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // Becomes a `malformed` finish: what came before it was heard and stays.
  }
}

function malformed(reader: AnswerReader, text: string): StreamPart {
  const rawReason = text.trim() === "" ? "empty answer" : `not a JSON object: ${text.slice(0, 200)}`;
  return { kind: "finish", reason: "malformed", rawReason, usage: reader.usage() };
}
