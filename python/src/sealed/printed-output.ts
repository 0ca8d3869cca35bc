import { encodeFrame, FrameType } from "./frames.ts";

/** So many writes of a run are sent at once, so that they outlive a guest that is killed in the middle of something. */
const PROMPT_WRITES = 256;

/** What is written after that is sent when so many milliseconds passed since the last time, or so many bytes wait. */
const PAUSE_MS = 10;
const BATCH_BYTES = 4096;

const STANDARD_ERROR = 2;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** What the present run prints: bounded, and on its way to the server while the run goes on. */
export class PrintedOutput {
  readonly #limit: number;
  readonly #now: () => number;
  readonly #send: (frame: Uint8Array) => void;
  /** Stream and text, in order. */
  #waiting: [stream: number, text: string][] = [];
  #waitingBytes = 0;
  #writes = 0;
  #bytes = 0;
  #sentAt = 0;

  /** `limit` is in bytes of text; `now` is a clock in milliseconds. */
  constructor(limit: number, now: () => number, send: (frame: Uint8Array) => void) {
    this.#limit = limit;
    this.#now = now;
    this.#send = send;
  }

  /** Another run begins. */
  begin(): void {
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#writes = 0;
    this.#bytes = 0;
  }

  print(stream: number, text: Uint8Array): void {
    // Empty writes would make the list grow without ever reaching the limit.
    if (text.length === 0 || this.#bytes > this.#limit) return;
    const left = this.#limit - this.#bytes;
    this.#bytes += text.length;
    this.#waitingBytes += text.length;
    this.#writes += 1;
    this.#waiting.push([stream, decoder.decode(text.subarray(0, left))]);
    if (text.length > left) this.#waiting.push([STANDARD_ERROR, `output beyond ${this.#limit} bytes was dropped\n`]);
    if (this.#isDue()) this.flush();
  }

  /** Sends what waits. */
  flush(): void {
    if (this.#waiting.length > 0) this.#send(encodeFrame(FrameType.output, this.take()));
    this.#sentAt = this.#now();
  }

  /** What waits, as JSON; nothing when nothing does. It counts as sent. */
  take(): Uint8Array<ArrayBuffer> {
    const text = this.#waiting.length > 0 ? encoder.encode(JSON.stringify(this.#waiting)) : new Uint8Array();
    this.#waiting = [];
    this.#waitingBytes = 0;
    return text;
  }

  #isDue(): boolean {
    return this.#writes <= PROMPT_WRITES || this.#waitingBytes >= BATCH_BYTES || this.#now() - this.#sentAt >= PAUSE_MS;
  }
}
