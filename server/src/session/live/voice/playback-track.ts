import { joinSamples, type Samples } from "#speech";

/** What the user had heard when an answer was interrupted. */
export interface PlayedPart {
  readonly text: string;
  readonly milliseconds: number;
}

/** A part of an answer: a sentence, or a recording (whose text is empty). */
export interface Segment {
  readonly text: string;
  readonly interruptible: boolean;
  readonly cancellable: boolean;
}

interface BufferedSegment extends Segment {
  readonly pieces: Samples[];
  /** Samples synthesized, and samples sent. */
  made: number;
  taken: number;
  complete: boolean;
  cancelled: boolean;
}

/** Writes the audio of a segment. */
export interface SegmentWriter {
  /** Resolves when there is room for more, or `stop` aborts. */
  push(samples: Samples, stop: AbortSignal): Promise<void>;
  end(): void;
  cancelled(): boolean;
}

/** Characters per second of speech, to estimate the length of a sentence that is not yet synthesized to its end. */
const CHARACTERS_A_SECOND = 15;

/** Buffers the audio of an answer between synthesis and the wire, and tracks what the user has heard. */
export class PlaybackTrack {
  readonly #rate: number;
  readonly #most: number;
  readonly #segments: BufferedSegment[] = [];
  #waiting = 0;
  #closed = false;
  #wake: (() => void)[] = [];
  /** Audio sent since `#from`, in milliseconds; `#from` moves when playback had to wait for audio. */
  #sentMs = 0;
  #from: number | undefined;

  /** `rate` in Hertz; writers wait while more than `maxBuffered` samples are buffered. */
  constructor(rate: number, most: number) {
    this.#rate = rate;
    this.#most = most;
  }

  /** The segment that is played at `now`; before and after all audio, the next one. */
  segmentAt(now: number): Segment | undefined {
    let left = (this.#playedMs(now) * this.#rate) / 1_000;
    for (const segment of this.#segments) {
      left -= this.#lengthOf(segment);
      if (left < 0 || !isOver(segment)) return segment;
    }
    return undefined;
  }

  /** Whether audio is being synthesized, waits, or is still playing. */
  busy(now: number): boolean {
    return (
      this.#segments.some((segment) => !isOver(segment)) ||
      (this.#from !== undefined && now - this.#from < this.#sentMs)
    );
  }

  add(kind: Segment): SegmentWriter {
    const segment: BufferedSegment = { ...kind, pieces: [], made: 0, taken: 0, complete: false, cancelled: false };
    this.#segments.push(segment);
    return {
      push: async (samples, stop) => {
        if (segment.cancelled) return;
        segment.pieces.push(samples);
        segment.made += samples.length;
        this.#waiting += samples.length;
        this.#notify();
        while (this.#waiting > this.#most && !stop.aborted) await this.#change(stop);
      },
      end: () => {
        segment.complete = true;
        this.#notify();
      },
      cancelled: () => segment.cancelled,
    };
  }

  close(): void {
    this.#closed = true;
    this.#notify();
  }

  /** Up to `length` samples, fewer only before a pause or the end; undefined after the end. Waits for audio that is being synthesized. */
  async take(length: number, stop: AbortSignal): Promise<Samples | undefined> {
    for (;;) {
      if (stop.aborted) return undefined;
      const ready = this.#segments.reduce(
        (sum, segment) => sum + (segment.cancelled ? 0 : segment.made - segment.taken),
        0,
      );
      const open = this.#segments.some((segment) => !segment.complete && !segment.cancelled);
      if (ready >= length || (ready > 0 && !open)) return this.#cut(Math.min(length, ready));
      if (!open && this.#closed) return undefined;
      await this.#change(stop);
    }
  }

  /** Records audio that is sent now. Returns by how many milliseconds it is ahead of playback beyond `leadMs`. */
  sent(samples: number, now: number, leadMs: number): number {
    this.#from ??= now;
    // Playback had run out of audio: the clock restarts here.
    if (now - this.#from > this.#sentMs) this.#from = now - this.#sentMs;
    const aheadMs = this.#sentMs - (now - this.#from);
    this.#sentMs += (1_000 * samples) / this.#rate;
    return Math.max(0, aheadMs - leadMs);
  }

  /** What has been played by now: whole sentences, and of the last one as many words as fit. */
  playedBy(now: number): PlayedPart {
    const milliseconds = this.#playedMs(now);
    let left = (milliseconds * this.#rate) / 1_000;
    const words: string[] = [];
    for (const segment of this.#segments) {
      if (left <= 0) break;
      const { text } = segment;
      const length = this.#lengthOf(segment);
      const part = length === 0 ? 1 : Math.min(1, left / length);
      const all = text.split(" ").filter(Boolean);
      words.push(...all.slice(0, Math.floor(part * all.length + 1e-9)));
      left -= length;
    }
    return { text: words.join(" "), milliseconds: Math.round(milliseconds) };
  }

  #playedMs(now: number): number {
    return this.#from === undefined ? 0 : Math.max(0, Math.min(this.#sentMs, now - this.#from));
  }

  /** Samples of a segment, estimated while it is not complete. */
  #lengthOf({ text, made, complete, cancelled, taken }: BufferedSegment): number {
    if (cancelled) return taken;
    return complete ? made : Math.max(made, (text.length / CHARACTERS_A_SECOND) * this.#rate);
  }

  /** Cancels recordings that only fill a pause. Returns whether one was playing. */
  cancelRecordings(): boolean {
    let wasPlaying = false;
    for (const segment of this.#segments) {
      if (!segment.cancellable || segment.cancelled || isOver(segment)) continue;
      wasPlaying ||= segment.taken > 0;
      segment.cancelled = true;
      this.#waiting -= segment.made - segment.taken;
    }
    if (wasPlaying) this.#notify();
    return wasPlaying;
  }

  /** Drops the rest; nothing more is sent. */
  clear(): void {
    this.#closed = true;
    this.#waiting = 0;
    this.#notify();
  }

  #cut(length: number): Samples {
    const parts: Samples[] = [];
    let wanted = length;
    for (const segment of this.#segments) {
      while (wanted > 0 && !segment.cancelled) {
        const [piece] = segment.pieces;
        if (!piece) break;
        const part = piece.subarray(0, wanted);
        if (part.length === piece.length) segment.pieces.shift();
        else segment.pieces[0] = piece.subarray(part.length);
        parts.push(part);
        segment.taken += part.length;
        wanted -= part.length;
      }
    }
    this.#waiting -= length - wanted;
    this.#notify();
    return joinSamples(parts);
  }

  #change(stop: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        stop.removeEventListener("abort", done);
        resolve();
      };
      stop.addEventListener("abort", done, { once: true });
      this.#wake.push(done);
    });
  }

  #notify(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) wake();
  }
}

function isOver({ complete, made, taken, cancelled }: BufferedSegment): boolean {
  return cancelled || (complete && taken >= made);
}
