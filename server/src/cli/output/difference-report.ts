import type { Difference } from "#app";
import { lineDiff } from "./line-diff.ts";

/** The first difference, for people: the turn, what happened, and the lines. */
export function report({ turn, what, recorded, replayed }: Difference): string {
  return [`turn ${turn}: ${what}`, ...lineDiff(recorded, replayed).map((line) => `  ${line}`), ""].join("\n");
}
