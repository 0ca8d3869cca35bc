/** Mono audio between -1 and 1; the sample rate is passed beside it. */
export type Samples = Float32Array<ArrayBufferLike>;

/** Concatenates pieces. */
export function joinSamples(pieces: readonly Samples[]): Samples {
  const [only] = pieces;
  if (only && pieces.length === 1) return only;
  const joined = new Float32Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}

/** `length` samples of silence. */
export function silence(length: number): Samples {
  return new Float32Array(length);
}

/** Samples as 16-bit integers; values beyond full scale are clipped. */
export function toInt16(samples: Samples): Int16Array {
  const integers = new Int16Array(samples.length);
  for (let at = 0; at < samples.length; at++) {
    const scaled = Math.round((samples[at] ?? 0) * 32_768);
    integers[at] = scaled > 32_767 ? 32_767 : scaled < -32_768 ? -32_768 : scaled;
  }
  return integers;
}

/** 16-bit little-endian bytes as samples; an odd last byte is ignored. */
export function fromLinear16(bytes: Uint8Array): Samples {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const samples = new Float32Array(bytes.length >> 1);
  for (let at = 0; at < samples.length; at++) samples[at] = view.getInt16(2 * at, true) / 32_768;
  return samples;
}

/** Samples as 16-bit little-endian bytes. */
export function toLinear16(samples: Samples): Uint8Array {
  const bytes = new Uint8Array(2 * samples.length);
  const view = new DataView(bytes.buffer);
  const integers = toInt16(samples);
  for (let at = 0; at < integers.length; at++) view.setInt16(2 * at, integers[at] ?? 0, true);
  return bytes;
}
