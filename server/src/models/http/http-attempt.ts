import { isJsonObject, type JsonObject } from "#base";
import type { StreamPart, Usage } from "../contract.ts";
import { errorFromResponse } from "../model-call-error.ts";
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
  /** Tokens counted so far. */
  usage(): Usage;
}

/** One call of a provider over HTTP. */
interface HttpCall {
  readonly http: HttpClient;
  readonly request: HttpRequest;
  readonly reader: ResponseReader;
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
  return call.streaming ? new SseAttempt(response, call.reader) : new JsonAttempt(response, call.reader);
}

/** The answer as one JSON document. */
class JsonAttempt implements Attempt {
  readonly #response: HttpResponse;
  readonly #reader: ResponseReader;
  #done = false;

  constructor(response: HttpResponse, reader: ResponseReader) {
    this.#response = response;
    this.#reader = reader;
  }

  async read(): Promise<readonly StreamPart[] | undefined> {
    if (this.#done) return undefined;
    const text = await this.#response.text();
    this.#done = true;
    const parts: StreamPart[] = [];
    const json = parseObject(text);
    if (!json) return [malformed(this.#reader, text)];
    this.#reader.read(json, parts);
    this.#reader.finish(parts);
    return parts;
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
  readonly #parser = new SseParser();
  #done = false;

  constructor(response: HttpResponse, reader: ResponseReader) {
    this.#response = response;
    this.#reader = reader;
  }

  async read(): Promise<readonly StreamPart[] | undefined> {
    const parts: StreamPart[] = [];
    const events: string[] = [];
    while (parts.length === 0 && !this.#done) {
      const chunk = await this.#response.read();
      if (chunk) this.#parser.push(chunk, events);
      else this.#parser.end(events);
      for (const event of events) this.#event(event, parts);
      events.length = 0;
      if (!chunk) this.#finish(parts);
    }
    return parts.length > 0 ? joinTexts(parts) : undefined;
  }

  close(): void {
    // After the closing mark only the end of the transfer follows; before it, the rest is not needed.
    if (this.#done) this.#response.release();
    else this.#response.abort();
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
