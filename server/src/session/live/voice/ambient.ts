import type { AmbientSoundConfig } from "@frontdesk/protos/ces/app";
import { LRUCache } from "lru-cache";
import { type CreateResampler, joinSamples, type Samples } from "#speech";
import type { Recordings } from "./recordings.ts";
import { resampled } from "./resampled.ts";

/** Sounds that are kept for the calls of a server: a sound of three minutes at 48 kHz takes 34 MB. */
const MAX_LOOPS = 4;
/** How long one is kept, milliseconds: the file may be another by then. */
const LOOP_TTL_MS = 600_000;

/** The ambient sounds of a server: each is loaded and resampled once for many calls. */
export interface AmbientSounds {
  /** What mixes the sound under audio of `rate` Hertz, from its beginning; undefined when the config names none. Rejects as `load` does. */
  mixer(
    config: AmbientSoundConfig,
    rate: number,
    load: Recordings["ambient"],
  ): Promise<((samples: Samples) => Samples) | undefined>;
}

/** Creates the ambient sounds of a server. */
export function createAmbientSounds(createResampler: CreateResampler): AmbientSounds {
  const loops = new LRUCache<string, Promise<Samples | undefined>>({ max: MAX_LOOPS, ttl: LOOP_TTL_MS });

  async function loopOf(config: AmbientSoundConfig, rate: number, load: Recordings["ambient"]) {
    const sound = await load(config);
    if (!sound) return undefined;
    const pieces: Samples[] = [];
    for await (const piece of resampled([sound], (from) => createResampler(from, rate))) pieces.push(piece);
    return joinSamples(pieces);
  }

  return {
    async mixer(config, rate, load) {
      const key = `${config.source.case} ${config.source.value} ${rate}`;
      const loading = loops.get(key) ?? loopOf(config, rate, load);
      loops.set(key, loading);
      try {
        const loop = await loading;
        return loop && mixerOf(loop, config.volumeGainDb);
      } catch (error) {
        loops.delete(key);
        throw error;
      }
    },
  };
}

/** Mixes a looped sound under the agent's audio; it continues where the previous answer ended. */
function mixerOf(loop: Samples, gainDb: number): (samples: Samples) => Samples {
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
