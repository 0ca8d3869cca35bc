import type { Token } from "#analytics";
import type { Meaning } from "../lexicon/meaning.ts";
import { columnLabel } from "../lexicon/names.ts";

/** What columns are called whose values something comes from, and goes to. */
const DIRECTIONS: Readonly<Record<string, RegExp>> = {
  from: /\b(from|origin|source|departure|start|sender|shipper|pickup)\b/,
  to: /\b(to|destination|dest|target|arrival|end|receiver|recipient|consignee|dropoff)\b/,
};

/** "flights to LIS": of a value that two columns of a table have, the one that the word before it says; all where it says none (CA-88). */
export function inDirection(tokens: readonly Token[], at: number, meanings: readonly Meaning[]): readonly Meaning[] {
  const direction = DIRECTIONS[tokens[at - 1]?.stem ?? ""];
  if (!direction || meanings.length < 2) return meanings;
  const meant = meanings.filter((one) => one.kind === "value" && direction.test(columnLabel(one.table, one.column)));
  return meant.length === 1 ? meant : meanings;
}

/** "of the store": articles in between are ignored. */
export function isAfterOf(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.stem;
  return before === "of" || (["the", "a", "our", "their"].includes(before ?? "") && tokens[at - 2]?.stem === "of");
}
