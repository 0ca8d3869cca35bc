import { isKey, isNumeric, isTemporal, type Meaning } from "../lexicon/meaning.ts";
import type { Item } from "../parse/item.ts";
import { type Chosen, chooseMeaning } from "../query/choose-meaning.ts";
import { joinsOf } from "../query/join-graph.ts";
import type { Measure } from "../query/semantic-query.ts";
import { nothingPending, type Reading } from "./reading.ts";
import { takeColumn } from "./take-column.ts";
import { takeTable } from "./take-table.ts";
import { takeValue } from "./take-value.ts";

/** Something of the data: one of its meanings is chosen and takes its place. */
export function takeReference(reading: Reading, item: Extract<Item, { kind: "ref" }>, at: number): void {
  const chosen = choose(reading, item, reading.items[at + 1]);
  if (!chosen) return;
  if (item.guessed) reading.warnings.push(`“${item.text}” is read as “${item.guessed}”.`);
  if (chosen.warning) reading.warnings.push(chosen.warning);
  reading.beforeLast = reading.last;
  reading.last = chosen.meaning;
  takeMeaning(reading, chosen.meaning, item, at);
}

function choose(
  { last, mentioned, model, pending }: Reading,
  { text, meanings: all }: Extract<Item, { kind: "ref" }>,
  next: Item | undefined,
): Chosen | undefined {
  const meanings = ofLastTable(stateOrTime(all, next), last);
  // "average discount" is about the column, also where the author named a total like it.
  const columns = pending.aggregate ? meanings.filter(isNumberColumn) : [];
  return chooseMeaning(text, columns.length > 0 ? columns : meanings, mentioned, joinsOf(model));
}

/** "customers from London in stores in Leeds": a value right behind the name of a table is of that table. */
function ofLastTable(meanings: readonly Meaning[], last: Meaning | undefined): readonly Meaning[] {
  if (last?.kind !== "table" || meanings.some(({ kind }) => kind !== "value")) return meanings;
  const own = meanings.filter(({ table }) => table === last.table);
  return own.length > 0 ? own : meanings;
}

/** "delivered in June" is a time, "delivered orders" is a state of orders, where both are called so. */
function stateOrTime(meanings: readonly Meaning[], next: Item | undefined): readonly Meaning[] {
  const states = meanings.filter(({ kind }) => kind === "value");
  const times = meanings.filter((meaning) => meaning.kind === "column" && isTemporal(meaning.column));
  if (states.length === 0 || times.length === 0) return meanings;
  // "ship by rail" tells how: the word is the verb.
  if (next?.kind === "group") return times;
  return next?.kind === "period" || next?.kind === "grain" || next?.kind === "over-time" ? times : states;
}

function isNumberColumn(meaning: Meaning): boolean {
  return meaning.kind === "column" && isNumeric(meaning.column) && !isKey(meaning.table, meaning.column);
}

function takeMeaning(
  reading: Reading,
  meaning: Meaning,
  { text, plural }: Extract<Item, { kind: "ref" }>,
  at: number,
): void {
  const { table } = meaning;
  switch (meaning.kind) {
    case "rate":
      takeMeasure(reading, { kind: "rate", table, column: meaning.column, value: meaning.value });
      return;
    case "measure":
      takeMeasure(reading, { kind: "named", table, measure: meaning.measure });
      return;
    case "table":
      takeTable(reading, table, plural, at);
      return;
    case "column":
      takeColumn(reading, { table, column: meaning.column }, plural, at);
      return;
    case "value":
      takeValue(reading, meaning, text);
      return;
  }
}

/** A number that has a name. */
function takeMeasure(reading: Reading, measure: Measure): void {
  const { aggregate, top, which } = reading.pending;
  if (aggregate === "avg" && measure.kind === "named") {
    reading.pending = { ...nothingPending(), aggregate: "avg" };
    reading.said.openAverage = true;
  } else reading.pending = { ...nothingPending(), top, which };
  reading.draft.measures.push(measure);
}
