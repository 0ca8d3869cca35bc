import type { SemanticColumn, SemanticModel, SemanticTable } from "#analytics";
import type { ColumnRef } from "./column-ref.ts";
import { type ComputedColumn, computedColumn } from "./computed.ts";
import { elapsedColumn } from "./computed-columns.ts";
import { formsOf, plannedAndActual } from "./events.ts";
import type { Meaning } from "./meaning.ts";
import { columnLabel } from "./names.ts";

type Entry = readonly [words: string, meaning: Meaning];

/** Words for what was planned and what happened: "arrival delay", "departed late", "arrived on time" (CA-98). */
export function plannedPhrases({ tables }: SemanticModel): readonly Entry[] {
  return tables.flatMap((table) => {
    const pairs = plannedAndActual(table);
    return pairs.flatMap((pair, at) => {
      const other = pairs.find((one) => one !== pair);
      const hint = at === 0 && other ? `; say “${other.event} delay” for the other` : "";
      return phrasesOf(table, pair, at === 0, hint);
    });
  });
}

interface Planned {
  readonly due: ColumnRef;
  readonly done: ColumnRef;
  readonly event: string;
}

/** `isFirst`: it is meant where no event is named. */
function phrasesOf(table: SemanticTable, pair: Planned, isFirst: boolean, hint: string): readonly Entry[] {
  const delay = delayOf(pair, hint);
  const late = lateOf(pair, hint);
  const forms = [pair.event, ...formsOf(pair.event)];
  const column = (words: string, one: SemanticColumn): Entry => [words, { kind: "column", table, column: one }];
  const onTime = (words: string): Entry => [words, { kind: "value", table, column: late, value: "0" }];
  const rate = (words: string, value: string): Entry => [words, { kind: "rate", table, column: late, value }];
  return [
    ...forms.flatMap((form) => [
      column(`${form} delay`, delay),
      column(`${form} late`, late),
      column(`late ${form}`, late),
      column(`delayed ${form}`, late),
      onTime(`${form} on time`),
      onTime(`on time ${form}`),
      rate(`late ${form} rate`, "1"),
      rate(`on time ${form} rate`, "0"),
    ]),
    ...(isFirst
      ? [
          ...["delay", "lateness"].map((words) => column(words, delay)),
          ...["late", "delayed"].map((words) => column(words, late)),
          ...["on time", "in time", "punctual"].map(onTime),
          ...["on time rate", "punctuality", "punctuality rate"].map((words) => rate(words, "0")),
          ...["late rate", "delay rate"].map((words) => rate(words, "1")),
        ]
      : []),
  ];
}

/** Delays are told in minutes where both moments have a time of day. */
function delayOf({ due, done }: Planned, hint: string): ComputedColumn {
  const isTimed = due.column.type !== "DATE" && done.column.type !== "DATE";
  const column = elapsedColumn(due, done, isTimed ? "minute" : "day");
  return { ...column, assumption: `${column.name}, less than none where it is early${hint}` };
}

const lates = new WeakMap<SemanticColumn, ComputedColumn>();

function lateOf({ due, done, event }: Planned, hint: string): ComputedColumn {
  const [dueName, doneName] = [due, done].map((ref) => columnLabel(ref.table, ref.column));
  const column = lates.get(done.column) ?? {
    ...computedColumn(`${event} late`, "INT64", { kind: "late", done, due }),
    zeroOrOne: true,
    assumption: `${doneName} compared with ${dueName}; rows without ${doneName} are neither late nor on time${hint}`,
  };
  lates.set(done.column, column);
  return column;
}
