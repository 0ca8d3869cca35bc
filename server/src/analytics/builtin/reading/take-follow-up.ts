import type { Item } from "../parse/item.ts";
import type { Reading } from "./reading.ts";

/** "what about", "and by": only at its beginning does a question change the one before. */
export function takeFollowUp(
  { items, said }: Reading,
  { adds }: Extract<Item, { kind: "follow-up" }>,
  at: number,
): void {
  if (items.slice(0, at).some(({ kind }) => kind !== "follow-up")) return;
  said.followsUp = true;
  said.adds ||= adds ?? false;
}
