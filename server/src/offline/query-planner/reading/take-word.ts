import type { Item } from "../parse/item.ts";
import type { Reading } from "./reading.ts";

/** A word that says nothing alone: it asks something of the words behind it, or of the question as a whole. */
export type Word = Extract<
  Item,
  {
    kind:
      | "aggregate"
      | "count"
      | "group"
      | "which"
      | "list"
      | "moment"
      | "shift"
      | "event"
      | "money"
      | "both"
      | "over-time"
      | "not"
      | "versus";
  }
>;

/** Keeps a word until what it belongs to is read. */
export function takeWord(reading: Reading, word: Word): void {
  const { pending, said } = reading;
  switch (word.kind) {
    case "aggregate":
      pending.aggregate = word.fn;
      return;
    case "count":
      pending.count = true;
      return;
    case "group":
      pending.group = true;
      said.per = word.word === "per";
      return;
    case "which":
      takeWhich(reading, word);
      return;
    case "list":
      said.listed = true;
      return;
    case "moment":
      reading.moment = word.fn;
      return;
    case "shift":
      reading.shift = word.grain;
      return;
    case "event":
      said.event = true;
      return;
    case "money":
      said.money = true;
      return;
    case "both":
      reading.unknown.push("both");
      return;
    case "over-time":
      said.overTime = true;
      return;
    case "not":
      pending.negated = true;
      said.openNegation = true;
      return;
    case "versus":
      pending.group = false;
      said.versus = true;
      return;
  }
}

/** "customers who joined": behind a name it only goes on about it. */
function takeWhich({ subjects, draft, pending, said }: Reading, { person }: Extract<Item, { kind: "which" }>): void {
  if (person && (subjects.length > 0 || draft.measures.length > 0 || draft.dimensions.length > 0)) return;
  pending.which = true;
  said.person ||= person ?? false;
}
