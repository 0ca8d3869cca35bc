import { type FormData, fetch } from "undici";
import { ConnectError } from "#status";
import { failureOfStatus, reasonOf, speechFailure } from "../speech-failure.ts";

/** A POST to a provider of speech. */
export interface SpeechCall {
  /** Names the provider in refusals. */
  readonly label: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData;
  /** Never shown, whatever the provider says. */
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
}

/** How long a provider may take to begin to answer, and between two pieces: a caller hears silence meanwhile. Milliseconds. */
const PATIENCE_MS = 15_000;

/** Sends the call and answers its body in pieces. Throws a refusal of `#status`, or what aborted the signal. */
export async function* post(call: SpeechCall): AsyncGenerator<Uint8Array, void> {
  const { label, secrets, signal } = call;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error(`no answer in ${PATIENCE_MS / 1_000} seconds`)), PATIENCE_MS);
  try {
    const { url, headers, body } = call;
    const both = AbortSignal.any([signal, late.signal]);
    const response = await fetch(url, { method: "POST", headers: { ...headers }, body, signal: both });
    if (!response.ok) throw failureOfStatus(label, response.status, await response.text(), secrets);
    for await (const piece of response.body ?? []) {
      timer.refresh();
      yield piece as Uint8Array;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ConnectError) throw error;
    throw speechFailure(label, reasonOf(late.signal.aborted ? late.signal.reason : error), secrets);
  } finally {
    clearTimeout(timer);
  }
}

/** Largest JSON answer that is read whole, bytes: a minute of base64 sound. */
const MAX_WHOLE = 16 * 1024 * 1024;

/** The same, with the whole answer read as JSON. */
export async function postForJson(call: SpeechCall): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of post(call)) {
    pieces.push(piece);
    size += piece.length;
    if (size > MAX_WHOLE) throw speechFailure(call.label, `its answer is larger than ${MAX_WHOLE} bytes`);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString("utf8"));
  } catch {
    throw speechFailure(call.label, "its answer is not JSON");
  }
}
