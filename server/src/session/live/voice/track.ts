import { joinSamples, type Samples } from "#speech";
import type { HeardOfAnswer } from "./answer.ts";

/** A stretch of an answer: a sentence, or a recording (whose text is empty). */
export interface SegmentKind {
  readonly text: string;
  readonly interruptible: boolean;
  readonly cancellable: boolean;
}

interface Segment extends SegmentKind {
  readonly pieces: Samples[];
  /** Samples made, and handed on. */
  made: number;
  taken: number;
  complete: boolean;
  cancelled: boolean;
}

/** How a segment gets its sound. */
export interface Fill {
  /** Resolves when there is room for more, or `stop` fires. */
  push(samples: Samples, stop: AbortSignal): Promise<void>;
  end(): void;
  cancelled(): boolean;
}

/** Characters a second of speech, to guess how long a sentence is that is not made to its end. */
const CHARACTERS_A_SECOND = 15;

/** The sound of an answer between its makers and the wire, and the clock by which it is heard. */
export class Track {
  readonly #rate: number;
  readonly #most: number;
  readonly #segments: Segment[] = [];
  #waiting = 0;
  #closed = false;
  #wake: (() => void)[] = [];
  /** Sound handed on since `#from`, in milliseconds; `#from` moves when the listener had to wait. */
  #sentMs = 0;
  #from: number | undefined;

  /** `rate` in Hertz; beyond `most` samples makers wait. */
  constructor(rate: number, most: number) {
    this.#rate = rate;
    this.#most = most;
  }

  /** The segment that is heard now; before and after all sound, the one that comes next. */
  heardAt(now: number): SegmentKind | undefined {
    let left = (this.#heardMs(now) * this.#rate) / 1_000;
    for (const segment of this.#segments) {
      left -= this.#lengthOf(segment);
      if (left < 0 || !isOver(segment)) return segment;
    }
    return undefined;
  }

  /** Whether sound is being made, waits, or is still being heard. */
  busy(now: number): boolean {
    return (
      this.#segments.some((segment) => !isOver(segment)) ||
      (this.#from !== undefined && now - this.#from < this.#sentMs)
    );
  }

  add(kind: SegmentKind): Fill {
    const segment: Segment = { ...kind, pieces: [], made: 0, taken: 0, complete: false, cancelled: false };
    this.#segments.push(segment);
    return {
      push: async (samples, stop) => {
        if (segment.cancelled) return;
        segment.pieces.push(samples);
        segment.made += samples.length;
        this.#waiting += samples.length;
        this.#rouse();
        while (this.#waiting > this.#most && !stop.aborted) await this.#change(stop);
      },
      end: () => {
        segment.complete = true;
        this.#rouse();
      },
      cancelled: () => segment.cancelled,
    };
  }

  close(): void {
    this.#closed = true;
    this.#rouse();
  }

  /** Up to `length` samples, fewer only before a pause or the end; undefined after the end. Waits for sound that is being made. */
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

  /** Notes sound that goes out now; answers how many milliseconds it is early beyond `leadMs`. */
  sent(samples: number, now: number, leadMs: number): number {
    this.#from ??= now;
    // The listener has heard all there was and waited: the clock starts anew from here.
    if (now - this.#from > this.#sentMs) this.#from = now - this.#sentMs;
    const aheadMs = this.#sentMs - (now - this.#from);
    this.#sentMs += (1_000 * samples) / this.#rate;
    return Math.max(0, aheadMs - leadMs);
  }

  /** What has been heard by now: whole sentences, and of the last one as many words as fit. */
  heard(now: number): HeardOfAnswer {
    const milliseconds = this.#heardMs(now);
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

  #heardMs(now: number): number {
    return this.#from === undefined ? 0 : Math.max(0, Math.min(this.#sentMs, now - this.#from));
  }

  /** Samples that a segment has, or will have. */
  #lengthOf({ text, made, complete, cancelled, taken }: Segment): number {
    if (cancelled) return taken;
    return complete ? made : Math.max(made, (text.length / CHARACTERS_A_SECOND) * this.#rate);
  }

  /** Breaks off recordings that only fill a pause; answers whether one was being heard. */
  cancelRecordings(): boolean {
    let heard = false;
    for (const segment of this.#segments) {
      if (!segment.cancellable || segment.cancelled || isOver(segment)) continue;
      heard ||= segment.taken > 0;
      segment.cancelled = true;
      this.#waiting -= segment.made - segment.taken;
    }
    if (heard) this.#rouse();
    return heard;
  }

  /** Nothing more is handed on. */
  clear(): void {
    this.#closed = true;
    this.#waiting = 0;
    this.#rouse();
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
    this.#rouse();
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

  #rouse(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) wake();
  }
}

function isOver({ complete, made, taken, cancelled }: Segment): boolean {
  return cancelled || (complete && taken >= made);
}
