import type { SemanticColumn, SemanticModel, Token } from "#analytics";
import type { ColumnRef } from "../lexicon/column-ref.ts";
import type { ElapsedUnit } from "../lexicon/computed.ts";
import { computedOf, hasTimeOfDay } from "../lexicon/computed.ts";
import { elapsedColumn, elapsedSinceBegin, inUnit } from "../lexicon/computed-columns.ts";
import { eventsOf } from "../lexicon/events.ts";
import { isNumeric, type Meaning } from "../lexicon/meaning.ts";
import { columnLabel } from "../lexicon/names.ts";
import { joinsOf } from "../query/join-graph.ts";
import type { Constituent } from "./constituent.ts";

type Ref = Extract<Constituent, { kind: "ref" }>;

interface ReadElapsed {
  readonly constituent: Constituent;
  readonly length: number;
}

const UNITS: ReadonlyMap<string, ElapsedUnit> = new Map(
  (["second", "minute", "hour", "day", "week"] as const).map((unit) => [unit, unit]),
);

/** The unit that a word is, of a time that passed. */
export function elapsedUnit(token: Token | undefined): ElapsedUnit | undefined {
  return UNITS.get(token?.stem ?? "");
}

/** "days from order to shipment", "time between ordered and shipped", "hours to resolution", "delivery time" (CA-76). */
export function readElapsed(tokens: readonly Token[], at: number, model: SemanticModel): ReadElapsed | undefined {
  return readBetween(tokens, at, model) ?? readUntil(tokens, at, model) ?? readTimeOf(tokens, at, model);
}

const LEADS = /^(time|duration|gap|interval|lag)$/;

/** "number of days", "time": what a time that passed begins with. */
function leadAt(
  tokens: readonly Token[],
  at: number,
): { readonly unit: ElapsedUnit; readonly length: number } | undefined {
  const counted = tokens[at]?.stem === "number" && tokens[at + 1]?.stem === "of" ? 2 : 0;
  const word = tokens[at + counted];
  const unit = elapsedUnit(word) ?? (LEADS.test(word?.stem ?? "") ? "day" : undefined);
  if (!unit) return undefined;
  const passed = /^(taken|elapsed|passed|needed|required)$/.test(tokens[at + counted + 1]?.stem ?? "") ? 1 : 0;
  return { unit, length: counted + 1 + passed };
}

function readBetween(tokens: readonly Token[], at: number, model: SemanticModel): ReadElapsed | undefined {
  const lead = leadAt(tokens, at);
  if (!lead) return undefined;
  const opening = tokens[at + lead.length]?.stem ?? "";
  const closing = opening === "from" ? /^(to|until|till)$/ : opening === "between" ? /^and$/ : undefined;
  const from = closing && eventAt(tokens, at + lead.length + 1, model);
  if (!from) return undefined;
  const middle = at + lead.length + 1 + from.length;
  const to = closing.test(tokens[middle]?.stem ?? "") ? eventAt(tokens, middle + 1, model) : undefined;
  if (!to) return undefined;
  return read(tokens, at, middle + 1 + to.length, pairsOf(from.refs, to.refs, model), lead.unit);
}

interface Pair {
  readonly from: ColumnRef;
  readonly to: ColumnRef;
  /** The table whose rows have the time: it belongs to the other one. */
  readonly owner: ColumnRef["table"];
}

/** Moments of one table, else of two of which one belongs to the other. */
function pairsOf(starts: readonly ColumnRef[], ends: readonly ColumnRef[], model: SemanticModel): readonly Pair[] {
  const joins = joinsOf(model);
  const pairs = starts.flatMap((from) =>
    ends.flatMap((to): readonly Pair[] => {
      if (from.column === to.column) return [];
      if (joins.path(to.table, from.table, new Set())) return [{ from, to, owner: to.table }];
      return joins.path(from.table, to.table, new Set()) ? [{ from, to, owner: from.table }] : [];
    }),
  );
  const own = pairs.filter(({ from, to }) => from.table === to.table);
  return own.length > 0 ? own : pairs;
}

function read(
  tokens: readonly Token[],
  at: number,
  end: number,
  pairs: readonly Pair[],
  unit: ElapsedUnit,
): ReadElapsed | undefined {
  const columns = pairs.map(({ from, to, owner }) => ({ owner, column: elapsedColumn(from, to, unit) }));
  const meanings = columns.map(({ owner, column }): Meaning => {
    const others = columns.filter((other) => other.column !== column).map((other) => other.column.name);
    const assumption = others.length > 0 && `${column.name}; it could also be ${others.join(" or ")}`;
    return { kind: "column", table: owner, column: assumption ? { ...column, assumption } : column };
  });
  return refTo(tokens, at, end, meanings);
}

function refTo(
  tokens: readonly Token[],
  at: number,
  end: number,
  meanings: readonly Meaning[],
): ReadElapsed | undefined {
  if (meanings.length === 0) return undefined;
  const text = tokens
    .slice(at, end)
    .map((token) => token.text)
    .filter((word) => word !== "")
    .join(" ");
  const told = meanings.filter((one) => one.kind === "column" && isTold(one.column));
  const constituent: Ref = { kind: "ref", text, meanings: told, plural: false };
  return {
    constituent: told.length > 0 ? constituent : { kind: "impossible", why: inDaysOnly(meanings) },
    length: end - at,
  };
}

/** Days have no hours. */
function isTold(column: SemanticColumn): boolean {
  const computed = computedOf(column);
  return computed?.kind !== "elapsed" || hasTimeOfDay(computed) || computed.unit === "day" || computed.unit === "week";
}

function inDaysOnly(meanings: readonly Meaning[]): string {
  const [found] = meanings.flatMap((one) => (one.kind === "column" ? (computedOf(one.column) ?? []) : []));
  if (found?.kind !== "elapsed") return "That time is not known.";
  const names = [found.from, found.to].map(({ table, column }) => columnLabel(table, column));
  return `${names.join(" and ")} are known by the day, so the time between them can be told in days or weeks.`;
}

/** "hours to resolution", "time until the first response": from the begin of the row. */
function readUntil(tokens: readonly Token[], at: number, model: SemanticModel): ReadElapsed | undefined {
  const lead = leadAt(tokens, at);
  if (!lead || !/^(to|until|till|before)$/.test(tokens[at + lead.length]?.stem ?? "")) return undefined;
  const end = eventAt(tokens, at + lead.length + 1, model);
  return end && refTo(tokens, at, at + lead.length + 1 + end.length, sinceBegin(end.refs, lead.unit));
}

/** "delivery time", "first response time": no number is called so. "Order time" is when it was ordered. */
function readTimeOf(tokens: readonly Token[], at: number, model: SemanticModel): ReadElapsed | undefined {
  const end = eventAt(tokens, at, model);
  const word = end && tokens[at + end.length];
  if (!end || !word || !/^(time|duration|day)$/.test(word.stem) || /ed$/.test(tokens[at + end.length - 1]?.stem ?? ""))
    return undefined;
  const refs = end.refs.filter(
    ({ table }) =>
      !table.columns.some((column) => isNumeric(column) && isTimeNumber(columnLabel(table, column), end.name)),
  );
  return refs.length < end.refs.length ? undefined : refTo(tokens, at, at + end.length + 1, sinceBegin(refs, "day"));
}

function isTimeNumber(label: string, event: string): boolean {
  return label.includes(event.slice(0, 4)) && /\b(days?|hours?|minutes?|seconds?|time|duration|hrs|mins)\b/.test(label);
}

function sinceBegin(refs: readonly ColumnRef[], unit: ElapsedUnit): readonly Meaning[] {
  return refs.flatMap((to): readonly Meaning[] => {
    const column = elapsedSinceBegin(to, unit);
    return column ? [{ kind: "column", table: to.table, column }] : [];
  });
}

const MOST_WORDS = 4;

/** The longest name of an event, behind an article; "order date" is that of the event "order", too. */
export function eventAt(
  tokens: readonly Token[],
  at: number,
  model: SemanticModel,
): { readonly refs: readonly ColumnRef[]; readonly name: string; readonly length: number } | undefined {
  const begin = at + (/^(the|a|an|it|being|be|getting)$/.test(tokens[at]?.stem ?? "") ? 1 : 0);
  const { byName } = eventsOf(model);
  for (let words = MOST_WORDS; words > 0; words -= 1) {
    const part = tokens.slice(begin, begin + words);
    const name = part.map(({ stem }) => stem).join(" ");
    const refs = part.length === words ? byName.get(name) : undefined;
    if (!refs) continue;
    const dated = tokens[begin + words]?.stem === "date" ? 1 : 0;
    return { refs, name, length: begin + words + dated - at };
  }
  return undefined;
}

/** "… in hours": the unit of the time that the question has named already; what it becomes, or why that cannot be. */
export function elapsedInUnit(
  constituents: readonly Constituent[],
  unit: ElapsedUnit,
): readonly Constituent[] | undefined {
  const at = constituents.findLastIndex((one) => one.kind === "ref" && one.meanings.some(isElapsed));
  const ref = constituents[at];
  if (ref?.kind !== "ref") return undefined;
  const meanings = ref.meanings.flatMap((one): readonly Meaning[] => {
    const column = one.kind === "column" ? inUnit(one.column, unit) : undefined;
    return column ? [{ kind: "column", table: one.table, column }] : [];
  });
  if (meanings.length > 0) return constituents.with(at, { ...ref, meanings });
  return [...constituents, { kind: "impossible", why: inDaysOnly(ref.meanings) }];
}

function isElapsed(meaning: Meaning): boolean {
  return meaning.kind === "column" && computedOf(meaning.column)?.kind === "elapsed";
}
