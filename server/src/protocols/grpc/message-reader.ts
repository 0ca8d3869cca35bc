import { type ConnectError, resourceExhausted } from "#status";

/** One message as it was sent: gRPC puts five bytes before each, whether it is compressed and how long it is. */
export interface GrpcFrame {
  readonly compressed: boolean;
  readonly payload: Buffer;
}

const HEAD = 5;

/** Cuts a request body into messages. */
export class MessageReader {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The messages that a chunk completes. Throws RESOURCE_EXHAUSTED for one that is too large, before it has arrived. */
  *push(chunk: Buffer): Generator<GrpcFrame, void> {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (this.#size >= HEAD) {
      const head = this.#peek(HEAD);
      const length = head.readUInt32BE(1);
      if (length > this.#maxBytes) throw tooLarge(length, this.#maxBytes);
      if (this.#size < HEAD + length) return;
      const frame = this.#peek(HEAD + length);
      this.#drop(HEAD + length);
      yield { compressed: (head[0] ?? 0) !== 0, payload: frame.subarray(HEAD) };
    }
  }

  /** Whether a message has begun that is not whole. */
  get isInside(): boolean {
    return this.#size > 0;
  }

  #peek(length: number): Buffer {
    let first = this.#chunks[0] ?? Buffer.alloc(0);
    if (first.length < length) {
      first = Buffer.concat(this.#chunks, this.#size);
      this.#chunks = [first];
    }
    return first.subarray(0, length);
  }

  #drop(length: number): void {
    const [first = Buffer.alloc(0), ...others] = this.#chunks;
    const rest = first.subarray(length);
    this.#chunks = rest.length > 0 ? [rest, ...others] : others;
    this.#size -= length;
  }
}

function tooLarge(length: number, limit: number): ConnectError {
  return resourceExhausted(`The message has ${length} bytes, and the limit is ${limit}.`);
}
