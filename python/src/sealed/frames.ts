/**
 * The protocol between server and guest: frames of `u32 length, u8 type, payload`, little-endian
 * (PY-37). One call is in flight at a time; anything unexpected ends the guest.
 */
export const FrameType = {
  /** Guest to server: the interpreter is ready, or restored where that was asked for. Empty. */
  ready: 0,
  /** Server to guest: `u32 cpuMs, u8 restoreFirst, request`. */
  call: 1,
  /** Guest to server: a question, JSON. */
  question: 2,
  /** Server to guest: its answer, JSON. */
  answer: 3,
  /** Guest to server: `u8 ending, u32 grownBytes, u32 outputLength, output JSON, body`. */
  result: 4,
  /** Server to guest: put the image back now. Empty, or one byte: answer with `ready`. */
  restore: 5,
  /** Guest to server: what the running code printed since the last time, JSON as in a result. */
  output: 6,
  /** Server to guest, six times before anything else: settings JSON, metadata JSON, image, resources, wasm, native modules. */
  asset: 9,
} as const;

/** First byte of a result: the body is the answer's JSON, or the reason for the end. */
export const ENDINGS = ["answered", "timeout", "violation", "crashed", "out-of-memory"] as const;
export type Ending = (typeof ENDINGS)[number];

/** Bytes before a frame's payload. */
export const HEADER_BYTES = 5;

/** What the guest needs to know at its start. */
export interface GuestSettings {
  readonly maximumBytes: number;
  readonly outputLimit: number;
}

/** What precedes a payload of `length` bytes. */
export function encodeHeader(type: number, length: number): Uint8Array<ArrayBuffer> {
  const header = new Uint8Array(HEADER_BYTES);
  new DataView(header.buffer).setUint32(0, length, true);
  header[4] = type;
  return header;
}

/** Header and payload in one piece. */
export function encodeFrame(type: number, ...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const frame = new Uint8Array(HEADER_BYTES + length);
  frame.set(encodeHeader(type, length));
  let offset = HEADER_BYTES;
  for (const part of parts) {
    frame.set(part, offset);
    offset += part.length;
  }
  return frame;
}
