import { LRUCache } from "lru-cache";
import { joinSamples, type Samples, silence } from "./samples.ts";

/** Resamples one audio stream, piece by piece. */
export interface Resampler {
  /** The output for the input so far; the last few milliseconds follow with the next piece. */
  push(samples: Samples): Samples;
  /** The rest, after the last piece. */
  flush(): Samples;
}

/** Zero crossings of the filter on either side of a sample. More is sharper and slower; 24 keep aliases below -60 dB. */
const CROSSINGS = 24;
/** The part of the band that passes untouched; what is between it and the limit fades. */
const PASS = 0.92;
/** Shape of the Kaiser window: its side lobes are 80 dB down. */
const BETA = 8;

/** Creates a resampler from one rate to another, Hertz. */
export type CreateResampler = (from: number, to: number) => Resampler;

/** Filters that are kept: those of one call are mostly those of the next. */
const MAX_FILTERS = 32;

/**
 * Creates resamplers: a sinc filter under a Kaiser window, cut off at the lower of the two bands, evaluated only where
 * output falls (polyphase). Rates are Hertz; equal ones cost nothing. The filter of two rates is computed once, which takes tens of milliseconds.
 */
export function createResamplers(): CreateResampler {
  const filters = new LRUCache<string, Filter>({ max: MAX_FILTERS });
  return (from, to) => {
    if (from === to) return { push: (samples) => samples, flush: () => silence(0) };
    const divisor = greatestCommonDivisor(from, to);
    const key = `${from} ${to}`;
    const filter = filters.get(key) ?? filterOf(from, to, to / divisor);
    filters.set(key, filter);
    return polyphase(to / divisor, from / divisor, filter);
  };
}

interface Filter {
  /** Input samples per output sample. */
  readonly taps: number;
  /** One row of weights for each position of an output sample between two input samples. */
  readonly phases: readonly Float64Array[];
}

function polyphase(up: number, down: number, { taps, phases }: Filter): Resampler {
  const half = taps / 2;
  // Starts with silence, so that the first output aligns with the first input.
  let pending: Samples = silence(half - 1);
  /** Position of the next output in `pending`, in `up`ths of an input sample. */
  let position = 0;

  function push(samples: Samples): Samples {
    const input = joinSamples([pending, samples]);
    const count = Math.max(0, Math.ceil(((input.length - taps + 1) * up - position) / down));
    const output = new Float32Array(count);
    for (let at = 0; at < count; at++) {
      const first = Math.floor(position / up);
      output[at] = weighted(input, first, phases[position - first * up] as Float64Array);
      position += down;
    }
    const used = Math.min(Math.floor(position / up), input.length);
    pending = input.slice(used);
    position -= used * up;
    return output;
  }
  return { push, flush: () => push(silence(half)) };
}

/** The sum of samples from `first` on, each times its weight, as four sums: an addition need not wait for the one before it. */
function weighted(input: Samples, first: number, weights: Float64Array): number {
  let [one, two, three, four] = [0, 0, 0, 0];
  for (let tap = 0; tap < weights.length; tap += 4) {
    one += (input[first + tap] as number) * (weights[tap] as number);
    two += (input[first + tap + 1] as number) * (weights[tap + 1] as number);
    three += (input[first + tap + 2] as number) * (weights[tap + 2] as number);
    four += (input[first + tap + 3] as number) * (weights[tap + 3] as number);
  }
  return one + two + three + four;
}

function filterOf(from: number, to: number, up: number): Filter {
  const cutoff = (PASS * Math.min(from, to)) / from;
  // Even, so that the taps are a multiple of four.
  const half = 2 * Math.ceil(CROSSINGS / cutoff / 2);
  const taps = 2 * half;
  const phases = Array.from({ length: up }, (_, phase) => {
    const row = Float64Array.from({ length: taps }, (_, tap) => {
      const distance = tap - (half - 1) - phase / up;
      return cutoff * sinc(cutoff * distance) * kaiser(distance / half);
    });
    // Rows have equal sums; otherwise a constant signal would be modulated.
    const sum = row.reduce((total, weight) => total + weight, 0);
    return row.map((weight) => weight / sum);
  });
  return { taps, phases };
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function kaiser(x: number): number {
  return Math.abs(x) >= 1 ? 0 : bessel(BETA * Math.sqrt(1 - x * x)) / bessel(BETA);
}

/** Modified Bessel function of the first kind and order zero, by its series. */
function bessel(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; term > 1e-12 * sum; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function greatestCommonDivisor(one: number, other: number): number {
  return other === 0 ? one : greatestCommonDivisor(other, one % other);
}
