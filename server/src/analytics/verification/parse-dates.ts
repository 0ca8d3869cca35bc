import { once } from "#base";

/** A date in a text: its place, and what it may mean: "2025-03-31", "2025-03", "-03-31". */
export interface WrittenDate {
  readonly at: number;
  readonly length: number;
  /** 3/4/2025 has two readings. */
  readonly readings: readonly string[];
}

const LANGUAGES = ["en", "de", "fr", "es", "it", "pt", "nl"];

/** Numbers of the months by their names, in lower case: in full in several languages, shortened in English. */
const months = once(
  (): ReadonlyMap<string, number> =>
    new Map([
      ...LANGUAGES.flatMap((language) => monthsOf(language)),
      ...monthsOf("en").map(([name, month]) => [name.slice(0, 3), month] as const),
      ["sept", 9],
    ]),
);

function monthsOf(language: string): readonly (readonly [name: string, month: number])[] {
  const { format } = new Intl.DateTimeFormat(language, { month: "long", timeZone: "UTC" });
  return Array.from({ length: 12 }, (_, at) => [format(Date.UTC(2024, at, 1)).toLowerCase(), at + 1] as const);
}

/** A name of a month, as a pattern; longer ones first. */
export const monthNames = once((): string =>
  [...months().keys()].toSorted((one, other) => other.length - one.length).join("|"),
);

const DAY = "(?<!\\d)(\\d{1,2})(?!\\d)(?:st|nd|rd|th|er|º|\\.)?";
const OF = "(?:(?:of|de|del|di|do) )?";
const TIME = "(?:[T ]\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?Z?)?";

type Parts = readonly (string | undefined)[];

type DateForm = readonly [pattern: RegExp, readings: (parts: Parts) => readonly string[]];

const forms = once(() => formsWith(`(?<!\\p{L})(${monthNames()})(?!\\p{L})\\.?`));

function formsWith(month: string): readonly DateForm[] {
  return [
    [
      new RegExp(`\\b(\\d{4})[-/](\\d{2})(?:[-/](\\d{2}))?${TIME}(?!\\d)`, "gu"),
      ([year, month, day]) => [iso(year, month, day)],
    ],
    [
      new RegExp(`${DAY}\\s+${OF}${month},?\\s+${OF}(\\d{4})(?!\\d)`, "giu"),
      ([day, name, year]) => [iso(year, numberOf(name), day)],
    ],
    [
      new RegExp(`${month}\\s+(?:the )?${DAY},?\\s+(\\d{4})(?!\\d)`, "giu"),
      ([name, day, year]) => [iso(year, numberOf(name), day)],
    ],
    [new RegExp(`${month},?\\s+${OF}(\\d{4})(?!\\d)`, "giu"), ([name, year]) => [iso(year, numberOf(name), undefined)]],
    [new RegExp(`${month}\\s+(?:the )?${DAY}(?![\\d.,]*\\d)`, "giu"), ([name, day]) => [iso("", numberOf(name), day)]],
    [new RegExp(`${DAY}\\s+${OF}${month}`, "giu"), ([day, name]) => [iso("", numberOf(name), day)]],
    [/(?<![\d.])(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})(?!\d)/gu, ([day, month, year]) => [iso(year, month, day)]],
    [
      /(?<![\d/])(\d{1,2})\/(\d{1,2})\/(\d{4})(?![\d/])/gu,
      ([one, other, year]) => [iso(year, one, other), iso(year, other, one)],
    ],
  ];
}

/** A text with its dates as spaces, each character in its place, and the dates. */
export function extractDates(text: string): { readonly rest: string; readonly dates: readonly WrittenDate[] } {
  const dates: WrittenDate[] = [];
  let rest = text;
  for (const [pattern, readingsOf] of forms()) {
    rest = rest.replace(pattern, (whole: string, ...found: readonly (string | number | undefined)[]) => {
      const at = found.findIndex((part) => typeof part === "number");
      const readings = readingsOf(found.slice(0, at) as Parts);
      dates.push({ at: Number(found[at]), length: whole.length, readings });
      return " ".repeat(whole.length);
    });
  }
  return { rest, dates: dates.toSorted((one, other) => one.at - other.at) };
}

/** Whether a day of the rows is the date, or in it: "2025-03" has "2025-03-31". */
export function isDay(day: string, { readings }: WrittenDate): boolean {
  return readings.some((reading) => day.startsWith(reading) || day.slice(4).startsWith(reading));
}

/** The quarter of a day, as it is written: Q2 2025. */
export function quarterOf(day: string): { readonly quarter: number; readonly year: number } {
  return { quarter: Math.ceil(Number(day.slice(5, 7)) / 3), year: Number(day.slice(0, 4)) };
}

function iso(year = "", month = "", day: string | undefined): string {
  return [year, month.padStart(2, "0"), ...(day === undefined ? [] : [day.padStart(2, "0")])].join("-");
}

function numberOf(month = ""): string {
  return String(months().get(month.toLowerCase()) ?? 0);
}
