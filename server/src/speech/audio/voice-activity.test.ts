import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { joinSamples, type Samples, silence } from "./samples.ts";
import { createVoiceActivity, type VoiceActivityOptions } from "./voice-activity.ts";

const RATE = 16_000;

/** Noise of a level, dB of full scale; the same each time. */
function noise(seconds: number, levelDb: number): Samples {
  let seed = 1;
  const peak = 10 ** (levelDb / 20) * Math.sqrt(3);
  return Float32Array.from({ length: seconds * RATE }, () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return peak * (seed / 1_073_741_824 - 1);
  });
}

/** Something like speech: a buzz of harmonics in syllables of 160 ms with gaps of 60 ms. */
function speech(seconds: number, levelDb = -20): Samples {
  const peak = 10 ** (levelDb / 20);
  return Float32Array.from({ length: seconds * RATE }, (_, at) => {
    const inSyllable = (at % 3_520) / 2_560;
    const envelope = inSyllable < 1 ? Math.sin(Math.PI * inSyllable) : 0;
    const buzz = [1, 2, 3, 5, 8].reduce(
      (sum, harmonic) => sum + Math.sin((2 * Math.PI * 140 * harmonic * at) / RATE),
      0,
    );
    return (peak * envelope * buzz) / 2;
  });
}

function mixed(one: Samples, other: Samples): Samples {
  return one.map((sample, at) => sample + (other[at] ?? 0));
}

/** Begin and end of each utterance, in tenths of a second of the sound. */
function utterances(
  sound: Samples,
  options: Partial<VoiceActivityOptions> = {},
): readonly (readonly [number, number])[] {
  const activity = createVoiceActivity({ rate: RATE, ...options });
  const found: [number, number][] = [];
  for (let at = 0; at < sound.length; at += 1_600) {
    for (const { kind } of activity.push(sound.subarray(at, at + 1_600))) {
      if (kind === "begin") found.push([at / 1_600, -1]);
      const last = found.at(-1);
      if (kind === "end" && last) last[1] = at / 1_600;
    }
  }
  return found;
}

/** Two seconds of silence, one of speech, two of silence. */
const SAID = joinSamples([silence(2 * RATE), speech(1), silence(2 * RATE)]);

describe("voice activity", () => {
  it("finds an utterance between silences, and its end 0.7 seconds after the last speech", () => {
    const [found, ...more] = utterances(SAID);
    assert.deepEqual(more, []);
    assert.ok(found && found[0] >= 20 && found[0] <= 21, `begins at ${found?.[0]}`);
    assert.ok(found[1] >= 36 && found[1] <= 37, `ends at ${found[1]}`);
  });

  it("emits audio from shortly before the utterance, so that it includes the first consonant", () => {
    const activity = createVoiceActivity({ rate: RATE });
    const sound = activity.push(SAID).flatMap((event) => (event.kind === "end" ? [] : [event.samples]));
    const all = joinSamples(sound);
    const first = all.findIndex((sample) => Math.abs(sample) > 1e-6);
    assert.ok(first > 0.15 * RATE && first <= 0.3 * RATE, `speech starts ${first} samples in`);
    assert.deepEqual(all.subarray(first, first + RATE / 2), SAID.subarray(2 * RATE + 1, 2.5 * RATE + 1));
  });

  it("finds the same in noise, whether soft or loud, and none in noise alone", () => {
    for (const level of [-60, -45, -35]) {
      assert.deepEqual(utterances(noise(10, level)), [], `noise of ${level} dB`);
      assert.equal(utterances(mixed(SAID, noise(5, level))).length, 1, `speech in noise of ${level} dB`);
    }
  });

  it("gets used to noise that begins in the middle", () => {
    const sound = joinSamples([silence(2 * RATE), noise(20, -40)]);
    const found = utterances(sound);
    assert.ok(found.length <= 1 && found.every(([, end]) => end > 0 && end < 150), JSON.stringify(found));
  });

  it("does not detect a click as speech", () => {
    const click = joinSamples([silence(RATE), noise(0.04, -10), silence(2 * RATE)]);
    assert.deepEqual(utterances(click), []);
  });

  it("does not split an utterance at its pauses, and ends it sooner when configured to", () => {
    const paused = joinSamples([silence(RATE), speech(1), silence(RATE / 2), speech(1), silence(2 * RATE)]);
    assert.equal(utterances(paused).length, 1);
    assert.equal(utterances(paused, { endMs: 300 }).length, 2);
  });

  it("needs louder speech when it is configured for a loud environment", () => {
    const soft = mixed(joinSamples([silence(2 * RATE), speech(1, -32), silence(2 * RATE)]), noise(5, -45));
    assert.equal(utterances(soft, { marginDb: 7 }).length, 1);
    assert.deepEqual(utterances(soft, { marginDb: 15 }), []);
  });

  it("ends an utterance at the maximum length", () => {
    const endless = joinSamples([silence(RATE), speech(10)]);
    const found = utterances(endless, { maxUtteranceMs: 3_000 });
    assert.ok(found.length >= 2);
    assert.equal((found[0]?.[1] ?? 0) - (found[0]?.[0] ?? 0) <= 31, true);
  });

  it("ends an open utterance at the end of the audio", () => {
    const activity = createVoiceActivity({ rate: RATE });
    activity.push(SAID.subarray(0, 2.5 * RATE));
    assert.equal(activity.speaking, true);
    assert.deepEqual(activity.end(), [{ kind: "end" }]);
    assert.equal(activity.speaking, false);
    assert.deepEqual(activity.end(), []);
  });
});
