import type { Clock } from "#base";
import {
  createDecoder,
  createResampler,
  createVoiceActivity,
  RECOGNISER_RATE,
  type SpeechToText,
  type VoiceEvent,
} from "#speech";
import { resourceExhausted } from "#status";
import { beginUtterance, type Utterance } from "./utterance.ts";
import type { SoundFormat } from "./voice-settings.ts";

/** What the user's side is heard with. */
export interface HearingDeps {
  readonly listen: SpeechToText;
  readonly format: SoundFormat;
  readonly language: string;
  readonly marginDb: number;
  /** How much silence ends an utterance, milliseconds. */
  readonly endOfSpeechMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Hears what is understood, while it grows. */
  readonly tell: (transcript: string) => void;
}

/** What a piece of the user's sound leads to. */
export interface Overheard {
  /** Whether the user has been speaking for long enough to mean it. */
  readonly bargesIn: boolean;
  /** Utterances that ended in it, in order. */
  readonly ended: readonly Utterance[];
}

/** Speech that interrupts the agent, milliseconds: shorter sounds are coughs and clicks. */
const BARGE_IN_MS = 200;
/** Sound of one message, seconds: it is worked on at once, while others wait. */
const MOST_SECONDS = 30;

/** The user's side of a conversation: bytes become sound, sound becomes utterances, each of which is recognised while it lasts. */
export class Hearing {
  readonly #deps: HearingDeps;
  readonly #decode;
  readonly #resampler;
  readonly #activity;
  #utterance: Utterance | undefined;

  constructor(deps: HearingDeps) {
    this.#deps = deps;
    const { format, marginDb, endOfSpeechMs } = deps;
    this.#decode = createDecoder(format.encoding);
    this.#resampler = createResampler(format.rate, RECOGNISER_RATE);
    this.#activity = createVoiceActivity({ rate: RECOGNISER_RATE, marginDb, endMs: endOfSpeechMs });
  }

  /** Whether an utterance is open. */
  get speaking(): boolean {
    return this.#utterance !== undefined;
  }

  /** Takes sound in. What is `ignored` begins no utterance; one that is open goes on. */
  push(bytes: Uint8Array, ignored: boolean): Overheard {
    const { encoding, rate } = this.#deps.format;
    if (bytes.length > MOST_SECONDS * rate * (encoding === "LINEAR16" ? 2 : 1))
      throw resourceExhausted(
        `One message holds more than ${MOST_SECONDS} seconds of sound. Send 40 to 120 milliseconds at a time.`,
      );
    const samples = this.#resampler.push(this.#decode(bytes));
    if (ignored && !this.speaking) return { bargesIn: false, ended: [] };
    return this.#take(this.#activity.push(samples));
  }

  /** Ends an open utterance: no more sound will come, or none has come for long. */
  end(): readonly Utterance[] {
    return this.#take(this.#activity.end()).ended;
  }

  #take(events: readonly VoiceEvent[]): Overheard {
    const ended: Utterance[] = [];
    let bargesIn = false;
    for (const event of events) {
      if (event.kind === "begin") this.#utterance = beginUtterance(this.#deps);
      if (event.kind !== "end") this.#utterance?.push(event.samples);
      if (event.kind === "speech") bargesIn ||= event.voicedMs >= BARGE_IN_MS;
      if (event.kind !== "end" || !this.#utterance) continue;
      this.#utterance.end();
      ended.push(this.#utterance);
      this.#utterance = undefined;
    }
    return { bargesIn, ended };
  }
}
