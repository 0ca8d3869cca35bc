import { setTimeout as sleep } from "node:timers/promises";
import type { Clock, Logger } from "#base";
import { encode, joinSamples, type Resampler, type Samples, type Sound, silence, type TextToSpeech } from "#speech";
import type { ChannelSpan } from "../../turn/voice-turn.ts";
import type { Outbox } from "./outbox.ts";
import { sentencesOf } from "./sentences.ts";
import { type Fill, Track } from "./track.ts";
import type { SoundFormat, VoiceSettings } from "./voice-settings.ts";

/** What an answer is spoken with. */
export interface AnswerDeps {
  readonly speak: TextToSpeech;
  readonly format: SoundFormat;
  readonly settings: Pick<VoiceSettings, "speak" | "bargeIn">;
  /** Brings sound of a rate to that of the format. */
  readonly resampler: (rate: number) => Resampler;
  /** Lays the channel's ambient sound under the agent's. */
  readonly mix: (samples: Samples) => Samples;
  readonly outbox: Outbox;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** What the user had heard when an answer was cut off. */
export interface HeardOfAnswer {
  readonly text: string;
  readonly milliseconds: number;
}

/** Sound of one message, milliseconds: within the 40 to 120 that the API recommends. */
const PACKET_MS = 80;
/** How far sound is sent ahead of the clock, milliseconds: enough for the jitter of a network, little to be dropped by barge-in. */
const LEAD_MS = 240;
/** Sound that is made ahead, milliseconds; then its maker waits. */
const AHEAD_MS = 60_000;

/**
 * The spoken side of one turn: texts and recordings are queued, made into sound in their order, and sent at the pace at which
 * they are heard. So the server knows at each moment what the user has heard, and can stop there.
 */
export class Answer {
  readonly #deps: AnswerDeps;
  readonly #track: Track;
  readonly #stop = new AbortController();
  readonly #spans: ChannelSpan[] = [];
  #making: Promise<void> = Promise.resolve();
  #playing: Promise<void> | undefined;
  #turnIndex = 0;
  #closed = false;
  #mute = false;
  #silent = true;

  constructor(deps: AnswerDeps) {
    this.#deps = deps;
    this.#track = new Track(deps.format.rate, (deps.format.rate * AHEAD_MS) / 1_000);
  }

  /** Whether sound is being heard, or waits for its time. */
  get playing(): boolean {
    return !this.#silent && this.#track.busy(this.#deps.clock.now());
  }

  /** Whether the user may interrupt what is heard now. */
  get interruptible(): boolean {
    return this.#track.heardAt(this.#deps.clock.now())?.interruptible ?? this.#deps.settings.bargeIn;
  }

  /** Says a text after what was queued before. `interruptible` holds for this text only; `always`: although the app forbids it. */
  say(text: string, turnIndex: number, interruptible: boolean | "always" = true): void {
    const may = interruptible === "always" || (interruptible && this.#deps.settings.bargeIn);
    for (const sentence of sentencesOf(text)) {
      this.#queue(turnIndex, { text: sentence, interruptible: may, cancellable: false }, (signal) =>
        this.#deps.speak.synthesise(sentence, { ...this.#deps.settings.speak, signal }),
      );
    }
  }

  /** Plays a recording. A `cancellable` one is broken off when something else is queued after it. */
  play(
    load: () => Promise<Sound>,
    turnIndex: number,
    kind: { readonly interruptible: boolean; readonly cancellable: boolean },
  ): void {
    const interruptible = kind.interruptible && this.#deps.settings.bargeIn;
    this.#queue(turnIndex, { text: "", interruptible, cancellable: kind.cancellable }, async function* () {
      yield await load();
    });
  }

  /** Nothing more will be queued. */
  close(): void {
    this.#closed = true;
    this.#track.close();
  }

  /** Resolves when all sound is made, or nobody is to hear it. */
  async made(): Promise<readonly ChannelSpan[]> {
    this.close();
    await this.#making;
    return this.#spans.splice(0);
  }

  /** Resolves when all sound is sent, or was cut off. */
  async heard(): Promise<void> {
    await this.#playing;
  }

  /** Stops at once; what is queued later is not said either. Answers what was heard by now. */
  interrupt(): HeardOfAnswer {
    const heard = this.#track.heard(this.#deps.clock.now());
    this.#stop.abort();
    this.#silent = true;
    this.#track.clear();
    return heard;
  }

  #queue(
    turnIndex: number,
    segment: { readonly text: string; readonly interruptible: boolean; readonly cancellable: boolean },
    make: (signal: AbortSignal) => AsyncIterable<Sound>,
  ): void {
    if (this.#stop.signal.aborted || this.#closed || this.#deps.signal.aborted) return;
    this.#turnIndex = turnIndex;
    this.#silent = false;
    if (this.#track.cancelRecordings()) {
      this.#deps.outbox.dropSound();
      this.#deps.outbox.put({ case: "interruptionSignal", value: { bargeIn: false } });
    }
    const fill = this.#track.add(segment);
    this.#making = this.#making.then(() => this.#make(segment.text, make, fill)).finally(fill.end);
    this.#playing ??= this.#play();
  }

  /** Makes one segment's sound. A provider that fails silences the rest: the words are with the client already. */
  async #make(text: string, make: (signal: AbortSignal) => AsyncIterable<Sound>, fill: Fill): Promise<void> {
    const { clock, format, logger, signal, speak } = this.#deps;
    const stop = AbortSignal.any([signal, this.#stop.signal]);
    if (this.#mute || stop.aborted || fill.cancelled()) return;
    const startedAt = clock.now();
    const made: Made = { length: 0 };
    try {
      await fillWith(make(stop), { resamplerFrom: this.#deps.resampler, fill, stop, now: () => clock.now(), made });
    } catch (failure) {
      if (!stop.aborted) {
        made.error = failure instanceof Error ? failure.message : String(failure);
        this.#mute = text !== "";
        logger.warn({ err: failure, provider: speak.label }, "an answer could not be spoken");
      }
    }
    made.cut = fill.cancelled() || this.#stop.signal.aborted;
    const attributes = {
      provider: text === "" ? "recording" : speak.label,
      characters: text.length,
      "audio duration (ms)": Math.round((1_000 * made.length) / format.rate),
      ...(made.first !== undefined && { "time to first audio (ms)": Math.round(made.first - startedAt) }),
      ...(made.cut && { interrupted: true }),
      ...(made.error !== undefined && { error: made.error }),
    };
    this.#spans.push({ name: "TextToSpeech", startedAt, endedAt: clock.now(), attributes });
  }

  /** Sends packets at the pace of the clock, `LEAD_MS` ahead of it. */
  async #play(): Promise<void> {
    const { outbox, clock, format, mix, signal } = this.#deps;
    const stop = AbortSignal.any([signal, this.#stop.signal]);
    const packet = (format.rate * PACKET_MS) / 1_000;
    try {
      for (;;) {
        const samples = await this.#track.take(packet, stop);
        if (!samples) return;
        await outbox.room();
        const waitMs = this.#track.sent(samples.length, clock.now(), LEAD_MS);
        if (waitMs > 0) await sleep(waitMs, undefined, { signal: stop });
        if (stop.aborted) return;
        const whole = samples.length < packet ? joinSamples([samples, silence(packet - samples.length)]) : samples;
        const audio = encode(mix(whole), format.encoding);
        outbox.put({
          case: "sessionOutput",
          value: { outputType: { case: "audio", value: audio }, turnIndex: this.#turnIndex },
        });
      }
    } catch (error) {
      if (!stop.aborted) throw error;
    } finally {
      this.#silent = true;
    }
  }
}

/** What was made of one segment. */
interface Made {
  /** Samples. */
  length: number;
  /** When the first sound was there, milliseconds since the epoch. */
  first?: number;
  /** Whether it was broken off. */
  cut?: boolean;
  error?: string;
}

interface Filling {
  readonly resamplerFrom: (rate: number) => Resampler;
  readonly fill: Fill;
  readonly stop: AbortSignal;
  readonly now: () => number;
  readonly made: Made;
}

/** Brings the provider's sound to the client's rate, piece by piece. */
async function fillWith(
  sounds: AsyncIterable<Sound>,
  { resamplerFrom, fill, stop, now, made }: Filling,
): Promise<void> {
  let resampler: Resampler | undefined;
  for await (const sound of sounds) {
    resampler ??= resamplerFrom(sound.rate);
    made.first ??= now();
    const piece = resampler.push(sound.samples);
    made.length += piece.length;
    await fill.push(piece, stop);
    if (stop.aborted || fill.cancelled()) return;
  }
  if (resampler) await fill.push(resampler.flush(), stop);
}
