import { spawnSync } from "node:child_process";
import { createResamplers, joinSamples, readWav, type Samples, silence } from "#speech";

/** Why tests with real speech do not run here; undefined when they do. */
export const NO_ESPEAK: string | undefined =
  spawnSync("espeak-ng", ["--version"]).status === 0 ? undefined : "espeak-ng is not installed";

const said = new Map<string, Samples>();

/** A phrase as espeak-ng says it, at 16 kHz. Each is made once. */
export function phrase(text: string, wordsPerMinute = 165): Samples {
  const key = `${wordsPerMinute} ${text}`;
  const known = said.get(key);
  if (known) return known;
  const { stdout, status } = spawnSync(
    "espeak-ng",
    ["--stdin", "--stdout", "-v", "en-us", "-s", String(wordsPerMinute)],
    {
      input: text,
    },
  );
  if (status !== 0) throw new Error(`espeak-ng ended with ${status}`);
  const { samples, rate } = readWav(stdout);
  const spoken = atRate(samples, rate, 16_000);
  said.set(key, spoken);
  return spoken;
}

/** A phrase with silence around it, so that it begins and ends for the one who listens. */
export function utterance(text: string, rate = 16_000): Samples {
  return atRate(joinSamples([silence(6_400), phrase(text), silence(16_000)]), 16_000, rate);
}

/** Sound at another rate. */
export function atRate(samples: Samples, from: number, to: number): Samples {
  const resampler = createResamplers()(from, to);
  return joinSamples([resampler.push(samples), resampler.flush()]);
}
