import { type ConnectError, resourceExhausted } from "#status";

/** One message of a gRPC body. Its header has five bytes: whether the message is compressed, and its length. */
export interface GrpcFrame {
  readonly compressed: boolean;
  readonly payload: Buffer;
}

const HEADER_BYTES = 5;

/** The frame of a message, not compressed. */
export function frameOf(message: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + message.length);
  frame[0] = 0;
  frame.writeUInt32BE(message.length, 1);
  frame.set(message, HEADER_BYTES);
  return frame;
}

/**
 * Rewrites the `grpc-message` of finished trailers. The library escapes it as a URI component, while grpc-js reads it as
 * a URI: its users would see `projects%2Fp`. Both readings agree on what `encodeURI` writes.
 */
export function rewriteGrpcMessage(trailer: Headers): void {
  const message = trailer.get("grpc-message");
  if (message !== null) trailer.set("grpc-message", encodeURI(decodeURIComponent(message).toWellFormed()));
}

/** Splits a request body into frames. */
export class FrameReader {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** The frames that a chunk completes. Throws RESOURCE_EXHAUSTED for one that is too large, as soon as its header has arrived. */
  *push(chunk: Buffer): Generator<GrpcFrame, void> {
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    while (this.#size >= HEADER_BYTES) {
      const head = this.#peek(HEADER_BYTES);
      const length = head.readUInt32BE(1);
      if (length > this.#maxBytes) throw messageTooLarge(length, this.#maxBytes);
      if (this.#size < HEADER_BYTES + length) return;
      const frame = this.#peek(HEADER_BYTES + length);
      this.#drop(HEADER_BYTES + length);
      yield { compressed: (head[0] ?? 0) !== 0, payload: frame.subarray(HEADER_BYTES) };
    }
  }

  /** Whether the last frame is incomplete. */
  get hasPartialFrame(): boolean {
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

/** RESOURCE_EXHAUSTED for a message of a stream. */
export function messageTooLarge(length: number, limit: number, bytesWithCredential?: number): ConnectError {
  return resourceExhausted(
    bytesWithCredential === undefined
      ? `The message has ${length} bytes, and the limit is ${limit}.`
      : // It fits into the reason of a close frame.
        `The limit is ${limit} bytes without a credential, ${bytesWithCredential} with one.`,
  );
}
