import type { Samples } from "#speech";
import { phrase } from "./espeak.ts";

/** Bands whose level over time tells phrases apart, Hertz: within what a telephone carries. */
const BANDS = [300, 450, 650, 900, 1_200, 1_600, 2_100, 2_700, 3_300];
const FRAME = 320;

/**
 * A recognizer for phrases that it knows: compares the levels of nine bands over time with those of each phrase, and takes
 * the nearest if it is near. Sound that was damaged on its way is not understood.
 */
export function phraseRecognizer(phrases: readonly string[], wordsPerMinute?: number): (sound: Samples) => string {
  const known = phrases.map((text) => ({ text, features: trimmed(featuresOf(phrase(text, wordsPerMinute))) }));
  return (sound) => {
    const heard = trimmed(featuresOf(sound));
    const scored = known.map(({ text, features }) => ({ text, score: likeness(heard, features) }));
    const best = scored.sort((one, other) => other.score - one.score)[0];
    return best && best.score > 0.7 ? best.text : "";
  };
}

type Features = readonly (readonly number[])[];

/** Level of each band in each frame of 20 ms at 16 kHz, dB above -60. */
function featuresOf(samples: Samples): Features {
  return Array.from({ length: Math.floor(samples.length / FRAME) }, (_, at) => {
    const frame = samples.subarray(at * FRAME, (at + 1) * FRAME);
    return BANDS.map((band) => Math.max(0, 60 + 10 * Math.log10(1e-12 + power(frame, band))));
  });
}

/** Goertzel: the power of one frequency. */
function power(frame: Samples, frequency: number): number {
  const factor = 2 * Math.cos((2 * Math.PI * frequency) / 16_000);
  let [before, last] = [0, 0];
  for (const sample of frame) [before, last] = [last, sample + factor * last - before];
  return (last * last + before * before - factor * last * before) / frame.length ** 2;
}

function trimmed(features: Features): Features {
  const isLoud = (frame: readonly number[]) => Math.max(...frame) > 15;
  const first = features.findIndex(isLoud);
  return first < 0 ? [] : features.slice(first, features.findLastIndex(isLoud) + 1);
}

/** Correlation of the levels at the best shift of a few frames; what exceeds it counts as silence. */
function likeness(one: Features, other: Features): number {
  let best = 0;
  for (let shift = -8; shift <= 8; shift++) {
    let [product, ones, others] = [0, 0, 0];
    for (let at = -8; at < Math.max(one.length, other.length) + 8; at++) {
      for (let band = 0; band < BANDS.length; band++) {
        const left = one[at]?.[band] ?? 0;
        const right = other[at + shift]?.[band] ?? 0;
        product += left * right;
        ones += left * left;
        others += right * right;
      }
    }
    if (ones > 0 && others > 0) best = Math.max(best, product / Math.sqrt(ones * others));
  }
  return best;
}
