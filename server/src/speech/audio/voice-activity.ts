import { joinSamples, type Samples } from "./samples.ts";

/** Settings of voice activity detection. Milliseconds are audio time, not clock time. */
export interface VoiceActivityOptions {
  /** Hertz. */
  readonly rate: number;
  /** How far speech must be above the noise floor, dB. Default 9; more for louder surroundings. */
  readonly marginDb?: number;
  /** Audio below this level is never speech, dBFS. Default -55. */
  readonly thresholdDb?: number;
  /** How much speech starts an utterance. Default 80, so that a click does not. */
  readonly onsetMs?: number;
  /** How much silence ends an utterance. Default 700. */
  readonly endMs?: number;
  /** Longest utterance; it is then ended. Default 60,000. */
  readonly maxUtteranceMs?: number;
}

/** An event of voice activity detection. */
export type VoiceEvent =
  /** Speech starts; `samples` include the pre-roll. */
  | { readonly kind: "begin"; readonly samples: Samples }
  /** More of the utterance, its pauses included. `voicedMs` is the speech in it so far. */
  | { readonly kind: "speech"; readonly samples: Samples; readonly voicedMs: number }
  | { readonly kind: "end" };

/** Detects utterances in an audio stream. */
interface VoiceActivity {
  push(samples: Samples): readonly VoiceEvent[];
  /** Ends an open utterance, because no more audio comes. */
  end(): readonly VoiceEvent[];
  /** Whether an utterance is open. */
  readonly speaking: boolean;
}

const FRAME_MS = 20;
/** Audio from before the detected start: the first consonant is softer than what triggers detection. */
const PRE_ROLL_MS = 300;
/** How fast the noise floor adapts, dB per second: up slowly, because speech is not noise; down quickly. */
const FLOOR_RISE = 10;
const FLOOR_FALL = 60;
/** Rise during an utterance: slower still, but constant noise must not be an utterance for ever. */
const FLOOR_RISE_SPEAKING = 3;
/** The first frames calibrate the noise floor, within these bounds, dB. No utterance starts before. */
const CALIBRATION_FRAMES = 10;
const LOWEST_FLOOR = -70;
const HIGHEST_FIRST_FLOOR = -35;

/**
 * Creates a level-based detector: frames of 20 ms that are `marginDb` above an adaptive noise floor are speech. Deterministic,
 * about a microsecond per frame.
 */
export function createVoiceActivity(options: VoiceActivityOptions): VoiceActivity {
  const { rate, marginDb = 9, thresholdDb = -55, onsetMs = 80, endMs = 700, maxUtteranceMs = 60_000 } = options;
  const frameLength = Math.round((rate * FRAME_MS) / 1_000);
  let rest: Samples = new Float32Array(0);
  let preRoll: Samples[] = [];
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

  /** Speech comes in bursts, so a silent frame reduces the onset counter instead of resetting it. */
  function detectOnset(frame: Samples): readonly VoiceEvent[] {
    preRoll.push(frame);
    if (preRoll.length > PRE_ROLL_MS / FRAME_MS) preRoll.shift();
    onset = isSpeech(frame) ? onset + FRAME_MS : Math.max(0, onset - 2 * FRAME_MS);
    if (onset < onsetMs) return [];
    speaking = true;
    voicedMs = onset;
    openMs = onset;
    quietMs = 0;
    const samples = joinSamples(preRoll);
    preRoll = [];
    return [{ kind: "begin", samples }];
  }

  function continueUtterance(frame: Samples): readonly VoiceEvent[] {
    openMs += FRAME_MS;
    if (isSpeech(frame)) {
      voicedMs += FRAME_MS;
      quietMs = 0;
    } else quietMs += FRAME_MS;
    const speech: VoiceEvent = { kind: "speech", samples: frame, voicedMs };
    return quietMs >= endMs || openMs >= maxUtteranceMs ? [speech, ...end()] : [speech];
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
        events.push(...(speaking ? continueUtterance(frame) : detectOnset(frame)));
      }
      rest = all.slice(at);
      return events;
    },
  };
}

/** Level of a frame, dBFS, without its DC offset. */
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
