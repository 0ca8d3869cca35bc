import type { Item } from "../parse/item.ts";
import type { Reading } from "./reading.ts";

/** "what about", "and by": only at its beginning does a question change the one before. */
export function takeFollowUp(reading: Reading, { adds }: Extract<Item, { kind: "follow-up" }>, at: number): void {
  const { items, said } = reading;
  if (items.slice(0, at).some(({ kind }) => kind !== "follow-up")) {
    if (adds && goesOnGrouping(reading, at)) reading.pending.group = true;
    return;
  }
  said.followsUp = true;
  said.adds ||= adds ?? false;
}

/** "by segment and region": the table behind the "and" groups too. */
function goesOnGrouping({ items, draft, last }: Reading, at: number): boolean {
  const [before, next] = [items[at - 1], items[at + 1]];
  const grouped = draft.dimensions.at(-1);
  if (before?.kind !== "ref" || next?.kind !== "ref" || !next.meanings.some(({ kind }) => kind === "table"))
    return false;
  if (grouped?.kind === "column") return last?.kind === "column" && last.column === grouped.column;
  return grouped?.kind === "entity" && last?.kind === "table" && last.table === grouped.table;
}
