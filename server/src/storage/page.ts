import type { Page } from "./contract.ts";

/** Cuts rows that were read one beyond the limit to a page; `last` is set only when that one more was there. */
export function toPage<Stored, Row>(
  stored: readonly Stored[],
  limit: number,
  toRow: (stored: Stored) => Row,
  positionOf: (stored: Stored) => readonly [string | number, string],
): Page<Row> {
  const kept = stored.slice(0, limit);
  const rows = kept.map(toRow);
  const final = kept.at(-1);
  return stored.length > limit && final !== undefined ? { rows, last: positionOf(final) } : { rows };
}
