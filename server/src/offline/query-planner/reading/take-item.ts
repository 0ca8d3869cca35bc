import type { Item } from "../parse/item.ts";
import type { Reading } from "./reading.ts";
import { takeAverageBound } from "./take-average-bound.ts";
import { takeBound } from "./take-bound.ts";
import { takeFollowUp } from "./take-follow-up.ts";
import { takeReference } from "./take-reference.ts";
import { takeTime } from "./take-time.ts";
import { takeTop } from "./take-top.ts";
import { takeNumber, takeQuoted } from "./take-value.ts";
import { takeWish } from "./take-wish.ts";
import { takeWord } from "./take-word.ts";

/** Gives the piece at `at` its place in the reading. */
export function takeItem(reading: Reading, item: Item, at: number): void {
  switch (item.kind) {
    case "ref":
      takeReference(reading, item, at);
      return;
    case "top":
      takeTop(reading, item);
      return;
    case "compare":
    case "between":
      takeBound(reading, item, at);
      return;
    case "average-bound":
      takeAverageBound(reading, item.comparison);
      return;
    case "period":
    case "grain":
    case "part":
    case "unit":
      takeTime(reading, item);
      return;
    case "quoted":
      takeQuoted(reading, item.text);
      return;
    case "number":
      takeNumber(reading, item);
      return;
    case "follow-up":
      takeFollowUp(reading, item, at);
      return;
    case "unknown":
      reading.unknown.push(item.text);
      return;
    case "share":
    case "growth":
    case "running":
    case "latest":
    case "chart":
      takeWish(reading, item, at);
      return;
    default:
      takeWord(reading, item);
      return;
  }
}
