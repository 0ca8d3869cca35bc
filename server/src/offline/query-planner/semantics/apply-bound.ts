import type { SemanticColumn, SemanticTable } from "#analytics";
import type { Constituent } from "../constituents/constituent.ts";
import { OLDEST } from "../constituents/people-over.ts";
import { defaultFactTable } from "../existence/fact-table.ts";
import { type Attribute, attributeColumn } from "../lexicon/attributes.ts";
import { lexiconOf } from "../lexicon/build-lexicon.ts";
import type { ColumnRef } from "../lexicon/column-ref.ts";
import { computedOf } from "../lexicon/computed.ts";
import { inUnit } from "../lexicon/computed-columns.ts";
import { isKey, isNumeric, type Meaning } from "../lexicon/meaning.ts";
import { columnLabel, isAboutPeople, tableLabel } from "../lexicon/names.ts";
import { columnsIn, elapsedUnitCalled, inUnitOf, isWithoutUnit } from "../lexicon/units.ts";
import { joinsOf } from "../query/join-graph.ts";
import { measureLabel } from "../query/labels.ts";
import type { Filter } from "../query/semantic-query.ts";
import { addColumn, addEntity, isGroupedBy } from "./grouping.ts";
import { nothingPending, type SemanticParse } from "./semantic-parse.ts";

/** A comparison with a number. */
type Bound = Extract<Constituent, { kind: "compare" | "between" }>;

/** "price over 50", "customers with more than 5 orders", "revenue above 1000 by store". */
export function applyBound(parse: SemanticParse, bound: Bound, at: number): void {
  const last = countedSubject(parse, at) ?? groupsBefore(parse, at) ?? parse.last;
  // A value behind it would take the negation of the bound: "without more than 2 web orders".
  if (parse.cues.openNegation) parse.unknown.push("not");
  if (bound.kind === "compare" && bound.times) boundTimes(parse, bound);
  else if (boundsAggregate(parse, at)) boundAggregate(parse, bound);
  else if (bound.kind === "compare" && bound.of) boundAttribute(parse, bound, bound.of);
  else if (last?.kind === "column" && isNoNumber(last))
    parse.unknown.push(bound.kind === "compare" ? boundText(bound) : "between");
  else if (last?.kind === "column" && isTotalOfOthers(parse, last)) boundTotal(parse, bound, last);
  else if (last?.kind === "column" && isNumeric(last.column)) {
    const [things] = parse.draft.dimensions;
    if (things?.kind === "column" && things.column !== last.column && parse.draft.measures.length === 0)
      warnOfSingleRows(parse, bound, last, things);
    boundInUnit(parse, bound, last);
  } else if (bound.unit !== undefined) boundUnit(parse, bound, bound.unit);
  else if (boundNextColumn(parse, bound, at)) return;
  else if (bound.kind === "between") parse.unknown.push(`between ${bound.low} and ${bound.high}`);
  else if (last?.kind === "table" && isAskedFor(parse, last.table, isCounted(behindValues(parse, at))))
    parse.unknown.push(`${bound.comparison} ${bound.value}`);
  else if (last?.kind === "table" && isCounted(behindValues(parse, at))) boundGroups(parse, bound, last.table);
  else if (last?.kind === "column" && isCounted(behindValues(parse, at))) boundValues(parse, bound, last);
  // "average salary of employees under 30" bounds no salary.
  else if (last?.kind === "table" && isAboutPeople(last.table) && bound.value <= OLDEST)
    parse.unknown.push(boundText(bound));
  else if (last?.kind === "table" && isTotalOf(parse, last.table)) boundRows(parse, bound);
  else if (
    last?.kind === "table" &&
    !isGroupedBy(parse.draft, last.table) &&
    parse.draft.measures.some(({ kind }) => kind !== "rows")
  )
    // "average stay of patients over 65" bounds no stay.
    parse.unknown.push(boundText(bound));
  else boundMeasure(parse, bound);
}

/** "departments with an average salary over 75000": the bound at this place is of an aggregate of groups that were named before (CA-112). */
export function boundsAggregate(parse: SemanticParse, at: number): boolean {
  const { constituents, last, draft, subjects, model } = parse;
  const [word, ref, bound] = constituents.slice(Math.max(0, at - 2), at + 1);
  if (word?.kind !== "aggregate" || word.fn === "distinct" || ref?.kind !== "ref") return false;
  if ((bound?.kind !== "compare" && bound?.kind !== "between") || last?.kind !== "column") return false;
  if (!isNumeric(last.column) || isKey(last.table, last.column)) return false;
  const isOfOthers = (table: SemanticTable) =>
    table !== last.table && joinsOf(model).path(last.table, table, new Set()) !== undefined;
  return (
    draft.dimensions.some(({ kind }) => kind === "column" || kind === "entity") ||
    draft.measures.some((one) => one.kind === "aggregate" && one.fn === "distinct") ||
    subjects.some(isOfOthers)
  );
}

function boundAggregate(parse: SemanticParse, bound: Bound): void {
  const { draft, refusals } = parse;
  const measure = draft.measures.pop();
  if (!measure) return;
  if (bound.unit !== undefined)
    refusals.push(
      `I compare ${measureLabel(measure)} with numbers as they are stored. Name “${boundText(bound)}” without its unit.`,
    );
  const counted = draft.measures.at(-1);
  // "with more than 5 employees and an average salary over 75000": the bound before is of what is counted.
  if (parse.bound && counted) {
    draft.having.push({ measure: counted, comparison: parse.bound.comparison, value: parse.bound.value });
    parse.bound = undefined;
  }
  if (counted?.kind === "aggregate" && counted.fn === "distinct") {
    draft.measures.pop();
    addColumn(parse, counted);
    draft.countGroups = true;
  } else draft.measures.push(measure);
  const bounds =
    bound.kind === "compare"
      ? [{ comparison: bound.comparison, value: bound.value }]
      : ([
          { comparison: ">=", value: bound.low },
          { comparison: "<=", value: bound.high },
        ] as const);
  draft.having.push(...bounds.map((one) => ({ measure, ...one })));
}

/** "customers in Leeds with more than 5 orders": the value only chooses some of the customers. */
function countedSubject({ last, subjects, constituents }: SemanticParse, at: number): Meaning | undefined {
  const subject = subjects.at(-1);
  // "contractors with more than 10 permits": the value names the rows by itself.
  const named = last?.kind === "value" && (subject === undefined || last.table === subject) ? last.table : undefined;
  return named && isCounted(behindValues({ constituents }, at)) ? { kind: "table", table: named } : undefined;
}

/** "departments with an average salary over 75000 and more than 5 employees": the second bound is of the groups, and not of the number that the first one bounds. */
function groupsBefore({ constituents, subjects, draft }: SemanticParse, at: number): Meaning | undefined {
  const [bound, joint, , next] = constituents.slice(Math.max(0, at - 2), at + 2);
  if ((bound?.kind !== "compare" && bound?.kind !== "between") || joint?.kind !== "follow-up") return undefined;
  if (!isCounted(next)) return undefined;
  const grouped = draft.dimensions.find(({ kind }) => kind === "column" || kind === "entity");
  if (grouped?.kind === "column") return { kind: "column", table: grouped.table, column: grouped.column };
  const table = grouped?.kind === "entity" ? grouped.table : subjects.at(-1);
  return table && { kind: "table", table };
}

/** "overdue by more than 30 days": it is so, or it is not. */
function isNoNumber({ column }: ColumnRef): boolean {
  const kind = computedOf(column)?.kind;
  return kind === "late" || kind === "overdue";
}

/** "customers with revenue over 1000", where revenue is quantity times price of each line: the total of the customer is bounded. */
function isTotalOfOthers({ subjects }: SemanticParse, { table, column }: ColumnRef): boolean {
  return computedOf(column)?.kind === "product" && subjects.length > 0 && !subjects.includes(table);
}

function boundTotal(parse: SemanticParse, bound: Bound, { table, column }: ColumnRef): void {
  if (parse.bound) parse.refusals.push("I apply one bound to what is added up or counted; ask for each of them.");
  parse.draft.measures.push({ kind: "aggregate", fn: "sum", table, column });
  if (bound.kind === "compare") boundMeasure(parse, bound);
  else parse.unknown.push(`between ${bound.low} and ${bound.high}`);
}

/** "channels with fewer than 100 orders", "how many channels have more than 5": each value is a group. */
function boundValues(parse: SemanticParse, bound: Extract<Bound, { kind: "compare" }>, ref: ColumnRef): void {
  const { draft } = parse;
  const counted = draft.measures.at(-1);
  const counts = counted?.kind === "aggregate" && counted.fn === "distinct" && counted.column === ref.column;
  if (counts) draft.measures.pop();
  addColumn(parse, ref);
  draft.countGroups ||= counts;
  parse.bound = bound;
  parse.pending = { ...nothingPending(), count: true };
}

/** "cars with more than 6 cylinders" bounds the column of each row, "meters with more than 2000 kwh" the total of their readings. */
function boundNextColumn(parse: SemanticParse, bound: Bound, at: number): boolean {
  const { constituents, last, model, subjects } = parse;
  const next = constituents[at + 1];
  const table = last?.kind === "table" ? last.table : (subjects.at(-1) ?? last?.table);
  if (next?.kind !== "ref" || !table) return false;
  const columns = next.meanings.flatMap((one) =>
    one.kind === "column" && isNumeric(one.column) && !isKey(one.table, one.column) && !isNoNumber(one) ? [one] : [],
  );
  const own = columns.find((one) => one.table === table);
  if (own) {
    boundColumn(parse, bound, own);
    if (last?.kind === "column") warnOfSingleRows(parse, bound, own, last);
    parse.averaged = own;
    return true;
  }
  const [other, another] = columns.filter((one) => joinsOf(model).path(one.table, table, new Set()));
  if (!other || another || bound.kind !== "compare" || parse.draft.measures.length > 0) return false;
  addEntity(parse, table);
  parse.bound = bound;
  return true;
}

/** "pupils with more than 10 absences" of a table of grades, where each pupil has several rows. */
function warnOfSingleRows(
  { warnings }: SemanticParse,
  bound: Bound,
  { table, column }: ColumnRef,
  of: ColumnRef,
): void {
  warnings.push(
    `“${boundText(bound)}” is of the ${columnLabel(table, column)} of single rows of ${tableLabel(table)}, and not of the total of each ${columnLabel(of.table, of.column)}.`,
  );
}

/** "more than 5 delivered orders": what is counted is behind what chooses it. */
function behindValues({ constituents }: Pick<SemanticParse, "constituents">, at: number): Constituent | undefined {
  return constituents
    .slice(at + 1)
    .find((one) => one.kind !== "ref" || !one.meanings.every(({ kind }) => kind === "value" || kind === "column"));
}

function isCounted(next: Constituent | undefined): boolean {
  return next?.kind === "ref" && next.meanings.some(({ kind }) => kind === "table" || kind === "measure");
}

/** "how many orders over 5": the count itself is not bounded, nor is the count of another table. */
function isAskedFor({ draft, constituents, cues }: SemanticParse, table: SemanticTable, counted: boolean): boolean {
  const measure = draft.measures.at(-1);
  if (
    cues.money ||
    measure?.kind !== "rows" ||
    !constituents.some((constituent) => constituent.kind === "count" && constituent.asks)
  )
    return false;
  return (measure.table === table) !== counted;
}

/** "total order value for orders over 400": the bound filters rows by the column of the measure. */
function isTotalOf({ draft }: SemanticParse, table: SemanticTable): boolean {
  const measure = draft.measures.at(-1);
  return measure?.kind === "aggregate" && measure.table === table && measure.fn !== "distinct";
}

function boundRows({ draft }: SemanticParse, bound: Bound): void {
  const measure = draft.measures.at(-1);
  if (measure?.kind !== "aggregate") return;
  const { table, column } = measure;
  draft.filters.push(boundFilter(bound, { table, column }));
}

function boundColumn(parse: SemanticParse, bound: Bound, { table, column }: ColumnRef): void {
  const { measures, filters } = parse.draft;
  const measured = measures.at(-1);
  if (parse.pending.count && !measured) {
    measures.push({ kind: "rows", table }); // "how many products cost more than 100"
    parse.pending = nothingPending();
  }
  if (measured?.kind === "aggregate" && measured.column === column) measures.pop();
  filters.push(boundFilter(bound, { table, column }));
}

function boundFilter(bound: Bound, ref: ColumnRef): Filter {
  return bound.kind === "compare"
    ? { kind: "compare", ...ref, comparison: bound.comparison, value: bound.value }
    : { kind: "between", ...ref, low: bound.low, high: bound.high };
}

/** "revenue above 1000": bounds the last measure of each group. */
function boundMeasure(
  { draft, unknown }: SemanticParse,
  { comparison, value }: Extract<Bound, { kind: "compare" }>,
): void {
  const measure = draft.measures.at(-1);
  if (measure) draft.having.push({ measure, comparison, value });
  else unknown.push(`${comparison} ${value}`);
}

/** "products cheaper than 10", "players taller than 190 cm": bounds the column that the adjective compares. */
function boundAttribute(parse: SemanticParse, bound: Extract<Bound, { kind: "compare" }>, attribute: Attribute): void {
  const table = parse.subjects.at(-1) ?? parse.last?.table;
  const column = table && (attributeColumn(attribute, table) ?? durationIn(bound.unit, table, parse));
  if (table && column) boundInUnit(parse, bound, { table, column });
  else parse.unknown.push(boundText(bound));
}

/** "shipments over 25 kg": the one column that is in such a unit. */
function boundUnit(parse: SemanticParse, bound: Bound, unit: string): void {
  const table = parse.subjects.at(-1) ?? parse.last?.table;
  const [own, other] = table ? columnsIn(unit, table) : [];
  const column = own ?? (table && durationIn(unit, table, parse));
  if (!table || !column) parse.unknown.push(boundText(bound));
  else if (other) {
    const names = columnsIn(unit, table).map((one) => columnLabel(table, one));
    parse.refusals.push(`“${boundText(bound)}” may be of ${names.join(" or of ")}. Name it before the number.`);
  } else boundInUnit(parse, bound, { table, column });
}

/** "outages longer than 4 hours": from the begin to the end of the rows, which is in days and in hours alike (CA-91). */
function durationIn(unit: string | undefined, table: SemanticTable, { model }: SemanticParse) {
  const meanings =
    lexiconOf(model)
      .get("duration")
      ?.flatMap((phrase) => phrase.meanings) ?? [];
  const column = meanings.flatMap((one) => (one.kind === "column" && one.table === table ? [one.column] : []))[0];
  const isTime = column && unit !== undefined && inUnitOf(table, column, { value: 1, unit }) !== undefined;
  return isTime ? column : undefined;
}

/** A bound in the unit of the column; one that the column has not is refused, and no unit is that of the column. */
function boundInUnit(parse: SemanticParse, bound: Bound, ref: ColumnRef): void {
  const { unit } = bound;
  if (unit === undefined) {
    boundColumn(parse, bound, ref);
    return;
  }
  // 60 minutes are no exact part of a day.
  const passed = elapsedIn(ref.column, unit);
  if (passed) {
    boundColumn(parse, bound, ref);
    parse.draft.filters[parse.draft.filters.length - 1] = boundFilter(bound, { table: ref.table, column: passed });
    return;
  }
  const convert = (value: number) => inUnitOf(ref.table, ref.column, { value, unit });
  const converted = convertedBound(bound, convert);
  const name = `${columnLabel(ref.table, ref.column)} of ${tableLabel(ref.table)}`;
  if (converted) boundColumn(parse, converted, ref);
  else if (isWithoutUnit(ref.table, ref.column)) {
    parse.warnings.push(
      `Whether ${name} is stored in ${unit} its name does not say; it is compared with ${bound.kind === "compare" ? bound.value : `${bound.low} and ${bound.high}`}.`,
    );
    boundColumn(parse, bound, ref);
  } else
    parse.refusals.push(`I do not know ${name} in ${unit}. Name the number without a unit to compare what is stored.`);
}

/** A time that passed, in the unit of a bound. */
function elapsedIn(column: SemanticColumn, unit: string): SemanticColumn | undefined {
  const asked = elapsedUnitCalled(unit);
  return asked && inUnit(column, asked);
}

function convertedBound(bound: Bound, convert: (value: number) => number | undefined): Bound | undefined {
  if (bound.kind === "compare") {
    const value = convert(bound.value);
    return value === undefined ? undefined : { ...bound, value };
  }
  const [low, high] = [convert(bound.low), convert(bound.high)];
  return low === undefined || high === undefined ? undefined : { ...bound, low, high };
}

function boundText(bound: Bound): string {
  const said = bound.kind === "compare" ? [bound.comparison, bound.value] : ["between", bound.low, "and", bound.high];
  return [...said, ...(bound.unit === undefined ? [] : [bound.unit])].join(" ");
}

/** "customers who ordered at least 10 times": bounds the number of rows of the default fact table. */
function boundTimes(parse: SemanticParse, bound: Extract<Bound, { kind: "compare" }>): void {
  const subject = parse.subjects.at(-1);
  const fact = subject && defaultFactTable(subject, parse.model);
  if (!subject || !fact) {
    parse.unknown.push(`${bound.comparison} ${bound.value} times`);
    return;
  }
  boundGroups(parse, bound, subject);
  parse.draft.measures.push({ kind: "rows", table: fact });
  parse.pending = nothingPending();
}

/** The table before the bound is the dimension; the counted table follows it. */
function boundGroups(parse: SemanticParse, bound: Extract<Bound, { kind: "compare" }>, table: SemanticTable): void {
  const { draft } = parse;
  const last = draft.measures.at(-1);
  const counts = last?.kind === "rows" && last.table === table;
  if (counts) draft.measures.pop();
  addEntity(parse, table);
  draft.countGroups ||= counts;
  parse.bound = bound;
  parse.pending = { ...nothingPending(), count: true };
}

/** "products with a price above average", "customers with more than average revenue". */
export function applyAverageBound(parse: SemanticParse, comparison: ">" | "<"): void {
  const { last } = parse;
  if (last?.kind === "column" && isNumeric(last.column)) boundColumnByAverage(parse, last, comparison);
  else boundGroupsByAverage(parse, comparison);
  parse.pending = nothingPending();
}

function boundColumnByAverage(
  parse: SemanticParse,
  ref: Extract<Meaning, { kind: "column" }>,
  comparison: ">" | "<",
): void {
  const { measures, filters } = parse.draft;
  const measured = measures.at(-1);
  if (measured?.kind === "aggregate" && measured.column === ref.column) measures.pop();
  filters.push({ kind: "average", table: ref.table, column: ref.column, comparison });
  parse.averaged = ref;
}

function boundGroupsByAverage(parse: SemanticParse, comparison: ">" | "<"): void {
  const { last, subjects } = parse;
  for (const table of last?.kind === "table" ? [last.table] : subjects) addEntity(parse, table);
  parse.boundAverage = comparison;
}
