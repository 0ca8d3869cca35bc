import type { SemanticTable } from "#analytics";
import type { Measure } from "../query/semantic-query.ts";
import { addEntity } from "./grouping.ts";
import { rankByFirstMeasure } from "./resolve-ranking.ts";
import type { SemanticParse } from "./semantic-parse.ts";

/** Gives each bound of groups its measure and its groups. */
export function resolveBounds(parse: SemanticParse): void {
  boundLastMeasure(parse);
  boundEachSubject(parse);
  dropBoundsOfOthers(parse);
}

/** "customers with more than 5 orders": the measure follows the bound. */
function boundLastMeasure({ bound, draft, unknown }: SemanticParse): void {
  const measure = draft.measures.at(-1);
  if (bound && !measure) unknown.push(`${bound.comparison} ${bound.value}`);
  if (!bound || !measure) return;
  draft.having.push({ measure, comparison: bound.comparison, value: bound.value });
  if (draft.countGroups) draft.measures = [];
}

/** "customers with revenue over 5000": the bound applies to each customer. */
function boundEachSubject(parse: SemanticParse): void {
  const { draft, subjects } = parse;
  const { having, dimensions, countGroups } = draft;
  if (having.length === 0 || dimensions.length > 0 || countGroups) return;
  const table = subjects.at(-1);
  if (table && having.some(({ measure }) => isCountOf(measure, table))) boundMoney(parse, table);
  else if (table) boundEach(parse, table);
  else dropBounds(parse);
}

/** "number of customers with revenue above 5000" counts the groups that pass. */
function boundEach(parse: SemanticParse, table: SemanticTable): void {
  const { draft } = parse;
  addEntity(parse, table);
  if (!draft.measures.some((measure) => isCountOf(measure, table))) return;
  draft.countGroups = true;
  draft.measures = [];
}

function isCountOf(measure: Measure, table: SemanticTable): boolean {
  return measure.kind === "rows" && measure.table === table;
}

/** "how many customers spent more than 5000": the bound applies to an amount of money, because a count of single rows is always one. */
function boundMoney(parse: SemanticParse, table: SemanticTable): void {
  const { draft, cues } = parse;
  const bounds = draft.having;
  const measure = cues.money
    ? firstMeasure(draft.measures, () => rankByFirstMeasure(parse, "an amount of what"))
    : undefined;
  if (!measure) {
    dropBounds(parse);
    return;
  }
  draft.having = bounds.map((bound) => ({ ...bound, measure }));
  boundEach(parse, table);
}

/** The measure that `choose` adds. */
function firstMeasure(measures: readonly Measure[], choose: () => void): Measure | undefined {
  const before = measures.length;
  choose();
  return measures.length > before ? measures.at(-1) : undefined;
}

function dropBounds({ draft, unknown }: SemanticParse): void {
  unknown.push(...draft.having.map(({ comparison, value }) => `${comparison} ${value}`));
  draft.having = [];
}

/** "above average" needs a measure and dimensions. */
export function resolveAverage({ boundAverage, draft, unknown }: SemanticParse): void {
  if (!boundAverage) return;
  if (draft.measures.length === 0 || draft.dimensions.length === 0) unknown.push("average");
  else draft.average = boundAverage;
}

/** "how many nations per region have more than 500 customers": groups within groups are not counted. */
function dropBoundsOfOthers(parse: SemanticParse): void {
  const { having, measures, countGroups } = parse.draft;
  const bound = having.flatMap(({ measure }) => (measure.kind === "rows" ? [measure.table] : []));
  const others = measures.some((one) => one.kind === "rows" && !bound.includes(one.table));
  if (bound.length > 0 && others && !countGroups) dropBounds(parse);
}
