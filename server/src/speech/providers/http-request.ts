import { type FormData, fetch } from "undici";
import { ConnectError } from "#status";
import { errorMessage, httpStatusError, speechUnavailable } from "../speech-errors.ts";
import { startResponseTimeout } from "./response-timeout.ts";

/** A POST to a provider of speech. */
interface SpeechHttpRequest {
  /** Names the provider in error messages. */
  readonly label: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData;
  /** Redacted from error messages. */
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
}

/** Sends the request and yields the response body in chunks. Throws a status error, or the reason of an aborted signal. */
export async function* post(call: SpeechHttpRequest): AsyncGenerator<Uint8Array, void> {
  const { label, secrets, signal } = call;
  const timeout = startResponseTimeout();
  try {
    const { url, headers, body } = call;
    const both = AbortSignal.any([signal, timeout.signal]);
    const response = await fetch(url, { method: "POST", headers: { ...headers }, body, signal: both });
    if (!response.ok) throw httpStatusError(label, response.status, await response.text(), secrets);
    if (response.body) yield* timeout.watch(response.body as AsyncIterable<Uint8Array>);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ConnectError) throw error;
    throw speechUnavailable(label, errorMessage(timeout.signal.aborted ? timeout.signal.reason : error), secrets);
  } finally {
    timeout.clear();
  }
}

/** Largest JSON response, bytes: a minute of base64 audio. */
const MAX_JSON_BYTES = 16 * 1024 * 1024;

/** Sends the request and parses the whole response as JSON. */
export async function postForJson(call: SpeechHttpRequest): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of post(call)) {
    pieces.push(piece);
    size += piece.length;
    if (size > MAX_JSON_BYTES) throw speechUnavailable(call.label, `its answer is larger than ${MAX_JSON_BYTES} bytes`);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString("utf8"));
  } catch {
    throw speechUnavailable(call.label, "its answer is not JSON");
  }
}
