import { HEADER_BYTES } from "../sealed/frames.ts";

/** Largest frame a guest may send. The guest's own limits are far below; a larger one is forged. */
const FRAME_LIMIT = 12 << 20;

/** Cuts a stream of bytes into frames. `onFrame` gets a payload that is valid during the call only. */
export class FrameReader {
  #pending: Buffer = Buffer.alloc(0);
  #chunks: Buffer[] = [];
  #missing = HEADER_BYTES;
  readonly #onFrame: (type: number, payload: Buffer) => void;

  constructor(onFrame: (type: number, payload: Buffer) => void) {
    this.#onFrame = onFrame;
  }

  /** Takes the next bytes. Throws when they announce a frame that is too large. */
  push(chunk: Buffer): void {
    if (this.#pending.length > 0 || this.#chunks.length > 0) {
      this.#chunks.push(chunk);
      this.#missing -= chunk.length;
      if (this.#missing > 0) return;
      chunk = Buffer.concat([this.#pending, ...this.#chunks]);
      this.#chunks = [];
    }
    this.#pending = this.#deliver(chunk);
  }

  /** Delivers whole frames; returns what is left and notes how much of it is missing. */
  #deliver(bytes: Buffer): Buffer {
    let offset = 0;
    for (;;) {
      const left = bytes.length - offset;
      const length = left < HEADER_BYTES ? 0 : bytes.readUInt32LE(offset);
      if (length > FRAME_LIMIT) throw new Error(`the guest announced a frame of ${length} bytes`);
      if (left < HEADER_BYTES + length) {
        this.#missing = HEADER_BYTES + length - left;
        return bytes.subarray(offset);
      }
      const start = offset + HEADER_BYTES;
      offset = start + length;
      this.#onFrame(bytes[start - 1] ?? 0, bytes.subarray(start, offset));
    }
  }
}
