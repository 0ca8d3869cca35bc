import { AsyncQueue, type Clock } from "#base";
import { RECOGNIZER_SAMPLE_RATE, type Samples, type SpeechToText } from "#speech";
import { ConnectError, unavailable } from "#status";
import type { ChannelSpan } from "../../trace.ts";

/** The result of recognizing an utterance. */
export type UtteranceResult =
  | { readonly kind: "words"; readonly transcript: string; readonly span: ChannelSpan }
  /** No speech: a cough, a click. */
  | { readonly kind: "nothing" }
  | { readonly kind: "failed"; readonly failure: ConnectError; readonly span: ChannelSpan };

/** One utterance of the user. */
export interface Utterance {
  push(samples: Samples): void;
  /** Ends the utterance. */
  end(): void;
  /** Never rejects. */
  readonly result: Promise<UtteranceResult>;
}

interface UtteranceDeps {
  readonly speechToText: SpeechToText;
  readonly language: string;
  readonly otherLanguages: readonly string[];
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called with the transcript whenever it changes. */
  readonly onTranscript: (transcript: string) => void;
}

/** How long recognition may take after the end of an utterance, milliseconds. */
const FINAL_MS = 20_000;

/** Starts to recognize an utterance. */
export function beginUtterance(deps: UtteranceDeps): Utterance {
  const sound = new AsyncQueue<Samples>();
  const timeout = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let settled = false;
  let length = 0;
  const trace = { startedAt: deps.clock.now(), endedAt: undefined as number | undefined };
  const result = understand(sound, timeout.signal, deps, trace, () => (1_000 * length) / RECOGNIZER_SAMPLE_RATE);
  void result.then(() => {
    settled = true;
    clearTimeout(timer);
  });
  return {
    result,
    push: (samples) => {
      length += samples.length;
      sound.push(samples);
    },
    end: () => {
      if (trace.endedAt !== undefined) return;
      trace.endedAt = deps.clock.now();
      sound.end();
      // A provider that is down has failed already.
      if (!settled) timer = setTimeout(() => timeout.abort(), FINAL_MS);
    },
  };
}

async function understand(
  sound: AsyncQueue<Samples>,
  timeout: AbortSignal,
  { speechToText, language, otherLanguages, clock, signal, onTranscript }: UtteranceDeps,
  trace: { readonly startedAt: number; readonly endedAt: number | undefined },
  audioMs: () => number,
): Promise<UtteranceResult> {
  const span = (more: ChannelSpan["attributes"]): ChannelSpan => {
    const { startedAt, endedAt: utteranceEnd } = trace;
    const endedAt = clock.now();
    const attributes = {
      provider: speechToText.label,
      "audio duration (ms)": Math.round(audioMs()),
      ...(utteranceEnd !== undefined && { "time to final (ms)": Math.round(endedAt - utteranceEnd) }),
      ...more,
    };
    return { name: "SpeechToText", startedAt, endedAt, attributes };
  };
  try {
    let transcript = "";
    for await (const recognized of speechToText.recognize(sound, {
      language,
      otherLanguages,
      signal: AbortSignal.any([signal, timeout]),
    })) {
      if (recognized.transcript !== transcript) onTranscript(recognized.transcript);
      transcript = recognized.transcript;
    }
    return transcript.trim() === "" ? { kind: "nothing" } : { kind: "words", transcript, span: span({}) };
  } catch (error) {
    const failure = timeout.aborted ? timedOut(speechToText.label) : asFailure(error, speechToText.label);
    return { kind: "failed", failure, span: span({ error: failure.rawMessage }) };
  }
}

function timedOut(label: string): ConnectError {
  return unavailable(`The speech provider ${label} did not answer within ${FINAL_MS / 1_000} seconds.`, {
    reason: "SPEECH_UNAVAILABLE",
    metadata: { provider: label },
  });
}

function asFailure(error: unknown, label: string): ConnectError {
  if (error instanceof ConnectError) return error;
  const failure = unavailable(`The speech provider ${label} failed.`, {
    reason: "SPEECH_UNAVAILABLE",
    metadata: { provider: label },
  });
  failure.cause = error;
  return failure;
}
