import type { ColumnRef } from "../lexicon/column-ref.ts";
import { type Computed, type ElapsedUnit, hasTimeOfDay } from "../lexicon/computed.ts";
import { isTemporal } from "../lexicon/meaning.ts";
import type { DialectFunctions } from "./dialect.ts";

const SECONDS: Readonly<Record<ElapsedUnit, number>> = {
  second: 1,
  minute: 60,
  hour: 3600,
  day: 86_400,
  week: 604_800,
};

/** A computed column as an expression. `today`: the day of the question, as an ISO date. */
export function computedSql(
  computed: Computed,
  column: (ref: ColumnRef) => string,
  words: DialectFunctions,
  today: string,
): string {
  switch (computed.kind) {
    case "elapsed":
      return elapsed(computed, column, words);
    case "age":
      return age(column(computed.born), words, today);
    case "product":
      return `(${computed.factors.map(column).join(" * ")})`;
    case "hundredth":
      return `(${column(computed.of)} / 100.0)`;
    case "late": {
      const [done, due] = comparedDays(computed, column, words);
      return `CASE WHEN ${done} > ${due} THEN 1 WHEN ${done} <= ${due} THEN 0 END`;
    }
    case "compared":
      return compared(computed, column, words);
    case "overdue": {
      const { due, done } = computed;
      return `CASE WHEN ${column(done)} IS NULL AND ${column(due)} < ${words.day(today, due.column)} THEN 1 ELSE 0 END`;
    }
  }
}

function elapsed(
  computed: Extract<Computed, { kind: "elapsed" }>,
  column: (ref: ColumnRef) => string,
  words: DialectFunctions,
): string {
  const { from, to, unit } = computed;
  if (hasTimeOfDay(computed)) {
    const seconds = words.secondsBetween(column(from), column(to), from.column);
    return `(${seconds} / ${SECONDS[unit]}.0)`;
  }
  const dayOf = (ref: ColumnRef) => words.dayNumber(words.unitOf("day", column(ref)));
  const days = `(${dayOf(to)} - ${dayOf(from)})`;
  return unit === "week" ? `(${days} / 7.0)` : days;
}

/** Whole years: the digits of a day, without its dashes, of today less those of the birth. */
function age(born: string, words: DialectFunctions, today: string): string {
  const part = (name: "YEAR" | "MONTH" | "DAY") => words.datePart?.(name, born) ?? `EXTRACT(${name} FROM ${born})`;
  const digits = `10000 * ${part("YEAR")} + 100 * ${part("MONTH")} + ${part("DAY")}`;
  return `floor((${today.replaceAll("-", "")} - (${digits})) / 10000)`;
}

/** An instant and a day are compared by the day. */
function compared(
  { left, comparison, right }: Extract<Computed, { kind: "compared" }>,
  column: (ref: ColumnRef) => string,
  words: DialectFunctions,
): string {
  const byDay = isTemporal(left.column) && (left.column.type === "DATE") !== (right.column.type === "DATE");
  const [one, other] = [left, right].map((ref) => (byDay ? words.unitOf("day", column(ref)) : column(ref)));
  return `CASE WHEN ${one} ${comparison} ${other} THEN 1 WHEN ${one} IS NOT NULL AND ${other} IS NOT NULL THEN 0 END`;
}

/** Something that is due on a day is late from the next day on. */
function comparedDays(
  { done, due }: Extract<Computed, { kind: "late" }>,
  column: (ref: ColumnRef) => string,
  words: DialectFunctions,
): readonly [string, string] {
  const areAlike = (done.column.type === "DATE") === (due.column.type === "DATE");
  const dayOf = (ref: ColumnRef) => (areAlike ? column(ref) : words.unitOf("day", column(ref)));
  return [dayOf(done), dayOf(due)];
}
