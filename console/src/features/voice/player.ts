/** Hertz at which the agent speaks. */
export const OUTPUT_SAMPLE_RATE_HERTZ = 24_000;

/** Plays the audio of the agent in order. */
export interface Player {
  /** 16-bit samples, mono. */
  play(sound: Uint8Array): void;
  /** Stops playback at once, because the user has interrupted. */
  stop(): void;
  close(): void;
}

/** Opens audio output. Must be called in a user gesture, or browsers mute it. */
export function openPlayer(): Player {
  const context = new AudioContext();
  let next = 0;
  let playing: AudioBufferSourceNode[] = [];
  return {
    play(sound) {
      const samples = new DataView(sound.buffer, sound.byteOffset, sound.byteLength - (sound.byteLength % 2));
      if (samples.byteLength === 0) return;
      const buffer = context.createBuffer(1, samples.byteLength / 2, OUTPUT_SAMPLE_RATE_HERTZ);
      const channel = buffer.getChannelData(0);
      for (let at = 0; at < channel.length; at++) channel[at] = samples.getInt16(at * 2, true) / 32_768;
      const source = context.createBufferSource();
      source.buffer = buffer;
      source.connect(context.destination);
      next = Math.max(next, context.currentTime);
      source.start(next);
      next += buffer.duration;
      playing.push(source);
      source.onended = () => {
        playing = playing.filter((other) => other !== source);
      };
    },
    stop() {
      for (const source of playing) source.stop();
      playing = [];
      next = 0;
    },
    close: () => void context.close(),
  };
}
