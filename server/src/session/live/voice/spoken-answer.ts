import { setTimeout as sleep } from "node:timers/promises";
import { type Clock, definedFields, type Logger, thrownMessage } from "#base";
import {
  type AudioChunk,
  encode,
  joinSamples,
  type Resampler,
  type Samples,
  silence,
  type TextToSpeech,
} from "#speech";
import type { ChannelSpan } from "../../trace.ts";
import type { OutputQueue } from "./output-queue.ts";
import { PlaybackTrack, type PlayedPart, type SegmentWriter } from "./playback-track.ts";
import { resampled } from "./resampled.ts";
import type { SpeakableText } from "./text-in-progress.ts";
import type { AudioFormat, VoiceSettings } from "./voice-settings.ts";

/** Dependencies and settings of a spoken answer. */
interface SpokenAnswerDeps {
  readonly textToSpeech: TextToSpeech;
  readonly format: AudioFormat;
  readonly settings: Pick<VoiceSettings, "synthesisOf" | "bargeIn">;
  /** Creates a resampler from a rate to that of the format. */
  readonly resampler: (rate: number) => Resampler;
  /** Mixes the ambient sound under the agent's audio. */
  readonly mix: (samples: Samples) => Samples;
  readonly outputQueue: OutputQueue;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

/** Audio of one message, milliseconds: within the 40 to 120 that the API recommends. */
const PACKET_MS = 80;
/** How far audio is sent ahead of playback, milliseconds: enough for network jitter, little to drop at barge-in. */
const LEAD_MS = 240;
/** How far audio is synthesized ahead, milliseconds. */
const AHEAD_MS = 60_000;

/**
 * The audio output of one turn: texts and recordings are queued, synthesized in order, and sent at the pace at which
 * they are played. So the server knows at each moment what the user has heard, and can stop there.
 */
export class SpokenAnswer {
  readonly #deps: SpokenAnswerDeps;
  readonly #playback: PlaybackTrack;
  readonly #stop = new AbortController();
  readonly #spans: ChannelSpan[] = [];
  #synthesizing: Promise<void> = Promise.resolve();
  #playing: Promise<void> | undefined;
  #turnIndex = 0;
  #closed = false;
  #mute = false;
  #silent = true;

  constructor(deps: SpokenAnswerDeps) {
    this.#deps = deps;
    this.#playback = new PlaybackTrack(deps.format.rate, (deps.format.rate * AHEAD_MS) / 1_000);
  }

  /** Whether audio is playing or waits to be sent. */
  get playing(): boolean {
    return !this.#silent && this.#playback.busy(this.#deps.clock.now());
  }

  /** Whether it was interrupted: later texts are not spoken. */
  get interrupted(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Whether the user may interrupt what is playing now. */
  get interruptible(): boolean {
    return this.#playback.segmentAt(this.#deps.clock.now())?.interruptible ?? this.#deps.settings.bargeIn;
  }

  /** Queues sentences. `interruptible` applies to them only; `always` overrides the app's setting. */
  say({ sentences, text }: SpeakableText, turnIndex: number, interruptible: boolean | "always" = true): void {
    const may = interruptible === "always" || (interruptible && this.#deps.settings.bargeIn);
    // By their text: a sentence may be a word.
    const synthesis = this.#deps.settings.synthesisOf(text);
    for (const sentence of sentences) {
      this.#queue(turnIndex, { text: sentence, interruptible: may, cancellable: false }, (signal) =>
        this.#deps.textToSpeech.synthesize(sentence, { ...synthesis, signal }),
      );
    }
  }

  /** Queues a recording. A `cancellable` one is cancelled when something else is queued after it. */
  play(
    load: () => Promise<AudioChunk>,
    turnIndex: number,
    kind: { readonly interruptible: boolean; readonly cancellable: boolean },
  ): void {
    const interruptible = kind.interruptible && this.#deps.settings.bargeIn;
    this.#queue(turnIndex, { text: "", interruptible, cancellable: kind.cancellable }, async function* () {
      yield await load();
    });
  }

  /** Ends the queue. */
  close(): void {
    this.#closed = true;
    this.#playback.close();
  }

  /** Resolves when all audio is synthesized, or was interrupted. */
  async synthesized(): Promise<readonly ChannelSpan[]> {
    this.close();
    await this.#synthesizing;
    return this.#spans.splice(0);
  }

  /** Resolves when all audio is sent, or was interrupted. */
  async played(): Promise<void> {
    await this.#playing;
  }

  /** Stops at once; later texts are ignored too. Returns what was played by now. */
  interrupt(): PlayedPart {
    const played = this.#playback.playedBy(this.#deps.clock.now());
    this.#stop.abort();
    this.#silent = true;
    this.#playback.clear();
    return played;
  }

  #queue(
    turnIndex: number,
    segment: { readonly text: string; readonly interruptible: boolean; readonly cancellable: boolean },
    make: (signal: AbortSignal) => AsyncIterable<AudioChunk>,
  ): void {
    if (this.#stop.signal.aborted || this.#closed || this.#deps.signal.aborted) return;
    this.#turnIndex = turnIndex;
    this.#silent = false;
    if (this.#playback.cancelRecordings()) {
      this.#deps.outputQueue.dropAudio();
      this.#deps.outputQueue.put({ case: "interruptionSignal", value: { bargeIn: false } });
    }
    const writer = this.#playback.add(segment);
    this.#synthesizing = this.#synthesizing
      .then(() => this.#synthesize(segment.text, make, writer))
      .finally(writer.end);
    this.#playing ??= this.#play();
  }

  /** Synthesizes one segment. When the provider fails, the rest has no audio: the client has the text already. */
  async #synthesize(
    text: string,
    make: (signal: AbortSignal) => AsyncIterable<AudioChunk>,
    writer: SegmentWriter,
  ): Promise<void> {
    const { clock, format, logger, signal, textToSpeech } = this.#deps;
    const stop = AbortSignal.any([signal, this.#stop.signal]);
    if (this.#mute || stop.aborted || writer.cancelled()) return;
    const startedAt = clock.now();
    const made: SynthesisResult = { length: 0 };
    try {
      await resampleInto(make(stop), {
        resamplerFrom: this.#deps.resampler,
        writer,
        stop,
        now: () => clock.now(),
        made,
      });
    } catch (failure) {
      if (!stop.aborted) {
        made.error = thrownMessage(failure);
        this.#mute = text !== "";
        logger.warn({ err: failure, provider: textToSpeech.label }, "an answer could not be spoken");
      }
    }
    made.cut = writer.cancelled() || this.#stop.signal.aborted;
    const attributes = {
      provider: text === "" ? "recording" : textToSpeech.label,
      characters: text.length,
      "audio duration (ms)": Math.round((1_000 * made.length) / format.rate),
      ...(made.first !== undefined && { "time to first audio (ms)": Math.round(made.first - startedAt) }),
      ...(made.cut && { interrupted: true }),
      ...definedFields({ error: made.error }),
    };
    this.#spans.push({ name: "TextToSpeech", startedAt, endedAt: clock.now(), attributes });
  }

  /** Sends packets at the pace of playback, `LEAD_MS` ahead of it. */
  async #play(): Promise<void> {
    const { outputQueue, clock, format, mix, signal } = this.#deps;
    const stop = AbortSignal.any([signal, this.#stop.signal]);
    const packet = (format.rate * PACKET_MS) / 1_000;
    try {
      for (;;) {
        const samples = await this.#playback.take(packet, stop);
        if (!samples) return;
        await outputQueue.waitForCapacity();
        const waitMs = this.#playback.sent(samples.length, clock.now(), LEAD_MS);
        if (waitMs > 0) await sleep(waitMs, undefined, { signal: stop });
        if (stop.aborted) return;
        const whole = samples.length < packet ? joinSamples([samples, silence(packet - samples.length)]) : samples;
        const audio = encode(mix(whole), format.encoding);
        outputQueue.put({
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

/** The result of synthesizing one segment. */
interface SynthesisResult {
  /** Samples. */
  length: number;
  /** When the first audio arrived, milliseconds since the epoch. */
  first?: number;
  /** Whether it was interrupted. */
  cut?: boolean;
  error?: string;
}

interface SegmentSource {
  readonly resamplerFrom: (rate: number) => Resampler;
  readonly writer: SegmentWriter;
  readonly stop: AbortSignal;
  readonly now: () => number;
  readonly made: SynthesisResult;
}

/** Resamples the provider's audio to the client's rate, piece by piece. */
async function resampleInto(
  chunks: AsyncIterable<AudioChunk>,
  { resamplerFrom, writer, stop, now, made }: SegmentSource,
): Promise<void> {
  for await (const piece of resampled(chunks, resamplerFrom)) {
    made.first ??= now();
    made.length += piece.length;
    await writer.push(piece, stop);
    if (stop.aborted || writer.cancelled()) return;
  }
}
