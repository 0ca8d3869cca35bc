import { HEADER_BYTES } from "./frames.ts";

/** As much is read at once: a call with its header mostly, and nothing of the next frame, which comes when this one is answered. */
const BUFFER_BYTES = 65_536;

/** Frames out of a blocking input. */
export class FrameInput {
  readonly #read: (target: Uint8Array) => number;
  readonly #buffer = new Uint8Array(BUFFER_BYTES);
  #start = 0;
  #end = 0;

  /** `read` blocks until there is something and tells how many bytes it put into its target; it never returns at the end of input. */
  constructor(read: (target: Uint8Array) => number) {
    this.#read = read;
  }

  /** The next frame. */
  next(): { readonly type: number; readonly payload: Uint8Array<ArrayBuffer> } {
    const header = this.#take(HEADER_BYTES);
    const length = new DataView(header.buffer).getUint32(0, true);
    return { type: header[4] ?? 0, payload: this.#take(length) };
  }

  #take(length: number): Uint8Array<ArrayBuffer> {
    const data = new Uint8Array(length);
    for (let filled = 0; filled < length; ) {
      // What is larger than the buffer goes where it belongs at once.
      if (this.#start === this.#end && length - filled >= BUFFER_BYTES) filled += this.#read(data.subarray(filled));
      else filled += this.#buffered(data.subarray(filled));
    }
    return data;
  }

  #buffered(target: Uint8Array): number {
    if (this.#start === this.#end) {
      this.#start = 0;
      this.#end = this.#read(this.#buffer);
    }
    const piece = this.#buffer.subarray(this.#start, Math.min(this.#end, this.#start + target.length));
    target.set(piece);
    this.#start += piece.length;
    return piece.length;
  }
}
