import type { SemanticColumn, SemanticTable } from "#analytics";
import { priceOf } from "../lexicon/table-words.ts";
import type { Dimension } from "../query/semantic-query.ts";
import { addEntity } from "./dimensions.ts";
import type { Draft, Reading } from "./reading.ts";

/** "the cheapest product", "best products": ranked by its price, or by what is measured first, which is told. */
export function settleRanking(reading: Reading): void {
  const { dimensions, measures, top } = reading.draft;
  if (top && measures.length > 0 && dimensions.length === 0) rankSubject(reading);
  if (!top || measures.length > 0) return;
  const ranked = dimensions.find(isOfTable);
  if (ranked) rankGroups(reading, ranked.table, top);
  else if (dimensions.length > 0) rankByFirstMeasure(reading);
  else rankFiltered(reading, top);
}

/** "nation with the lowest average balance": what stands before the rank is what is ranked. */
function rankSubject(reading: Reading): void {
  const { items, subjects } = reading;
  const [subject] = subjects;
  const ranked = items.findIndex(({ kind }) => kind === "top");
  const named = items.findIndex(
    (item) => item.kind === "ref" && item.meanings.some(({ kind, table }) => kind === "table" && table === subject),
  );
  if (subject && named >= 0 && named < ranked) addEntity(reading, subject);
}

type Top = NonNullable<Draft["top"]>;

function isOfTable(dimension: Dimension): dimension is Extract<Dimension, { kind: "entity" | "column" }> {
  return dimension.kind === "entity" || dimension.kind === "column";
}

function rankGroups(reading: Reading, table: SemanticTable, top: Top): void {
  const column = reading.said.rankedByPrice ? priceOf(table) : undefined;
  if (column) rankByPrice(reading, table, column, top);
  else rankByFirstMeasure(reading);
}

/** "the cheapest coffee": the rows that were chosen are ranked. */
function rankFiltered(reading: Reading, top: Top): void {
  const { draft, said, unknown } = reading;
  const [chosen] = draft.filters;
  const column = said.rankedByPrice && chosen ? priceOf(chosen.table) : undefined;
  if (!chosen || !column) {
    unknown.push(top.direction);
    delete draft.top;
    return;
  }
  addEntity(reading, chosen.table);
  rankByPrice(reading, chosen.table, column, top);
}

function rankByPrice({ draft }: Reading, table: SemanticTable, column: SemanticColumn, { direction }: Top): void {
  draft.measures.push({ kind: "aggregate", fn: direction === "most" ? "max" : "min", table, column });
}

/** Takes the first number that an author named, and tells it; nothing where there is none. `open`: what was not said. */
export function rankByFirstMeasure({ draft, model, warnings }: Reading, open = "what to rank by"): void {
  const table = model.tables.find(({ measures }) => measures.length > 0);
  const [measure] = table?.measures ?? [];
  if (!table || !measure) return;
  draft.measures.push({ kind: "named", table, measure });
  warnings.push(`You did not say ${open}; I took ${measure.name.replaceAll("_", " ")}.`);
}
