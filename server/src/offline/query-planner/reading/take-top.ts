import type { Item } from "../parse/item.ts";
import type { Reading } from "./reading.ts";

/** How many a ranking shows where several are asked for without a number. */
const SEVERAL = 10;

/** "top 5", "highest", "cheapest": a number that was said before stays. */
export function takeTop(
  { draft, said, pending }: Reading,
  { count, direction, by }: Extract<Item, { kind: "top" }>,
): void {
  said.rankedByPrice ||= by === "price";
  draft.top = { count: count ?? draft.top?.count, direction };
  pending.top = true;
}

/** Gives a ranking without a number one: "best products" are several, "best product" is one. */
export function completeTop({ draft }: Reading, plural: boolean): void {
  const { top } = draft;
  if (top && top.count === undefined) draft.top = { count: plural ? SEVERAL : 1, direction: top.direction };
}
