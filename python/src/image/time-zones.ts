import { isJsonObject, type JsonValue } from "../json.ts";
import { encodeTzif, type Transition } from "./tzif.ts";

/** Explicit transitions are written up to this year; the rule for the time after it is in the file's footer. */
const LAST_EXPLICIT_YEAR = 2037;

/** One line of a named rule of the time zone database; `toYear` Infinity means for ever. */
interface Rule {
  readonly fromYear: number;
  readonly toYear: number;
  /** 0 to 11. */
  readonly month: number;
  /** `lastSun`, `Sun>=8`, `Sun<=25` or a day of the month. */
  readonly day: string;
  /** Seconds after midnight, by the clock that `clock` names. */
  readonly time: number;
  readonly clock: "wall" | "standard" | "universal";
  /** Seconds added to standard time. */
  readonly save: number;
  readonly letter: string;
}

/** A stretch of a zone's history. `until` is the wall time of its end, as if it were UTC, in seconds. */
interface Era {
  readonly standard: number;
  readonly rule: string;
  readonly format: string;
  readonly until: number;
}

type Rules = ReadonlyMap<string, readonly Rule[]>;

/**
 * Compiles the rules of the IANA database (the JSON of the `tzdata` package: `zones`, `rules`) into one TZif file a zone,
 * as `zic` does. Links get the file of the zone they point to.
 */
export function compileTimeZones(database: unknown): Map<string, Uint8Array> {
  const { zones, rules } = parseDatabase(database);
  const files = new Map<string, Uint8Array>();
  for (const [name, eras] of zones) if (typeof eras !== "string") files.set(name, compileZone(eras, rules));
  for (const [name, target] of zones) {
    if (typeof target !== "string") continue;
    const file = files.get(resolveLink(target, zones));
    if (file) files.set(name, file);
  }
  return files;
}

function resolveLink(name: string, zones: ReadonlyMap<string, readonly Era[] | string>): string {
  const target = zones.get(name);
  return typeof target === "string" ? resolveLink(target, zones) : name;
}

function compileZone(eras: readonly Era[], rules: Rules): Uint8Array {
  const transitions: Transition[] = [];
  let start = Number.NEGATIVE_INFINITY;
  for (const era of eras) {
    const applied = applyEra(era, start, rules);
    for (const transition of applied.transitions) pushChange(transitions, transition);
    start = applied.end;
  }
  const last = eras[eras.length - 1];
  return encodeTzif(transitions, last ? footerOf(last, rules) : "");
}

/** Leaves out a transition that changes nothing. */
function pushChange(transitions: Transition[], next: Transition): void {
  const before = transitions[transitions.length - 1];
  const same =
    before?.offset === next.offset &&
    before.isDaylight === next.isDaylight &&
    before.abbreviation === next.abbreviation;
  if (!same) transitions.push(next);
}

function applyEra(era: Era, start: number, rules: Rules): { transitions: Transition[]; end: number } {
  const named = rules.get(era.rule);
  const fixed = named ? 0 : fixedSave(era.rule);
  if (!named) {
    return { transitions: [transition(era, start, fixed, "")], end: era.until - era.standard - fixed };
  }
  const changes = changesOf(named, era.standard, era.until);
  const before = changes.filter((change) => change.at <= start).at(-1);
  // Before a rule's first change, standard time holds, with the letters of the earliest standard-time line.
  let save = before?.save ?? 0;
  const letter = before?.letter ?? changes.find((change) => change.save === 0)?.letter ?? "";
  const transitions = [transition(era, start, save, letter)];
  for (const change of changes) {
    if (change.at <= start) continue;
    if (change.at >= era.until - era.standard - save) break;
    transitions.push(transition(era, change.at, change.save, change.letter));
    save = change.save;
  }
  return { transitions, end: era.until - era.standard - save };
}

function fixedSave(rule: string): number {
  const match = /^(-?)(\d+):(\d+)$/.exec(rule);
  if (!match) return 0;
  return (match[1] ? -1 : 1) * (Number(match[2]) * 3600 + Number(match[3]) * 60);
}

interface Change {
  /** UTC seconds. */
  readonly at: number;
  readonly save: number;
  readonly letter: string;
}

/** Every change that the lines of one rule make, in order, for a zone with this standard offset. */
function changesOf(rules: readonly Rule[], standard: number, until: number): Change[] {
  const finiteYears = rules.flatMap(({ fromYear, toYear }) =>
    Number.isFinite(toYear) ? [fromYear, toYear] : [fromYear],
  );
  // Some rules list years far ahead one by one (Ramadan moves): those are all written.
  const lastListed = Math.max(LAST_EXPLICIT_YEAR, ...finiteYears);
  const lastYear = Number.isFinite(until) ? new Date(until * 1000).getUTCFullYear() + 1 : lastListed;
  const dated: { local: number; rule: Rule }[] = [];
  for (const rule of rules) {
    for (let year = rule.fromYear; year <= Math.min(rule.toYear, lastYear); year++) {
      dated.push({ local: dayOf(rule, year) + rule.time, rule });
    }
  }
  dated.sort((one, other) => one.local - other.local);
  let save = 0;
  return dated.map(({ local, rule }) => {
    const at = local - clockOffset(rule.clock, standard, save);
    save = rule.save;
    return { at, save: rule.save, letter: rule.letter };
  });
}

function clockOffset(clock: Rule["clock"], standard: number, save: number): number {
  if (clock === "universal") return 0;
  return clock === "standard" ? standard : standard + save;
}

/** Midnight of the day that a rule names, as if it were UTC, in seconds. */
function dayOf({ month, day }: Rule, year: number): number {
  const seconds = (date: number) => Date.UTC(year, month, date) / 1000;
  const { kind, weekday, date } = parseDay(day);
  if (kind === "date") return seconds(date);
  const from = kind === "last" ? new Date(Date.UTC(year, month + 1, 0)).getUTCDate() : date;
  const at = new Date(Date.UTC(year, month, from)).getUTCDay();
  return kind === "after" ? seconds(from + ((weekday - at + 7) % 7)) : seconds(from - ((at - weekday + 7) % 7));
}

const WEEKDAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function parseDay(day: string): { kind: "date" | "last" | "after" | "before"; weekday: number; date: number } {
  const match = /^(?:last(\w{3})|(\w{3})([<>])=(\d+)|(\d+))$/.exec(day);
  if (!match) throw new Error(`unknown day in a time zone rule: ${day}`);
  const weekday = WEEKDAYS.indexOf(match[1] ?? match[2] ?? "");
  if (match[5]) return { kind: "date", weekday: 0, date: Number(match[5]) };
  if (match[1]) return { kind: "last", weekday, date: 0 };
  return { kind: match[3] === ">" ? "after" : "before", weekday, date: Number(match[4]) };
}

function transition(era: Era, at: number, save: number, letter: string): Transition {
  const offset = era.standard + save;
  return { at, offset, isDaylight: save !== 0, abbreviation: abbreviationOf(era.format, offset, save, letter) };
}

function abbreviationOf(format: string, offset: number, save: number, letter: string): string {
  if (format.includes("/")) return format.split("/")[save === 0 ? 0 : 1] ?? format;
  if (format.includes("%z")) return format.replace("%z", numericName(offset));
  return format.replace("%s", letter);
}

function numericName(offset: number): string {
  const minutes = Math.round(Math.abs(offset) / 60);
  const hours = String(Math.floor(minutes / 60)).padStart(2, "0");
  return `${offset < 0 ? "-" : "+"}${hours}${minutes % 60 ? String(minutes % 60).padStart(2, "0") : ""}`;
}

/** The POSIX TZ string for the time after the last transition. */
function footerOf(era: Era, rules: Rules): string {
  const lines = rules.get(era.rule) ?? [];
  const lasting = lines.filter((rule) => rule.toYear === Number.POSITIVE_INFINITY);
  const standard = lasting.find((rule) => rule.save === 0);
  const daylight = lasting.find((rule) => rule.save !== 0);
  if (standard && daylight) return alternating(era, standard, daylight);
  const final = changesOf(lines, era.standard, Number.POSITIVE_INFINITY).at(-1);
  const save = final?.save ?? fixedSave(era.rule);
  const offset = era.standard + save;
  return posixName(abbreviationOf(era.format, offset, save, final?.letter ?? "")) + posixOffset(-offset);
}

function alternating(era: Era, standard: Rule, daylight: Rule): string {
  const name = (rule: Rule) => posixName(abbreviationOf(era.format, era.standard + rule.save, rule.save, rule.letter));
  const daylightOffset = daylight.save === 3600 ? "" : posixOffset(-(era.standard + daylight.save));
  const toDaylight = posixRule(daylight, era.standard, standard.save);
  const toStandard = posixRule(standard, era.standard, daylight.save);
  return `${name(standard)}${posixOffset(-era.standard)}${name(daylight)}${daylightOffset},${toDaylight},${toStandard}`;
}

function posixName(abbreviation: string): string {
  return /^[A-Za-z]+$/.test(abbreviation) ? abbreviation : `<${abbreviation}>`;
}

function posixOffset(seconds: number): string {
  const size = Math.abs(seconds);
  const parts = [Math.floor(size / 3600), Math.floor((size % 3600) / 60), size % 60];
  while (parts.length > 1 && parts.at(-1) === 0) parts.pop();
  const [hours, ...rest] = parts;
  return (seconds < 0 ? "-" : "") + [hours, ...rest.map((part) => String(part).padStart(2, "0"))].join(":");
}

/** `Mm.w.d/time`. A day such as `Sun>=2` is no whole week, so it is written as the day before, 24 hours later. */
function posixRule(rule: Rule, standard: number, saveBefore: number): string {
  let time = rule.time + (standard + saveBefore) - clockOffset(rule.clock, standard, saveBefore);
  const { kind, weekday, date } = parseDay(rule.day);
  if (kind === "date") return `J${yearDay(rule.month, date)}/${posixOffset(time)}`;
  let day = weekday;
  let week = 5;
  if (kind !== "last") {
    const first = kind === "after" ? date : date - 6;
    const shift = (first - 1) % 7;
    week = (first - 1 - shift) / 7 + 1;
    day = (weekday - shift + 7) % 7;
    time += shift * 86_400;
  }
  return `M${rule.month + 1}.${week}.${day}/${posixOffset(time)}`;
}

/** Day of the year, 1 to 365, without leap days. */
function yearDay(month: number, date: number): number {
  return (Date.UTC(2001, month, date) - Date.UTC(2001, 0, 1)) / 86_400_000 + 1;
}

function parseDatabase(database: unknown) {
  if (!isJsonObject(database) || !isJsonObject(database.zones) || !isJsonObject(database.rules)) {
    throw new Error("the time zone database has an unknown format");
  }
  const zones = new Map<string, readonly Era[] | string>();
  for (const [name, zone] of Object.entries(database.zones)) {
    zones.set(name, typeof zone === "string" ? zone : rows(zone).map((row) => parseEra(name, row)));
  }
  const rules: Rules = new Map(
    Object.entries(database.rules).map(([name, lines]) => [name, rows(lines).map(parseRule)]),
  );
  return { zones, rules };
}

function rows(value: JsonValue): JsonValue[][] {
  if (!Array.isArray(value)) throw new Error("the time zone database has an unknown format");
  return value.filter((row) => Array.isArray(row));
}

/** `[minutes west, rule, format, until in milliseconds or null]`. */
function parseEra(zone: string, [west, rule, format, until]: JsonValue[]): Era {
  return {
    standard: -Math.round(Number(west) * 60) || 0,
    rule: String(rule),
    format: String(format),
    until: until === null || until === undefined ? Number.POSITIVE_INFINITY : yearEnd(zone, Number(until) / 1000),
  };
}

/** The package writes the bare year that most eras end with as that year's last day; the database means its first. */
function yearEnd(zone: string, until: number): number {
  const date = new Date(until * 1000);
  const isBareYear = date.getUTCMonth() === 11 && date.getUTCDate() === 31 && until % 86_400 === 0;
  const isReal = SKIPPED_DAYS[date.getUTCFullYear()]?.includes(zone) ?? false;
  return isBareYear && !isReal ? Date.UTC(date.getUTCFullYear(), 0, 1) / 1000 : until;
}

/** Zones where 31 December of a year really ended an era: the day was skipped at the date line. */
const SKIPPED_DAYS: Readonly<Record<number, readonly string[]>> = {
  1844: ["Asia/Manila", "Pacific/Guam", "Pacific/Kosrae", "Pacific/Palau"],
  1994: ["Pacific/Kanton", "Pacific/Kiritimati"],
};

/** `[from, to, type, month, day, [hour, minute, second, clock], minutes saved, letter]`. */
function parseRule([from, to, , month, day, time, save, letter]: JsonValue[]): Rule {
  const [hours, minutes, seconds, clock] = Array.isArray(time) ? time : [];
  const fromYear = Number(from);
  return {
    fromYear,
    toYear: to === "only" ? fromYear : to === "max" ? Number.POSITIVE_INFINITY : Number(to),
    month: MONTHS.indexOf(String(month)),
    day: String(day),
    time: Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds),
    clock: clock === "s" ? "standard" : clock === "u" || clock === "g" || clock === "z" ? "universal" : "wall",
    save: Number(save) * 60,
    letter: letter === "-" || letter === undefined ? "" : String(letter),
  };
}
