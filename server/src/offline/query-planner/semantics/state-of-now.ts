import type { ColumnRef } from "../lexicon/column-ref.ts";
import { columnLabel, endColumns, STATE_OF_NOW, tableLabel } from "../lexicon/names.ts";
import type { SemanticQuery } from "../query/semantic-query.ts";

/**
 * Why rows in a state of now are not those of a time: "subscriptions that were active on 1 March" are not those that began on it and are active
 * today. Undefined where rows have no end, or where the question names the time.
 */
export function stateOfNow(query: SemanticQuery, time: ColumnRef | undefined): string | undefined {
  const isTimed =
    query.period !== undefined || query.days !== undefined || query.dimensions.some(({ kind }) => kind === "time");
  if (!time || !isTimed || query.timeColumn) return undefined;
  const [end] = endColumns(time.table).filter((column) => column !== time.column);
  const states = query.filters.flatMap((filter) =>
    filter.kind === "values" && filter.table === time.table && !filter.negated ? filter.values : [],
  );
  const state = states.find((value) => STATE_OF_NOW.test(value));
  if (!end || state === undefined) return undefined;
  const [rows, begin] = [tableLabel(time.table), columnLabel(time.table, time.column)];
  return `“${state}” is what ${rows} are now, and which were so at another time follows from ${begin} and ${columnLabel(time.table, end)}, which I do not compute. Name the time that you mean, as in “${rows} by ${begin}”.`;
}
