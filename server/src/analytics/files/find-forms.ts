import { type Conversion, convertedColumn, DATE_FORMATS, hasCurrency, presentText, type TableSchema } from "#warehouse";
import type { TableReader } from "./table-reader.ts";

/** What the texts of a column are. */
export interface FoundForm {
  /** Undefined where two forms fit that give different values. */
  readonly conversion?: Conversion;
  readonly of: "number" | "money" | "date";
}

/** Rows in which forms are looked for before all rows are. */
const FIRST_ROWS = 5_000;
const NUMBERS: readonly Conversion[] = [
  { to: "number", decimal: "." },
  { to: "number", decimal: "," },
];
const DATES: readonly Conversion[] = DATE_FORMATS.map((format) => ({ to: "date", format }));

/**
 * Text columns of which every value is a number or a date as people write them (CA-47). Digits alone stay text, as postcodes are; where two
 * forms fit all values and give different ones, as 1.234 and 3/4/2026 may, none is taken.
 */
export async function findForms(
  reader: TableReader,
  { columns }: TableSchema,
): Promise<ReadonlyMap<string, FoundForm>> {
  const texts = columns.filter(({ type, mode }) => type === "STRING" && mode !== "REPEATED").map(({ name }) => name);
  const found = new Map<string, FoundForm>();
  const fitting = await fittingForms(reader, texts);
  for (const [name, forms] of fitting) {
    const [conversion] = forms;
    if (!conversion) continue;
    const quoted = reader.quote(name);
    const [plain, currency, ...different] = await reader.row([
      `count(*) FILTER (WHERE NOT regexp_full_match(${presentText(quoted)}, '[0-9]+'))`,
      `count(*) FILTER (WHERE ${hasCurrency(quoted)})`,
      ...forms.slice(1).map((other) => differing(quoted, conversion, other)),
    ]);
    if (Number(plain) === 0) continue;
    const isMoney = Number(currency) > 0;
    const of = conversion.to === "date" ? "date" : isMoney ? "money" : "number";
    found.set(name, { of, ...(different.every((count) => Number(count) === 0) && { conversion }) });
  }
  return found;
}

/** The forms that fit all values of each column, one kind of them: numbers, else dates. */
async function fittingForms(
  reader: TableReader,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly Conversion[]>> {
  const candidates = names.flatMap((name) => [...NUMBERS, ...DATES].map((conversion) => ({ name, conversion })));
  const first = await reader.failures(candidates, FIRST_ROWS);
  const likely = candidates.filter((_, at) => (first[at]?.present ?? 0) > 0 && first[at]?.failed === 0);
  const all = await reader.failures(likely);
  const fitting = likely.filter((_, at) => all[at]?.failed === 0);
  return new Map(
    names.map((name) => {
      const forms = fitting.filter((one) => one.name === name).map(({ conversion }) => conversion);
      const numbers = forms.filter(({ to }) => to === "number");
      return [name, numbers.length > 0 ? numbers : forms];
    }),
  );
}

function differing(column: string, one: Conversion, other: Conversion): string {
  return `count(*) FILTER (WHERE ${convertedColumn(column, one)} IS DISTINCT FROM ${convertedColumn(column, other)})`;
}
