import { type AudioChunk, createResampler, joinSamples, type Samples } from "#speech";

/** Mixes looped audio under the agent's audio; it continues where the previous answer ended. `rate` is the output rate in Hertz. */
export function createAmbientMixer(sound: AudioChunk, gainDb: number, rate: number): (samples: Samples) => Samples {
  const resampler = createResampler(sound.rate, rate);
  const loop = joinSamples([resampler.push(sound.samples), resampler.flush()]);
  const gain = 10 ** (Math.max(-96, Math.min(16, gainDb)) / 20);
  let at = 0;
  return (samples) => {
    if (loop.length === 0) return samples;
    const mixed = new Float32Array(samples.length);
    for (let position = 0; position < mixed.length; position++) {
      mixed[position] = (samples[position] ?? 0) + gain * (loop[at] ?? 0);
      at = (at + 1) % loop.length;
    }
    return mixed;
  };
}
