import { joinSamples, type Samples } from "./samples.ts";

/** How speech is told from everything else. Milliseconds are of the sound, not of the clock. */
export interface VoiceActivityOptions {
  /** Hertz. */
  readonly rate: number;
  /** How far speech stands above the noise around it, dB. Default 9; louder surroundings want more. */
  readonly marginDb?: number;
  /** Sound below this level is never speech, dB of full scale. Default -55. */
  readonly thresholdDb?: number;
  /** How much speech begins an utterance, so that a click does not. Default 80. */
  readonly onsetMs?: number;
  /** How much silence ends one. Default 700. */
  readonly endMs?: number;
  /** The longest utterance; it is then ended where it is. Default 60,000. */
  readonly longestMs?: number;
}

/** What a piece of sound turned out to be. */
export type VoiceEvent =
  /** Somebody begins to speak; `samples` start a little before. */
  | { readonly kind: "begin"; readonly samples: Samples }
  /** More of the utterance, its pauses included. `voicedMs`: speech in it so far. */
  | { readonly kind: "speech"; readonly samples: Samples; readonly voicedMs: number }
  | { readonly kind: "end" };

/** Finds utterances in a stream of sound. */
export interface VoiceActivity {
  push(samples: Samples): readonly VoiceEvent[];
  /** Ends an utterance that is open, because no more sound will come. */
  end(): readonly VoiceEvent[];
  /** Whether an utterance is open. */
  readonly speaking: boolean;
}

const FRAME_MS = 20;
/** Sound that is kept from before an utterance: its first consonant is softer than what gives it away. */
const BEFORE_MS = 300;
/** How fast the noise floor follows, dB a second: up slowly, since speech is no noise; down at once when it grows quiet. */
const FLOOR_RISE = 10;
const FLOOR_FALL = 60;
/** Rise while an utterance is open: slower still, but a fan that was switched on must not be an utterance for ever. */
const FLOOR_RISE_SPEAKING = 3;
/** The noise floor is taken from the quietest of the first frames, within these bounds, dB. Nothing begins before. */
const CALIBRATION_FRAMES = 10;
const LOWEST_FLOOR = -70;
const HIGHEST_FIRST_FLOOR = -35;

/**
 * Creates a detector by level: frames of 20 ms that stand `marginDb` above a noise floor which adapts are speech. Deterministic,
 * about a microsecond a frame.
 */
export function createVoiceActivity(options: VoiceActivityOptions): VoiceActivity {
  const { rate, marginDb = 9, thresholdDb = -55, onsetMs = 80, endMs = 700, longestMs = 60_000 } = options;
  const frameLength = Math.round((rate * FRAME_MS) / 1_000);
  let rest: Samples = new Float32Array(0);
  let before: Samples[] = [];
  let floorDb = HIGHEST_FIRST_FLOOR;
  let calibrated = 0;
  let onset = 0;
  let quietMs = 0;
  let voicedMs = 0;
  let openMs = 0;
  let speaking = false;

  function isSpeech(frame: Samples): boolean {
    const levelDb = levelOf(frame);
    const loud = levelDb > Math.max(thresholdDb, floorDb + marginDb);
    if (calibrated < CALIBRATION_FRAMES) {
      calibrated++;
      floorDb = Math.max(LOWEST_FLOOR, Math.min(levelDb, floorDb));
      return false;
    }
    const step = FRAME_MS / 1_000;
    const rise = speaking ? FLOOR_RISE_SPEAKING : FLOOR_RISE;
    floorDb =
      levelDb > floorDb
        ? Math.min(levelDb, floorDb + rise * step)
        : Math.max(levelDb, LOWEST_FLOOR, floorDb - FLOOR_FALL * step);
    return loud;
  }

  /** Speech comes in bursts, so a frame of silence takes back only a part of what spoke for an onset. */
  function waiting(frame: Samples): readonly VoiceEvent[] {
    before.push(frame);
    if (before.length > BEFORE_MS / FRAME_MS) before.shift();
    onset = isSpeech(frame) ? onset + FRAME_MS : Math.max(0, onset - 2 * FRAME_MS);
    if (onset < onsetMs) return [];
    speaking = true;
    voicedMs = onset;
    openMs = onset;
    quietMs = 0;
    const samples = joinSamples(before);
    before = [];
    return [{ kind: "begin", samples }];
  }

  function open(frame: Samples): readonly VoiceEvent[] {
    openMs += FRAME_MS;
    if (isSpeech(frame)) {
      voicedMs += FRAME_MS;
      quietMs = 0;
    } else quietMs += FRAME_MS;
    const speech: VoiceEvent = { kind: "speech", samples: frame, voicedMs };
    return quietMs >= endMs || openMs >= longestMs ? [speech, ...end()] : [speech];
  }

  function end(): readonly VoiceEvent[] {
    if (!speaking) return [];
    speaking = false;
    onset = 0;
    return [{ kind: "end" }];
  }

  return {
    get speaking() {
      return speaking;
    },
    end,
    push(samples) {
      const all = rest.length === 0 ? samples : joinSamples([rest, samples]);
      const events: VoiceEvent[] = [];
      let at = 0;
      for (; at + frameLength <= all.length; at += frameLength) {
        const frame = all.slice(at, at + frameLength);
        events.push(...(speaking ? open(frame) : waiting(frame)));
      }
      rest = all.slice(at);
      return events;
    },
  };
}

/** Level of a frame, dB of full scale, without its constant part. */
function levelOf(frame: Samples): number {
  let sum = 0;
  let squares = 0;
  for (const sample of frame) {
    sum += sample;
    squares += sample * sample;
  }
  const mean = sum / frame.length;
  return 10 * Math.log10(Math.max(1e-10, squares / frame.length - mean * mean));
}
