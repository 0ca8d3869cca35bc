/** How a sequence of DTMF digits ends. */
interface DtmfSettings {
  /** "" = no digit ends it. */
  readonly finishDigit: string;
  /** Milliseconds after the last digit. */
  readonly endpointingMs: number;
}

/** The defaults (SESS-15). */
export const DEFAULT_DTMF: DtmfSettings = { finishDigit: "#", endpointingMs: 3_000 };

/** A longer sequence ends by itself. */
const MAX_DIGITS = 64;

/** Collects DTMF digits that arrive one by one into sequences. */
export class DtmfCollector {
  settings = DEFAULT_DTMF;
  #sequence = "";
  #lastPressedAt = 0;

  /** Adds digits. Returns the sequences that they complete, each without its finish digit unless that is the only digit. */
  press(keys: string, now: number): readonly string[] {
    const sequences: string[] = [];
    for (const key of keys) {
      this.#lastPressedAt = now;
      this.#sequence += key;
      if (key !== this.settings.finishDigit && this.#sequence.length < MAX_DIGITS) continue;
      sequences.push(...this.take());
    }
    return sequences;
  }

  /** Milliseconds until the sequence times out; undefined while there is none. */
  remainingMs(now: number): number | undefined {
    return this.#sequence === "" ? undefined : Math.max(0, this.#lastPressedAt + this.settings.endpointingMs - now);
  }

  /** Takes the sequence as it is. */
  take(): readonly string[] {
    const sequence = this.#sequence;
    this.#sequence = "";
    const { finishDigit } = this.settings;
    if (sequence === "") return [];
    return [
      sequence.length > 1 && finishDigit !== "" && sequence.endsWith(finishDigit) ? sequence.slice(0, -1) : sequence,
    ];
  }
}
