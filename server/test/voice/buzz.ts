import { joinSamples, type Samples, silence } from "#speech";

/** Something that a voice detector takes for speech: harmonics in syllables. What it says is up to the recognizer. */
export function buzz(seconds: number, rate = 8_000): Samples {
  return Float32Array.from({ length: Math.round(seconds * rate) }, (_, at) => {
    const inSyllable = ((at / rate) % 0.22) / 0.16;
    const envelope = inSyllable < 1 ? Math.sin(Math.PI * inSyllable) : 0;
    const harmonics = [1, 2, 3, 5, 8].map((harmonic) => Math.sin((2 * Math.PI * 140 * harmonic * at) / rate));
    return 0.05 * envelope * harmonics.reduce((sum, value) => sum + value, 0);
  });
}

/** A short utterance between silences, at 8 kHz. */
export const SAID: Samples = joinSamples([silence(3_200), buzz(0.6), silence(6_400)]);
