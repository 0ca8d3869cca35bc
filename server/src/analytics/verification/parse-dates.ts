const MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december".split("|");
const MONTH = `(${MONTHS.join("|")}|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\\.?`;
const DAY = "(\\d{1,2})(?:st|nd|rd|th)?";

const FORMS: readonly (readonly [pattern: RegExp, parts: (found: RegExpExecArray | RegExpMatchArray) => string])[] = [
  [
    /\b(\d{4})-(\d{2})(?:-(\d{2}))?(?:[T ]\d{2}:\d{2}(?::\d{2})?)?\b/g,
    ([, year = "", month = "", day]) => iso(year, month, day),
  ],
  [
    new RegExp(`\\b${DAY}\\s+(?:of\\s+)?${MONTH},?\\s+(\\d{4})\\b`, "gi"),
    ([, day, month = "", year = ""]) => iso(year, numberOf(month), day),
  ],
  [
    new RegExp(`\\b${MONTH}\\s+${DAY},?\\s+(\\d{4})\\b`, "gi"),
    ([, month = "", day, year = ""]) => iso(year, numberOf(month), day),
  ],
  [
    new RegExp(`\\b${MONTH},?\\s+(\\d{4})\\b`, "gi"),
    ([, month = "", year = ""]) => iso(year, numberOf(month), undefined),
  ],
  [new RegExp(`\\b${MONTH}\\s+${DAY}\\b`, "gi"), ([, month = "", day]) => iso("", numberOf(month), day)],
  [
    new RegExp(`\\b${DAY}\\s+(?:of\\s+)?${MONTH}(?!\\p{L})`, "giu"),
    ([, day, month = ""]) => iso("", numberOf(month), day),
  ],
];

/** A text without its dates, and the dates: "2025-03-31", "2025-03", "-03-31". */
export function extractDates(text: string): { readonly rest: string; readonly days: readonly string[] } {
  const days: string[] = [];
  let rest = text;
  for (const [pattern, parts] of FORMS) {
    rest = rest.replace(pattern, (...found) => {
      days.push(parts(found as unknown as RegExpMatchArray));
      return " ";
    });
  }
  return { rest, days };
}

/** The quarter of a day, as it is written: Q2 2025. */
export function quarterOf(day: string): { readonly quarter: number; readonly year: number } {
  return { quarter: Math.ceil(Number(day.slice(5, 7)) / 3), year: Number(day.slice(0, 4)) };
}

function iso(year: string, month: string, day: string | undefined): string {
  return [year, month.padStart(2, "0"), ...(day === undefined ? [] : [day.padStart(2, "0")])].join("-");
}

function numberOf(month: string): string {
  const start = month.toLowerCase().slice(0, 3);
  return String(MONTHS.findIndex((name) => name.startsWith(start)) + 1);
}
