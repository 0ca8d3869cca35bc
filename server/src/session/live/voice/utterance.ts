import { AsyncQueue, type Clock } from "#base";
import { RECOGNISER_RATE, type Samples, type SpeechToText } from "#speech";
import { Code, ConnectError, unavailable } from "#status";
import type { ChannelSpan } from "../../turn/voice-turn.ts";

/** What came of an utterance. */
export type Understood =
  | { readonly kind: "words"; readonly transcript: string; readonly span: ChannelSpan }
  /** No words: a cough, a door. */
  | { readonly kind: "nothing" }
  | { readonly kind: "failed"; readonly failure: ConnectError; readonly span: ChannelSpan };

/** Something that the user says, from its first sound on. */
export interface Utterance {
  push(samples: Samples): void;
  /** No more sound belongs to it. */
  end(): void;
  /** Never rejects. */
  readonly understood: Promise<Understood>;
}

export interface UtteranceDeps {
  readonly listen: SpeechToText;
  readonly language: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Hears what is understood, while it grows. */
  readonly tell: (transcript: string) => void;
}

/** How long a recogniser may take after the end of an utterance, milliseconds: the user waits. */
const FINAL_MS = 20_000;

/** Begins to recognise an utterance. */
export function beginUtterance(deps: UtteranceDeps): Utterance {
  const sound = new AsyncQueue<Samples>();
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let settled = false;
  let length = 0;
  const trace = { startedAt: deps.clock.now(), endedAt: undefined as number | undefined };
  const understood = understand(sound, late.signal, deps, trace, () => (1_000 * length) / RECOGNISER_RATE);
  void understood.then(() => {
    settled = true;
    clearTimeout(timer);
  });
  return {
    understood,
    push: (samples) => {
      length += samples.length;
      sound.push(samples);
    },
    end: () => {
      if (trace.endedAt !== undefined) return;
      trace.endedAt = deps.clock.now();
      sound.end();
      // A provider that is down has failed already.
      if (!settled) timer = setTimeout(() => late.abort(), FINAL_MS);
    },
  };
}

async function understand(
  sound: AsyncQueue<Samples>,
  late: AbortSignal,
  { listen, language, clock, signal, tell }: UtteranceDeps,
  trace: { readonly startedAt: number; readonly endedAt: number | undefined },
  audioMs: () => number,
): Promise<Understood> {
  const span = (more: ChannelSpan["attributes"]): ChannelSpan => {
    const { startedAt, endedAt: utteranceEnd } = trace;
    const endedAt = clock.now();
    const attributes = {
      provider: listen.label,
      "audio duration (ms)": Math.round(audioMs()),
      ...(utteranceEnd !== undefined && { "time to final (ms)": Math.round(endedAt - utteranceEnd) }),
      ...more,
    };
    return { name: "SpeechToText", startedAt, endedAt, attributes };
  };
  try {
    let transcript = "";
    for await (const recognised of listen.recognise(sound, { language, signal: AbortSignal.any([signal, late]) })) {
      if (recognised.transcript !== transcript) tell(recognised.transcript);
      transcript = recognised.transcript;
    }
    return transcript.trim() === "" ? { kind: "nothing" } : { kind: "words", transcript, span: span({}) };
  } catch (error) {
    const failure = late.aborted ? tooLate(listen.label) : asFailure(error, listen.label);
    return { kind: "failed", failure, span: span({ error: failure.rawMessage }) };
  }
}

function tooLate(label: string): ConnectError {
  return unavailable(`The speech provider ${label} did not answer within ${FINAL_MS / 1_000} seconds.`, {
    reason: "SPEECH_UNAVAILABLE",
    metadata: { provider: label },
  });
}

function asFailure(error: unknown, label: string): ConnectError {
  if (error instanceof ConnectError) return error;
  return new ConnectError(`The speech provider ${label} failed.`, Code.Unavailable, undefined, undefined, error);
}
