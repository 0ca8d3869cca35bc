import type { Token } from "#analytics";
import { type FoundPeriod, readNamed } from "./named-period.ts";
import { readBounds, readFromTo } from "./period-range.ts";
import { readRelative } from "./relative-period.ts";

/** Reads a period that begins at `at`: "last month", "in Q3 2025", "since March", "between May and July 2025", "past 30 days". */
export function readPeriod(tokens: readonly Token[], at: number, now: Date): FoundPeriod | undefined {
  return (
    readBounds(tokens, at, now) ??
    readFromTo(tokens, at, now) ??
    readRelative(tokens, at, now) ??
    readNamed(tokens, at, now)
  );
}
