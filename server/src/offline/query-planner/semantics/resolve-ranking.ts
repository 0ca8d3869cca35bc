import type { SemanticColumn, SemanticTable } from "#analytics";
import { defaultFactTable } from "../existence/fact-table.ts";
import { attributeColumn } from "../lexicon/attributes.ts";
import { columnLabel, tableLabel, timeColumns } from "../lexicon/names.ts";
import { storedTables } from "../lexicon/roles.ts";
import type { Dimension } from "../query/semantic-query.ts";
import { addEntity, addGrain } from "./grouping.ts";
import type { Draft, SemanticParse } from "./semantic-parse.ts";

/** "the cheapest product", "best products": ranked by its price, or by the first measure of the author, with a warning. */
export function resolveRanking(parse: SemanticParse): void {
  const { dimensions, measures, top } = parse.draft;
  if (top) rankSingleRows(parse, top);
  if (top && measures.length > 0 && dimensions.length === 0) rankSubject(parse);
  if (!top || measures.length > 0) return;
  if (parse.cues.rankedByRows && rankByRows(parse, top)) return;
  if (rankTimes(parse, top)) return;
  const ranked = dimensions.find(isOfTable);
  if (ranked) rankGroups(parse, ranked, top);
  else if (dimensions.length > 0) rankByFirstMeasure(parse);
  else rankFiltered(parse, top);
}

/** "the car with the highest horsepower": where no key tells cars of one name apart, each row is one. */
function rankSingleRows({ draft, warnings }: SemanticParse, { direction }: Top): void {
  const rows = draft.dimensions.flatMap((one) =>
    one.kind === "entity" && !one.table.schema.primaryKey ? [one.table] : [],
  );
  draft.measures = draft.measures.map((measure) => {
    if (measure.kind !== "aggregate" || !measure.assumed || !rows.includes(measure.table)) return measure;
    const { assumed, ...named } = measure;
    const [rowName, name] = [tableLabel(measure.table), columnLabel(measure.table, measure.column)];
    warnings.push(`Each row of ${rowName} counts by itself; say “total ${name}” to add up rows of one name.`);
    return { ...named, fn: direction === "most" ? "max" : "min" };
  });
}

/** "nation with the lowest average balance": the table before the ranking is ranked. */
function rankSubject(parse: SemanticParse): void {
  const { constituents, subjects } = parse;
  const [subject] = subjects;
  const ranked = constituents.findIndex(({ kind }) => kind === "top");
  const named = constituents.findIndex(
    (constituent) =>
      constituent.kind === "ref" &&
      constituent.meanings.some(({ kind, table }) => kind === "table" && table === subject),
  );
  if (subject && named >= 0 && named < ranked) addEntity(parse, subject);
}

type Top = NonNullable<Draft["top"]>;

function isOfTable(dimension: Dimension): dimension is Extract<Dimension, { kind: "entity" | "column" }> {
  return dimension.kind === "entity" || dimension.kind === "column";
}

/** "busiest weekday", "most common reason": ranked by the number of rows, where nothing but one table can be meant. */
function rankByRows({ draft, subjects, model, warnings }: SemanticParse, { direction }: Top): boolean {
  const columns = draft.dimensions.flatMap((one) => (one.kind === "column" ? [one.table] : []));
  const named = [...columns, ...subjects, ...(draft.timeColumn ? [draft.timeColumn.table] : [])];
  const tables = new Set(named.length > 0 ? named : storedTables(model));
  const [only, other] = tables;
  const entity = draft.dimensions.find((one) => one.kind === "entity");
  // "busiest doctor": the one with the most of what has a time and belongs to a doctor.
  const table = entity ? defaultFactTable(entity.table, model) : only;
  if (!table || (other && !entity) || draft.dimensions.length === 0) return false;
  draft.measures.push({ kind: "rows", table });
  warnings.push(
    `Ranked by the number of ${tableLabel(table)}, the ${direction === "most" ? "largest" : "smallest"} first.`,
  );
  return true;
}

/** "hottest day", "coldest month": a day by the rows of it that reach furthest, a longer time by their mean. */
function rankTimes(parse: SemanticParse, { direction }: Top): boolean {
  const { draft, model, cues, warnings, subjects } = parse;
  const { rankedBy } = cues;
  const time = draft.dimensions.find((one) => one.kind === "time");
  const isOfDay = draft.timeColumn !== undefined && draft.dimensions.length === 0 && subjects.length === 0;
  if (!rankedBy || (!time && !isOfDay) || draft.dimensions.some((one) => one !== time)) return false;
  const tables = draft.timeColumn ? [draft.timeColumn.table] : storedTables(model);
  const [found, other] = tables.flatMap((table) => {
    const column = timeColumns(table).length > 0 ? attributeColumn(rankedBy.attribute, table) : undefined;
    return column ? [{ table, column }] : [];
  });
  if (!found || other) return false;
  if (!time) addGrain(parse, "day");
  const end = direction === "most" ? "max" : "min";
  const fn = time && time.grain !== "day" ? "avg" : end;
  draft.measures.push({ kind: "aggregate", fn, ...found });
  draft.top = { count: draft.top?.count ?? 1, direction };
  const name = `${columnLabel(found.table, found.column)} of ${tableLabel(found.table)}`;
  const read = { avg: "mean", max: "highest", min: "lowest" }[fn];
  warnings.push(`“${rankedBy.text}” is read as by the ${read} ${name}.`);
  return true;
}

function rankGroups(
  parse: SemanticParse,
  { kind, table }: Extract<Dimension, { kind: "entity" | "column" }>,
  top: Top,
): void {
  const { rankedBy } = parse.cues;
  const column = rankedBy && attributeColumn(rankedBy.attribute, table);
  // The heaviest species may be that of the heaviest one, or that with the largest mean.
  const isOfRows = kind === "entity" || rankedBy?.attribute === "price";
  if (column && isOfRows) rankByColumn(parse, table, column, top);
  else if (rankedBy && rankedBy.attribute !== "price") parse.unknown.push(rankedBy.text);
  else rankByFirstMeasure(parse);
}

/** "the cheapest coffee": the filtered rows are ranked. */
function rankFiltered(parse: SemanticParse, top: Top): void {
  const { draft, cues, unknown } = parse;
  const [chosen] = draft.filters;
  // "top 3" alone ranks what the question before was about.
  if (!chosen && parse.subjects.length === 0 && top.count !== undefined) return;
  const column = cues.rankedBy && chosen ? attributeColumn(cues.rankedBy.attribute, chosen.table) : undefined;
  if (!chosen || !column) {
    unknown.push(cues.rankedBy?.text ?? top.direction);
    delete draft.top;
    return;
  }
  addEntity(parse, chosen.table);
  rankByColumn(parse, chosen.table, column, top);
}

function rankByColumn(
  { draft }: SemanticParse,
  table: SemanticTable,
  column: SemanticColumn,
  { direction }: Top,
): void {
  draft.measures.push({ kind: "aggregate", fn: direction === "most" ? "max" : "min", table, column });
}

/** Adds the first measure of the author, with a warning; nothing where there is none. `open`: what the question leaves open. */
export function rankByFirstMeasure({ draft, model, warnings }: SemanticParse, open = "what to rank by"): void {
  const table = model.tables.find(({ measures }) => measures.length > 0);
  const [measure] = table?.measures ?? [];
  if (!table || !measure) return;
  draft.measures.push({ kind: "named", table, measure });
  warnings.push(`You did not say ${open}; I took ${measure.name.replaceAll("_", " ")}.`);
}
