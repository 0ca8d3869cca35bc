import type { AudioChunk } from "../contract.ts";
import { createDecoder, type Encoding } from "./codec.ts";
import { fromLinear16, type Samples, toLinear16 } from "./samples.ts";

/** A file that is not a supported WAV file. The message names the reason. */
export class WavError extends Error {
  override readonly name = "WavError";
}

/** `wFormatTag` of the supported formats; 0xfffe is the extensible header, whose tag follows later. */
const FORMATS: Readonly<Record<number, Encoding>> = { 1: "LINEAR16", 6: "ALAW", 7: "MULAW" };
const EXTENDED = 0xfffe;

/** Rates of sound, Hertz: a header with another is damaged, and no filter fits it. */
const MIN_RATE = 100;
const MAX_RATE = 192_000;

/** The header of a WAV file. */
interface WavHeader {
  readonly encoding: Encoding;
  readonly channels: number;
  readonly rate: number;
  /** Offset of the first sample. */
  readonly start: number;
  /** Bytes of audio; programs that write to a pipe state too many. */
  readonly length: number;
}

/** Reads a WAV file of 16-bit, μ-law or A-law samples; channels are mixed down to one. Throws `WavError`. */
export function readWav(bytes: Uint8Array): AudioChunk {
  const header = readHeader(bytes);
  if (!header) throw new WavError("the file is no WAV file, or it is cut off before its sound");
  const { encoding, channels, rate, start, length } = header;
  const samples = createDecoder(encoding)(bytes.subarray(start, Math.min(bytes.length, start + length)));
  return { samples: channels === 1 ? samples : mixDown(samples, channels), rate };
}

/** The header in the first bytes of a WAV file; undefined while more are needed. Throws `WavError` for other files. */
function readHeader(bytes: Uint8Array): WavHeader | undefined {
  if (bytes.length < 12) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (tagAt(bytes, 0) !== "RIFF" || tagAt(bytes, 8) !== "WAVE") throw new WavError("the file is no WAV file");
  let format: Omit<WavHeader, "start" | "length"> | undefined;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const tag = tagAt(bytes, at);
    const size = view.getUint32(at + 4, true);
    if (tag === "data") {
      if (!format) throw new WavError("the WAV file does not say how its sound is written");
      return { ...format, start: at + 8, length: size };
    }
    if (tag === "fmt " && at + 24 <= bytes.length) format = readFormat(view, at + 8, size);
    at += 8 + size + (size % 2);
  }
  return undefined;
}

function readFormat(view: DataView, at: number, size: number): Omit<WavHeader, "start" | "length"> {
  const tag = view.getUint16(at, true);
  const plain = tag === EXTENDED && size >= 26 && at + 26 <= view.byteLength ? view.getUint16(at + 24, true) : tag;
  const encoding = FORMATS[plain];
  const channels = view.getUint16(at + 2, true);
  const bits = view.getUint16(at + 14, true);
  if (!encoding || channels < 1 || bits !== (encoding === "LINEAR16" ? 16 : 8))
    throw new WavError(`the WAV file is of format ${plain} with ${bits} bits; 16-bit PCM, μ-law and A-law are read`);
  const rate = view.getUint32(at + 4, true);
  if (rate < MIN_RATE || rate > MAX_RATE)
    throw new WavError(`the WAV file is of ${rate} Hertz; ${MIN_RATE} to ${MAX_RATE} are read`);
  return { encoding, channels, rate };
}

/** Encodes audio as a 16-bit mono WAV file. */
export function writeWav({ samples, rate }: AudioChunk): Uint8Array {
  const body = toLinear16(samples);
  const bytes = new Uint8Array(44 + body.length);
  const view = new DataView(bytes.buffer);
  const text = (at: number, tag: string) => bytes.set(Buffer.from(tag, "latin1"), at);
  text(0, "RIFF");
  view.setUint32(4, 36 + body.length, true);
  text(8, "WAVEfmt ");
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, 2 * rate, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, "data");
  view.setUint32(40, body.length, true);
  bytes.set(body, 44);
  return bytes;
}

function mixDown(samples: Samples, channels: number): Samples {
  const mono = new Float32Array(Math.floor(samples.length / channels));
  for (let at = 0; at < mono.length; at++) {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) sum += samples[at * channels + channel] ?? 0;
    mono[at] = sum / channels;
  }
  return mono;
}

function tagAt(bytes: Uint8Array, at: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + at, 4).toString("latin1");
}

/** Reads a streamed WAV file piece by piece: 16-bit mono, as speech programs write it. Throws `WavError` for anything else. */
export async function* readWavStream(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<AudioChunk, void> {
  let head: Uint8Array = new Uint8Array(0);
  let header: WavHeader | undefined;
  let half: Uint8Array = new Uint8Array(0);
  for await (const piece of pieces) {
    let body: Uint8Array = piece;
    if (!header) {
      head = Buffer.concat([head, piece]);
      header = readHeader(head);
      if (!header) continue;
      if (header.encoding !== "LINEAR16" || header.channels !== 1) throw new WavError("16-bit mono sound is wanted");
      body = head.subarray(header.start);
    }
    const whole = half.length === 0 ? body : Buffer.concat([half, body]);
    half = whole.length % 2 === 1 ? whole.subarray(-1) : new Uint8Array(0);
    if (whole.length > 1) yield { samples: fromLinear16(whole), rate: header.rate };
  }
  if (!header) throw new WavError("the sound ended before it began");
}
