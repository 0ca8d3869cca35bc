import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createResamplers } from "./resampler.ts";

const createResampler = createResamplers();

import { joinSamples, type Samples } from "./samples.ts";

const RATES = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000];

function toneOf(frequency: number, rate: number, seconds = 0.5): Samples {
  return Float32Array.from(
    { length: Math.round(rate * seconds) },
    (_, at) => 0.5 * Math.sin((2 * Math.PI * frequency * at) / rate),
  );
}

function resampled(samples: Samples, from: number, to: number, piece = samples.length): Samples {
  const resampler = createResampler(from, to);
  const pieces: Samples[] = [];
  for (let at = 0; at < samples.length; at += piece) pieces.push(resampler.push(samples.subarray(at, at + piece)));
  return joinSamples([...pieces, resampler.flush()]);
}

/** Level of the middle of a sound, dB of full scale. */
function levelDb(samples: Samples): number {
  const middle = samples.subarray(samples.length >> 2, (3 * samples.length) >> 2);
  return 10 * Math.log10(1e-12 + middle.reduce((sum, sample) => sum + sample * sample, 0) / middle.length);
}

describe("the resampler", () => {
  it("keeps a tone that fits both rates, in level, pitch and place", () => {
    for (const from of RATES) {
      for (const to of RATES) {
        const output = resampled(toneOf(1_000, from), from, to);
        const wanted = toneOf(1_000, to);
        assert.ok(Math.abs(output.length - wanted.length) <= 1 + to / from, `${from} to ${to}: ${output.length}`);
        const difference = wanted.subarray(0, output.length).map((sample, at) => sample - (output[at] ?? 0));
        assert.ok(levelDb(difference) < -60, `${from} to ${to}: off by ${levelDb(difference)} dB`);
      }
    }
  });

  it("removes frequencies above the lower rate's limit: aliases are 40 dB down and more", () => {
    for (const [from, to] of [
      [48_000, 8_000],
      [44_100, 16_000],
      [24_000, 8_000],
      [16_000, 11_025],
      [48_000, 44_100],
    ] as const) {
      for (const above of [1.05, 1.3, 1.9]) {
        const frequency = (to / 2) * above;
        if (frequency >= from / 2) continue;
        const level = levelDb(resampled(toneOf(frequency, from), from, to)) - levelDb(toneOf(frequency, from));
        assert.ok(level < -40, `${frequency} Hz, ${from} to ${to}: ${level} dB`);
      }
    }
  });

  it("adds no mirror image of a tone when the rate rises", () => {
    const output = resampled(toneOf(3_000, 8_000), 8_000, 24_000);
    const mirror = toneOf(5_000, 24_000);
    const cosine = mirror.map((_, at) => 0.5 * Math.cos((2 * Math.PI * 5_000 * at) / 24_000));
    const along = (axis: Samples) => axis.reduce((sum, sample, at) => sum + sample * (output[at] ?? 0), 0);
    const power = (along(mirror) ** 2 + along(cosine) ** 2) / (0.125 * output.length) ** 2;
    assert.ok(10 * Math.log10(power) < -40);
  });

  it("gives the same output for any chunk sizes", () => {
    const tone = toneOf(700, 44_100, 0.1);
    const whole = resampled(tone, 44_100, 16_000);
    for (const piece of [1, 160, 441, 1_000])
      assert.deepEqual(resampled(tone, 44_100, 16_000, piece), whole, `pieces of ${piece}`);
  });

  it("does not change audio of the right rate", () => {
    const tone = toneOf(700, 16_000, 0.01);
    assert.equal(createResampler(16_000, 16_000).push(tone), tone);
  });
});
