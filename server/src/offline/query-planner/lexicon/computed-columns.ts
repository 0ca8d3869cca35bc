import type { SemanticColumn, SemanticModel, SemanticTable } from "#analytics";
import { joinsOf } from "../query/join-graph.ts";
import type { ColumnRef } from "./column-ref.ts";
import type { Comparison } from "./comparison.ts";
import { type ComputedColumn, computedColumn, computedOf, type ElapsedUnit, hasTimeOfDay } from "./computed.ts";
import { beginningsBefore, dueAndDone, happenings } from "./events.ts";
import { isKey, isNumeric, isTemporal, type Meaning } from "./meaning.ts";
import { columnLabel, isBirth, tableLabel } from "./names.ts";

type Entry = readonly [words: string, meaning: Meaning];

/** Words for what follows from columns: ages, amounts, lateness. Words that the data has a name for are to be left out. */
export function computedPhrases(model: SemanticModel): readonly Entry[] {
  return model.tables.flatMap((table) => [
    ...agePhrases(table),
    ...latePhrases(table),
    ...durationPhrases(table),
    ...amountPhrases(table, model),
  ]);
}

function called(words: string, table: SemanticTable, column: SemanticColumn): readonly Entry[] {
  return words.split("|").map((one): Entry => [one, { kind: "column", table, column }]);
}

const ages = new WeakMap<SemanticColumn, ComputedColumn>();

/** The age of the rows of a table, where they have one birth and no age (CA-77). */
export function ageColumn(table: SemanticTable): ComputedColumn | undefined {
  const [born, other] = table.columns.filter((column) => isTemporal(column) && isBirth(columnLabel(table, column)));
  if (!born || other || table.columns.some((column) => isNumeric(column) && /\bage\b/.test(columnLabel(table, column))))
    return undefined;
  const column = ages.get(born) ?? computedColumn("age", "INT64", { kind: "age", born: { table, column: born } });
  ages.set(born, column);
  return column;
}

function agePhrases(table: SemanticTable): readonly Entry[] {
  const column = ageColumn(table);
  return column ? called(`age|aged|how old|${tableLabel(table)} age`, table, column) : [];
}

function latePhrases(table: SemanticTable): readonly Entry[] {
  const found = dueAndDone(table);
  if (!found) return [];
  const { due, done } = found;
  const [dueName, doneName] = [columnLabel(table, due.column), columnLabel(table, done.column)];
  const late: ComputedColumn = {
    ...computedColumn("late", "INT64", { kind: "late", done, due }),
    zeroOrOne: true,
    assumption: `${doneName} compared with ${dueName}; rows without ${doneName} are neither late nor on time`,
  };
  const overdue: ComputedColumn = {
    ...computedColumn("overdue", "INT64", { kind: "overdue", done, due }),
    zeroOrOne: true,
    assumption: `those without ${doneName} whose ${dueName} is before today`,
  };
  const passed = elapsedColumn(due, done, "day");
  const delay = { ...passed, assumption: `${passed.name}, less than none where it is early` };
  const rate = (words: string, value: string): Entry => [words, { kind: "rate", table, column: late, value }];
  const onTime = (words: string): Entry => [words, { kind: "value", table, column: late, value: "0" }];
  return [
    ...called("late|delayed|belated", table, late),
    ...called("overdue|past due", table, overdue),
    ...called("delay|lateness", table, delay),
    onTime("on time"),
    onTime("in time"),
    onTime("punctual"),
    ...["late rate", "late delivery rate", "delay rate"].map((words) => rate(words, "1")),
    ...["on time rate", "on time delivery rate", "punctuality rate"].map((words) => rate(words, "0")),
  ];
}

/** "length of stay", "duration": from the begin to the end of rows that have two times and no number for it. */
function durationPhrases(table: SemanticTable): readonly Entry[] {
  const [begin, end, other] = happenings(table);
  if (!begin || !end || other || isNamed(table, /\b(duration|length|days|hours|minutes)\b/)) return [];
  const isStay = /\b(discharged?|checkout|check out|left|departure)\b/.test(columnLabel(table, end));
  const begins = /\b(start|started|begin|began)\b/.test(columnLabel(table, begin));
  const ends =
    begins || isStay || /\b(end|ended|finish|finished|stop|stopped|completed)\b/.test(columnLabel(table, end));
  if (!ends) return [];
  const isOfDay = begin.type !== "DATE" && end.type !== "DATE";
  const lasts = (unit: ElapsedUnit) => elapsedColumn({ table, column: begin }, { table, column: end }, unit);
  const label = tableLabel(table);
  return [
    ...called(`duration|${label} duration|how long`, table, lasts(isOfDay ? "hour" : "day")),
    ...(isStay ? called("length of stay|stay|los", table, lasts("day")) : []),
  ];
}

const QUANTITY =
  /^(?:(?:ordered|order|sold|item) )?(quantity|qty|units?|units sold|pieces|quantity ordered|quantity sold)$/;
const PRICE =
  /^(?:(?:unit|selling|sale|sales|list|retail|net|gross|item) )?price(?: each| per unit| per piece| per item)?$/;
const AMOUNT = /\b(amount|total|revenue|sales?|turnover|value|net|gross|paid|payment|subtotal|extended)\b/;

/** Revenue as quantity times price, where nothing is called so and no column is an amount already (CA-82). */
function amountPhrases(table: SemanticTable, model: SemanticModel): readonly Entry[] {
  const [quantity, other] = numbersCalled(table, QUANTITY);
  const price = quantity && !other ? priceFor(table, model) : undefined;
  if (!quantity || !price || model.tables.some((one) => one.measures.length > 0 || isAmountNear(one, price, quantity)))
    return [];
  const discount = table.columns.find(
    (one) => isNumeric(one) && /discount|rebate|tax|vat/.test(columnLabel(table, one)),
  );
  const left = discount ? `; ${columnLabel(table, discount)} is left out` : "";
  const now = price.table === table ? "" : `; prices of ${tableLabel(price.table)} are those of now`;
  const column = productColumn({ table, column: quantity }, price);
  const assumed = { ...column, assumption: `${column.name} of ${tableLabel(table)}${left}${now}` };
  return called("revenue|sale|turnover|sale revenue|gross revenue|line total", table, assumed);
}

/** The price of a row: its own one, else that of the one table that it belongs to and that has a price. */
function priceFor(table: SemanticTable, model: SemanticModel): ColumnRef | undefined {
  const own = numbersCalled(table, PRICE);
  const refs =
    own.length > 0
      ? own.map((column) => ({ table, column }))
      : model.tables.flatMap((one) =>
          one !== table && joinsOf(model).path(table, one, new Set())?.steps.length === 1
            ? numbersCalled(one, PRICE).map((column) => ({ table: one, column }))
            : [],
        );
  return refs.length === 1 ? refs[0] : undefined;
}

function numbersCalled(table: SemanticTable, name: RegExp): readonly SemanticColumn[] {
  return table.columns.filter(
    (column) => isNumeric(column) && !isKey(table, column) && name.test(columnLabel(table, column)),
  );
}

function isAmountNear(table: SemanticTable, price: ColumnRef, quantity: SemanticColumn): boolean {
  return table.columns.some(
    (column) =>
      isNumeric(column) && column !== price.column && column !== quantity && AMOUNT.test(columnLabel(table, column)),
  );
}

function isNamed(table: SemanticTable, name: RegExp): boolean {
  return table.columns.some((column) => isNumeric(column) && name.test(columnLabel(table, column)));
}

/** Columns that are computed are compared by identity, as those that are stored. */
const pairs = new WeakMap<SemanticColumn, Map<SemanticColumn, Map<string, ComputedColumn>>>();

function once(one: SemanticColumn, other: SemanticColumn, kind: string, make: () => ComputedColumn): ComputedColumn {
  const ofOne = pairs.get(one) ?? new Map<SemanticColumn, Map<string, ComputedColumn>>();
  const ofBoth = ofOne.get(other) ?? new Map<string, ComputedColumn>();
  const column = ofBoth.get(kind) ?? make();
  pairs.set(one, ofOne.set(other, ofBoth.set(kind, column)));
  return column;
}

/** The time from one moment to another. */
export function elapsedColumn(from: ColumnRef, to: ColumnRef, unit: ElapsedUnit): ComputedColumn {
  return once(from.column, to.column, unit, () =>
    computedColumn(`${unit}s from ${momentLabel(from, to)} to ${momentLabel(to, from)}`, "FLOAT64", {
      kind: "elapsed",
      from,
      to,
      unit,
    }),
  );
}

/** The table is said where the two are not of the same one. */
function momentLabel({ table, column }: ColumnRef, other: ColumnRef): string {
  const name = columnLabel(table, column);
  return table === other.table ? name : `${name} of ${tableLabel(table)}`;
}

/** The time from the begin of a row to one of its moments; undefined where it has none before it. */
export function elapsedSinceBegin(to: ColumnRef, unit: ElapsedUnit): ComputedColumn | undefined {
  const [begin, ...others] = beginningsBefore(to);
  if (!begin) return undefined;
  const column = elapsedColumn({ table: to.table, column: begin }, to, unit);
  const [other] = others;
  if (!other) return column;
  const example = `${unit}s from ${columnLabel(to.table, other)} to ${columnLabel(to.table, to.column)}`;
  return { ...column, assumption: `${column.name}; say “${example}” for another begin` };
}

/** The same time in another unit; undefined where days have no hours. */
export function inUnit(column: SemanticColumn, unit: ElapsedUnit): ComputedColumn | undefined {
  const computed = computedOf(column);
  if (computed?.kind !== "elapsed") return undefined;
  if (!hasTimeOfDay(computed) && unit !== "day" && unit !== "week") return undefined;
  const made = elapsedColumn(computed.from, computed.to, unit);
  const { assumption } = column as Partial<ComputedColumn>;
  return assumption === undefined
    ? made
    : { ...made, assumption: assumption.replaceAll(`${computed.unit}s from`, `${unit}s from`) };
}

/** One number of a row times another. */
export function productColumn(one: ColumnRef, other: ColumnRef): ComputedColumn {
  const name = `${momentLabel(one, other)} times ${momentLabel(other, one)}`;
  return once(one.column, other.column, "product", () =>
    computedColumn(name, "FLOAT64", { kind: "product", factors: [one, other] }),
  );
}

/** Whether one column of a row compares so with another. */
export function comparedColumn(left: ColumnRef, comparison: Comparison, right: ColumnRef): ComputedColumn {
  const [one, other] = [left, right].map((ref) => columnLabel(ref.table, ref.column));
  const name =
    one === other
      ? `${momentLabel(left, right)} ${comparison} ${momentLabel(right, left)}`
      : `${one} ${comparison} ${other}`;
  return once(left.column, right.column, comparison, () => ({
    ...computedColumn(name, "INT64", { kind: "compared", left, comparison, right }),
    zeroOrOne: true,
  }));
}
