import { isJsonObject, type JsonObject } from "#base";
import type { StreamPart, Usage } from "../contract.ts";
import { errorFromResponse, ModelCallError, type Redact } from "../model-call-error.ts";
import type { Attempt } from "../retry.ts";
import type { HttpClient, HttpRequest, HttpResponse } from "./http-client.ts";
import { joinTexts } from "./join-texts.ts";
import { SseParser } from "./sse-parser.ts";

/** Converts a provider's response to stream parts. One reader reads one response. */
export interface ResponseReader {
  /** Reads the JSON of one event, or of a whole response, and appends its parts. Throws `ModelCallError` for an error inside. */
  read(json: JsonObject, parts: StreamPart[]): void;
  /** Appends buffered parts and the closing `finish` part. Called once, after the last event. */
  finish(parts: StreamPart[]): void;
  /** Whether the provider has said that the answer ended, and why. */
  hasEnded(): boolean;
  /** Tokens counted so far. */
  usage(): Usage;
}

/** One call of a provider over HTTP. */
interface HttpCall {
  readonly http: HttpClient;
  readonly request: HttpRequest;
  readonly reader: ResponseReader;
  readonly redact: Redact;
  /** Whether the answer comes as events; otherwise it is one JSON document. */
  readonly streaming: boolean;
  /** Milliseconds since the epoch: what a `Retry-After` date is measured from. */
  readonly now: () => number;
}

/** Sends the request. Resolves at the response headers; rejects with `ModelCallError` for a status other than 2xx. */
export async function openHttpAttempt(call: HttpCall): Promise<Attempt> {
  const response = await call.http.post(call.request);
  if (response.status < 200 || response.status > 299) {
    throw errorFromResponse(response.status, response.headers, await response.text(), call.now());
  }
  return call.streaming ? new SseAttempt(response, call) : new JsonAttempt(response, call);
}

/** The answer as one JSON document. */
class JsonAttempt implements Attempt {
  readonly #response: HttpResponse;
  readonly #reader: ResponseReader;
  readonly #redact: Redact;
  #done = false;

  constructor(response: HttpResponse, { reader, redact }: HttpCall) {
    this.#response = response;
    this.#reader = reader;
    this.#redact = redact;
  }

  async read(): Promise<readonly StreamPart[] | undefined> {
    if (this.#done) return undefined;
    const text = await this.#response.text();
    this.#done = true;
    return readDocument(this.#reader, text, this.#redact);
  }

  close(): void {
    this.#response.abort();
  }
}

/** OpenAI's API sends this after the last event. */
const DONE = "[DONE]";

/** The answer as server-sent events. */
class SseAttempt implements Attempt {
  readonly #response: HttpResponse;
  readonly #reader: ResponseReader;
  readonly #redact: Redact;
  readonly #parser = new SseParser();
  /** What came, where it is no events: some servers stream nothing and answer with a whole document, and gateways with a page. */
  #document: Buffer[] | undefined;
  #hasBegun = false;
  #done = false;

  constructor(response: HttpResponse, { reader, redact }: HttpCall) {
    this.#response = response;
    this.#reader = reader;
    this.#redact = redact;
  }

  async read(): Promise<readonly StreamPart[] | undefined> {
    const parts: StreamPart[] = [];
    const events: string[] = [];
    while (parts.length === 0 && !this.#done) {
      const chunk = await this.#response.read();
      if (chunk && !this.#hasBegun) this.#begin(chunk);
      if (this.#document) {
        if (chunk) this.#document.push(chunk);
        else parts.push(...this.#readDocument(this.#document));
        continue;
      }
      if (chunk) this.#parser.push(chunk, events);
      else this.#parser.end(events);
      for (const event of events) this.#event(event, parts);
      events.length = 0;
      if (!chunk) this.#end(parts);
    }
    return parts.length > 0 ? joinTexts(parts) : undefined;
  }

  close(): void {
    // After the closing mark only the end of the transfer follows; before it, the rest is not needed.
    if (this.#done) this.#response.release();
    else this.#response.abort();
  }

  #begin(chunk: Buffer): void {
    const first = chunk.toString("latin1").trimStart().at(0);
    this.#hasBegun = first !== undefined;
    if (first !== undefined && "{[<".includes(first)) this.#document = [];
  }

  #readDocument(chunks: readonly Buffer[]): readonly StreamPart[] {
    this.#done = true;
    return readDocument(this.#reader, Buffer.concat(chunks).toString("utf8"), this.#redact);
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
    throw brokenOff(`a part of it is no JSON object: ${this.#redact(event).slice(0, 200)}`);
  }

  /** A stream may end in the middle of a sentence or a call, when what is between us and the model breaks; only the provider's reason says that it is whole (TURN-77). */
  #end(parts: StreamPart[]): void {
    if (this.#done) return;
    if (!this.#reader.hasEnded()) throw brokenOff("the stream ended before the provider said that the answer has");
    this.#finish(parts);
  }

  #finish(parts: StreamPart[]): void {
    if (this.#done) return;
    this.#done = true;
    this.#reader.finish(parts);
  }
}

/** An answer of which a part is missing. Nobody knows which, so that nothing of it can be used. */
function brokenOff(message: string): ModelCallError {
  return new ModelCallError(message, { retryable: true });
}

function readDocument(reader: ResponseReader, text: string, redact: Redact): readonly StreamPart[] {
  const json = parseObject(text);
  if (!json) return [malformed(reader, redact(text))];
  const parts: StreamPart[] = [];
  reader.read(json, parts);
  reader.finish(parts);
  return parts;
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const json: unknown = JSON.parse(text);
    // Gemini, and gateways to it, wrap a whole answer in a list when a stream is requested without `alt=sse`.
    const [value] = Array.isArray(json) ? json : [json];
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // Becomes a `malformed` finish: parts before it were received and stay.
  }
}

function malformed(reader: ResponseReader, text: string): StreamPart {
  const rawReason = text.trim() === "" ? "empty answer" : `not a JSON object: ${text.slice(0, 200)}`;
  return { kind: "finish", reason: "malformed", rawReason, usage: reader.usage() };
}
