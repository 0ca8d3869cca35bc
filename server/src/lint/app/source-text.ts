import type { Place } from "../contract.ts";

/** A text file, with lines and columns. */
export class SourceText {
  readonly file: string;
  readonly text: string;
  #lineStarts: readonly number[] | undefined;

  /** `file` is the path from the linted folder. */
  constructor(file: string, text: string) {
    this.file = file;
    this.text = text;
  }

  /** The place of an offset in UTF-16 units. */
  placeAt(offset: number): Place {
    const starts = this.#starts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { file: this.file, line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }

  /** The offset of a line and column, both from 1. */
  offsetOf(line: number, column: number): number {
    return (this.#starts()[line - 1] ?? this.text.length) + column - 1;
  }

  #starts(): readonly number[] {
    this.#lineStarts ??= [0, ...[...this.text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    return this.#lineStarts;
  }
}
