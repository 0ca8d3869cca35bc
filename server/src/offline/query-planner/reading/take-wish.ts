import type { Item } from "../parse/item.ts";
import type { Reading } from "./reading.ts";

/** How the rows are wanted: as shares, as growth, added up, the newest of them, as a picture. */
export type Wish = Extract<Item, { kind: "share" | "growth" | "running" | "latest" | "chart" }>;

/** Notes in the draft how its rows are wanted. */
export function takeWish({ draft, said, items, unknown }: Reading, wish: Wish, at: number): void {
  switch (wish.kind) {
    case "share":
      if (items[at - 1]?.kind === "top")
        unknown.push("percent"); // "top 10 percent" is a part of a ranking, no share
      else draft.share = true;
      return;
    case "growth":
      draft.growth = draft.growth === "year" ? "year" : wish.against;
      return;
    case "running":
      draft.running = true;
      return;
    case "latest":
      said.listed = true;
      draft.latest = wish.count;
      return;
    case "chart":
      draft.chart = { ...draft.chart, mark: wish.mark };
      return;
  }
}
