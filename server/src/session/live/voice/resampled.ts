import { createPauses } from "#base";
import type { AudioChunk, Resampler, Samples } from "#speech";

/**
 * A sound at another rate, in pieces of a second at most. Other calls run between the pieces: a recording of three minutes at once would keep all of
 * them waiting.
 */
export async function* resampled(
  chunks: AsyncIterable<AudioChunk> | Iterable<AudioChunk>,
  resamplerFrom: (rate: number) => Resampler,
): AsyncGenerator<Samples, void> {
  const pause = createPauses();
  let resampler: Resampler | undefined;
  for await (const { samples, rate } of chunks) {
    resampler ??= resamplerFrom(rate);
    for (let at = 0; at < samples.length; at += rate) {
      yield resampler.push(samples.subarray(at, at + rate));
      await pause();
    }
  }
  if (resampler) yield resampler.flush();
}

/** Encoded audio in parts of a second at most. */
export function* secondsOf(bytes: Uint8Array, bytesPerSecond: number): Generator<Uint8Array, void> {
  for (let at = 0; at < bytes.length; at += bytesPerSecond) yield bytes.subarray(at, at + bytesPerSecond);
}
