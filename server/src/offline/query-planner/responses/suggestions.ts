import type { SemanticModel, SemanticTable } from "#analytics";
import { isKey, isNumeric } from "../lexicon/meaning.ts";
import { columnLabel, tableLabel, timeColumns } from "../lexicon/names.ts";
import { storedTables } from "../lexicon/roles.ts";
import { isPart, measureLabel } from "../query/labels.ts";
import type { SemanticQuery } from "../query/semantic-query.ts";

/** Questions that may be asked of any data like this. */
export function suggestions(model: SemanticModel): readonly string[] {
  const facts = storedTables(model).toSorted(
    (left, right) => (right.schema.rowCount ?? 0) - (left.schema.rowCount ?? 0),
  );
  const measured = facts.find(({ measures }) => measures.length > 0);
  const [measure] = measured?.measures ?? [];
  const number = measure ? measure.name.replaceAll("_", " ") : numberOf(facts);
  const category = categoryOf(storedTables(model));
  const dated = facts.find((table) => timeColumns(table).length > 0);
  return [
    ...(dated ? [`How many ${tableLabel(dated)} were there by month?`] : []),
    ...(number && category ? [`What is the ${number} by ${category}?`] : []),
    ...(number && facts[0] ? [`What was the ${number} last year compared to the year before?`] : []),
  ];
}

function numberOf(tables: readonly SemanticTable[]): string | undefined {
  for (const table of tables) {
    const column = table.columns.find((one) => isNumeric(one) && !isKey(table, one));
    if (column) return `total ${columnLabel(table, column)}`;
  }
  return undefined;
}

function categoryOf(tables: readonly SemanticTable[]): string | undefined {
  for (const table of tables) {
    const column = table.columns.find(
      ({ values, type }) => type === "STRING" && values && values.length > 1 && values.length <= 20,
    );
    if (column) return columnLabel(table, column);
  }
  return undefined;
}

/** Follow-up questions: the same over time, by another dimension, as shares or as growth. */
export function followUps(query: SemanticQuery, base: SemanticTable, model: SemanticModel): readonly string[] {
  const [measure] = query.measures;
  if (!measure) return suggestions(model);
  const used = query.dimensions.flatMap((one) => (one.kind === "column" ? [one.column.name] : []));
  const others = storedTables(model).filter(
    (table) => !used.some((name) => table.columns.some((column) => column.name === name)),
  );
  const category = categoryOf(others.filter((table) => table !== base)) ?? categoryOf(others);
  const hasTime = query.dimensions.some(({ kind }) => kind === "time");
  return [
    ...(hasTime ? [] : [`How did the ${measureLabel(measure)} develop by month?`]),
    ...(category ? [`What is the ${measureLabel(measure)} by ${category}?`] : []),
    ...(query.dimensions.length > 0 && !query.share && isPart(measure) ? ["What share of the total is each?"] : []),
    ...(hasTime && !query.growth ? ["What is the growth month over month?"] : []),
    // Of means no share is offered, and there may be nothing else to go on with.
    ...(isPart(measure) ? [] : suggestions(model)),
  ];
}
