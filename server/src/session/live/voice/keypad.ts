/** How a row of keys ends. */
export interface KeypadSettings {
  /** "" = no key ends it. */
  readonly finishDigit: string;
  /** Milliseconds after the last key. */
  readonly endpointingMs: number;
}

/** As a sister service of Google's documents it (ces-runtime 2.11). */
export const USUAL_KEYPAD: KeypadSettings = { finishDigit: "#", endpointingMs: 3_000 };

/** A row that is longer than any number a caller is asked for ends by itself. */
const MOST_KEYS = 64;

/** Gathers keys that come one by one into rows. */
export class Keypad {
  settings = USUAL_KEYPAD;
  #row = "";
  #pressedAt = 0;

  /** Keys that were pressed; answers the rows that they complete, each without its finish digit unless it is all there is. */
  press(keys: string, now: number): readonly string[] {
    const rows: string[] = [];
    for (const key of keys) {
      this.#pressedAt = now;
      this.#row += key;
      if (key !== this.settings.finishDigit && this.#row.length < MOST_KEYS) continue;
      rows.push(...this.take());
    }
    return rows;
  }

  /** Milliseconds until the row ends by itself; undefined while there is none. */
  remainingMs(now: number): number | undefined {
    return this.#row === "" ? undefined : Math.max(0, this.#pressedAt + this.settings.endpointingMs - now);
  }

  /** The row as it is. */
  take(): readonly string[] {
    const row = this.#row;
    this.#row = "";
    const { finishDigit } = this.settings;
    if (row === "") return [];
    return [row.length > 1 && finishDigit !== "" && row.endsWith(finishDigit) ? row.slice(0, -1) : row];
  }
}
