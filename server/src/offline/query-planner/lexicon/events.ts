import { type SemanticColumn, type SemanticModel, type SemanticTable, tokenize } from "#analytics";
import type { ColumnRef } from "./column-ref.ts";
import { isTemporal } from "./meaning.ts";
import { columnLabel, isBirth } from "./names.ts";
import { storedTables } from "./roles.ts";

/** Words for one event, in any of which a column of time, and a question, may speak of it. */
const FAMILIES =
  `order ordered ordering|ship shipped shipment shipping dispatch dispatched|deliver delivered delivery delivering|pay paid payment paying|resolve resolved resolution
resolving|create created creation|open opened opening|close closed closing closure|admit admitted admission|discharge discharged|approve approved approval|hire hired
hiring|issue issued issuance|invoice invoiced invoicing|receive received receipt|arrive arrived arrival|depart departed departure|return returned|complete
completed completion|finish finished|submit submitted submission|respond responded response|book booked booking|cancel cancelled canceled cancellation|refund
refunded|purchase purchased|start started begin began begun|end ended|accept accepted acceptance|assign assigned assignment|process processed processing|send
sent|request requested|promise promised|expect expected|diagnose diagnosed diagnosis|enroll enrolled enrol enrollment enrolment|activate activated
activation|register registered registration|join joined|renew renewed renewal|expire expired expiry expiration|terminate terminated termination|place
placed|report reported|file filed|publish published publication|review reviewed|sign signed signature|schedule scheduled|repair repaired|inspect inspected
inspection|confirm confirmed confirmation|checkout|checkin|pickup|dropoff|signup`
    .split("|")
    .map((family) => family.split(/\s+/))
    .map((family) => [...family, `${(family[0] ?? "").replace(/e$/, "")}ing`]);

/** Words with which a row begins. */
const BEGINS = new Set(
  "order create open admit hire issue invoice book purchase start request register place report submit file join enroll signup checkin pickup depart receive".split(
    " ",
  ),
);

/** Words of a time at which something should happen. */
const DUE = /\b(promised?|due|expected|estimated|scheduled|planned|deadline|required|target|eta)\b/;

/** Words of a time that is none of what happens to a thing. */
const ASIDE = /\b(updated?|modified|changed|valid|effective|loaded|synced|inserted|deleted)\b/;

/** Events that end what is due: of these, one is what “late” is about. */
const DONE = new Set("deliver arrive return complete finish resolve close pay".split(" "));

/** The moments that the tables of a model have, by what they are called. */
export interface Events {
  /** Columns of time by the words for their event, in singular: "deliver", "delivered", "delivery", "delivered at". */
  readonly byName: ReadonlyMap<string, readonly ColumnRef[]>;
}

const known = new WeakMap<SemanticModel, Events>();

/** The events of a model, found once. */
export function eventsOf(model: SemanticModel): Events {
  let events = known.get(model);
  if (!events) {
    events = { byName: namesOfEvents(model) };
    known.set(model, events);
  }
  return events;
}

function namesOfEvents(model: SemanticModel): ReadonlyMap<string, readonly ColumnRef[]> {
  const named = storedTables(model).flatMap((table) =>
    table.columns
      .filter((column) => isTemporal(column) && !isBirth(columnLabel(table, column)))
      .flatMap((column) => namesOf(table, column).map((name) => [name, { table, column }] as const)),
  );
  return new Map([...Map.groupBy(named, ([name]) => name)].map(([name, refs]) => [name, refs.map(([, ref]) => ref)]));
}

/** What an event is called: its column's name, that without "date" and "at", and other forms of the one word that is left. */
function namesOf(table: SemanticTable, column: SemanticColumn): readonly string[] {
  const own = wordsOf(table, column);
  const names = [columnLabel(table, column), own.join(" "), ...(own.length === 1 ? formsOf(own[0] ?? "") : [])];
  return [...new Set(names.map(stemmed))].filter((name) => name !== "");
}

function wordsOf(table: SemanticTable, column: SemanticColumn): readonly string[] {
  const words = columnLabel(table, column).split(" ");
  return words.filter((word) => !/^(date|at|on|time|day|timestamp|datetime|dt|ts|of)$/.test(word));
}

/** A word with the other forms of its family; alone where no family has it. */
export function formsOf(word: string): readonly string[] {
  return FAMILIES.find((family) => family.includes(word)) ?? [word];
}

function stemmed(words: string): string {
  return tokenize(words)
    .map(({ stem }) => stem)
    .join(" ");
}

/** The first word of the family of an event: "deliver" for delivered_at; undefined where it is of none. */
function eventOf(table: SemanticTable, column: SemanticColumn): string | undefined {
  return wordsOf(table, column)
    .map((word) => FAMILIES.find((family) => family.includes(word))?.[0])
    .find((event) => event !== undefined);
}

/** Times at which something happened to a row, in the order of the table: neither those of people nor of plans. */
export function happenings(table: SemanticTable): readonly SemanticColumn[] {
  return table.columns.filter((column) => {
    const label = columnLabel(table, column);
    return isTemporal(column) && !DUE.test(label) && !ASIDE.test(label) && !isBirth(label);
  });
}

/** The time with which a row begins, before `end`; others that may be meant come after it. */
export function beginningsBefore(end: ColumnRef): readonly SemanticColumn[] {
  const { table, column } = end;
  const others = happenings(table).filter((one) => one !== column);
  // "due within 30 days" is from today, and not from when it was issued.
  if (!happenings(table).includes(column)) return [];
  const isBegin = BEGINS.has(eventOf(table, column) ?? "") && !DONE.has(eventOf(table, column) ?? "");
  const earlier = others.slice(0, happenings(table).indexOf(column));
  // A permit is filed before it is issued, an invoice begins with its issue.
  const begins = (isBegin ? earlier : others).filter((one) => BEGINS.has(eventOf(table, one) ?? ""));
  if (isBegin) return begins;
  if (begins.length === 0) return others.length === 1 ? others : [];
  return [...begins, ...earlier.filter((one) => !begins.includes(one))];
}

/** The time by which something should be done, with the one at which it was; undefined where either is missing or may be several (CA-78). */
export function dueAndDone(table: SemanticTable): { readonly due: ColumnRef; readonly done: ColumnRef } | undefined {
  const times = table.columns.filter(isTemporal);
  const [due, otherDue] = times.filter((column) => DUE.test(columnLabel(table, column)));
  if (!due || otherDue) return undefined;
  const candidates = happenings(table).filter((column) => DONE.has(eventOf(table, column) ?? ""));
  const same = candidates.filter((column) => eventOf(table, column) === eventOf(table, { ...due, name: plain(due) }));
  const [done, other] = same.length > 0 ? same : candidates.length > 0 ? candidates : laterThanFirst(table);
  return done && !other ? { due: { table, column: due }, done: { table, column: done } } : undefined;
}

/** "brewed", "packaged": what happens to a row after it begins, in whatever word. */
function laterThanFirst(table: SemanticTable): readonly SemanticColumn[] {
  return happenings(table)
    .slice(1)
    .filter((column) => !BEGINS.has(eventOf(table, column) ?? ""));
}

/**
 * Times that were planned beside those of the same event, what ends first: scheduled_arrival and actual_arrival. None where one time by which something is due is
 * known already (CA-78).
 */
export function plannedAndActual(
  table: SemanticTable,
): readonly { readonly due: ColumnRef; readonly done: ColumnRef; readonly event: string }[] {
  if (dueAndDone(table)) return [];
  const times = table.columns.filter(isTemporal);
  const pairs = times.flatMap((due) => {
    if (!DUE.test(columnLabel(table, due))) return [];
    const event = eventOf(table, { ...due, name: plain(due) });
    const [done, other] = happenings(table).filter((one) => event !== undefined && eventOf(table, one) === event);
    if (!event || !done || other) return [];
    const said = wordsOf(table, { ...due, name: plain(due) }).find((word) => formsOf(event).includes(word)) ?? event;
    return [{ due: { table, column: due }, done: { table, column: done }, event: said, ends: DONE.has(event) }];
  });
  const alone = pairs.filter((pair) => pairs.every((one) => one === pair || one.done.column !== pair.done.column));
  return alone.toSorted((left, right) => Number(right.ends) - Number(left.ends));
}

/** "promised delivery date" is about the delivery. */
function plain({ name }: SemanticColumn): string {
  return name.replace(/promised?|due|expected|estimated|scheduled|planned|deadline|required|target/gi, "");
}

/** Whether a word says that something happened: "paid", "shipped", "sent". */
export function isDone(word: string): boolean {
  return /^\p{L}+(ed|id|en|nt|un|ft)$/iu.test(word) && !/ment$/i.test(word);
}
