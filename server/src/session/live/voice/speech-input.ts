import type { Clock } from "#base";
import {
  type CreateResampler,
  createDecoder,
  createVoiceActivity,
  RECOGNIZER_SAMPLE_RATE,
  type SpeechToText,
  type VoiceEvent,
} from "#speech";
import { resourceExhausted } from "#status";
import { secondsOf } from "./resampled.ts";
import { beginUtterance, type Utterance } from "./utterance.ts";
import { type AudioFormat, bytesPerSecond } from "./voice-settings.ts";

/** Dependencies and settings of the audio input. */
interface SpeechInputDeps {
  readonly speechToText: SpeechToText;
  readonly format: AudioFormat;
  readonly language: string;
  readonly otherLanguages: readonly string[];
  readonly createResampler: CreateResampler;
  readonly marginDb: number;
  /** How much silence ends an utterance, milliseconds. */
  readonly endOfSpeechMs: number;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called with the transcript whenever it changes. */
  readonly onTranscript: (transcript: string) => void;
}

/** The result of a piece of audio. */
interface SpeechInputResult {
  /** Whether the user has been speaking for long enough to interrupt the agent. */
  readonly bargesIn: boolean;
  /** Utterances that ended in it, in order. */
  readonly ended: readonly Utterance[];
}

/** Speech that interrupts the agent, milliseconds: shorter sounds are coughs and clicks. */
const BARGE_IN_MS = 200;
/** Most audio of one message, seconds. */
const MAX_MESSAGE_SECONDS = 30;

/** The audio input of a conversation: decodes the bytes, detects utterances, and recognizes each while it lasts. */
export class SpeechInput {
  readonly #deps: SpeechInputDeps;
  readonly #decode;
  readonly #resampler;
  readonly #activity;
  #utterance: Utterance | undefined;

  constructor(deps: SpeechInputDeps) {
    this.#deps = deps;
    const { format, marginDb, endOfSpeechMs } = deps;
    this.#decode = createDecoder(format.encoding);
    this.#resampler = deps.createResampler(format.rate, RECOGNIZER_SAMPLE_RATE);
    this.#activity = createVoiceActivity({ rate: RECOGNIZER_SAMPLE_RATE, marginDb, endMs: endOfSpeechMs });
  }

  /** Whether an utterance is open. */
  get speaking(): boolean {
    return this.#utterance !== undefined;
  }

  /** The audio of a message in parts that do not keep other calls waiting. Throws RESOURCE_EXHAUSTED for more than 30 seconds. */
  partsOf(bytes: Uint8Array): Iterable<Uint8Array> {
    const second = bytesPerSecond(this.#deps.format);
    if (bytes.length > MAX_MESSAGE_SECONDS * second)
      throw resourceExhausted(
        `One message holds more than ${MAX_MESSAGE_SECONDS} seconds of sound. Send 40 to 120 milliseconds at a time.`,
      );
    return bytes.length > second ? secondsOf(bytes, second) : [bytes];
  }

  /** Adds audio. `ignored` audio starts no utterance; an open one continues. */
  push(bytes: Uint8Array, ignored: boolean): SpeechInputResult {
    const samples = this.#resampler.push(this.#decode(bytes));
    if (ignored && !this.speaking) return { bargesIn: false, ended: [] };
    return this.#take(this.#activity.push(samples));
  }

  /** Ends an open utterance, because no more audio comes or none has come for a while. */
  end(): readonly Utterance[] {
    return this.#take(this.#activity.end()).ended;
  }

  #take(events: readonly VoiceEvent[]): SpeechInputResult {
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
