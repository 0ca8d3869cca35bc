import {
  beginsWithZero,
  type Conversion,
  convertedColumn,
  DATE_FORMATS,
  DATETIME_FORMATS,
  hasCurrency,
  isNoCode,
  presentText,
  saysMissing,
  type TableSchema,
  unitOfCell,
} from "#warehouse";
import { KEY_NAME } from "./column-kinds.ts";
import type { TableReader } from "./table-reader.ts";

/** What the texts of a column are. */
export interface FoundForm {
  /** Undefined where two forms fit that give different values. */
  readonly conversion?: Conversion;
  readonly of: "number" | "money" | "date" | "datetime";
}

/** Rows in which forms are looked for before all rows are. */
const FIRST_ROWS = 5_000;
const NUMBERS: readonly Conversion[] = [
  { to: "number", decimal: "." },
  { to: "number", decimal: "," },
];
const DATES: readonly Conversion[] = DATE_FORMATS.map((format) => ({ to: "date", format }));
const DATETIMES: readonly Conversion[] = DATETIME_FORMATS.map((format) => ({ to: "datetime", format }));

/** A column with the forms that fit all of its values. */
interface Fitting {
  readonly name: string;
  readonly forms: readonly Conversion[];
  readonly of: FoundForm["of"];
  /** Whether all forms give the same values. */
  readonly isSame: boolean;
}

/**
 * Text columns of which every value is a number or a date as people write them (CA-47). Digits alone stay text, as postcodes are, unless
 * words for a missing value made them a text; where two forms fit all values and give different ones, as 1.234 and 3/4/2026 may, the one is
 * taken that the other columns of the table have, because they were written by the same hand; else none.
 */
export async function findForms(
  reader: TableReader,
  { columns }: TableSchema,
): Promise<ReadonlyMap<string, FoundForm>> {
  const texts = columns.filter(({ type, mode }) => type === "STRING" && mode !== "REPEATED").map(({ name }) => name);
  const found: Fitting[] = [];
  for (const [name, forms] of await fittingForms(reader, texts)) {
    const fitting = await readForms(reader, name, forms);
    if (fitting) found.push(fitting);
  }
  const settled = found.flatMap(({ forms }) => (forms.length === 1 ? forms : []));
  return new Map(
    found.map(({ name, forms, of, isSame }) => {
      const conversion = isSame ? forms[0] : asElsewhere(forms, settled);
      return [name, { of, ...(conversion && { conversion }) }];
    }),
  );
}

/** What the values of a column are, by the forms that fit; undefined where they stay text. */
async function readForms(
  reader: TableReader,
  name: string,
  forms: readonly Conversion[],
): Promise<Fitting | undefined> {
  const [conversion] = forms;
  if (!conversion) return undefined;
  const quoted = reader.quote(name);
  const [written, currency, missing, zeros, ...different] = await reader.row([
    ...[isNoCode, hasCurrency, saysMissing, beginsWithZero].map((condition) => counted(condition(quoted))),
    ...forms.slice(1).map((other) => differing(quoted, conversion, other)),
  ]);
  const isCode = Number(written) === 0 && (Number(missing) === 0 || Number(zeros) > 0);
  const isMoney = Number(currency) > 0;
  if (isCode || (conversion.to === "number" && !isMoney && KEY_NAME.test(name))) return undefined;
  const of = conversion.to === "number" ? (isMoney ? "money" : "number") : conversion.to;
  if (of === "text" || of === "boolean") return undefined;
  return { name, forms, of, isSame: different.every((count) => Number(count) === 0) };
}

/** The one form that another column has, too: the same mark before decimals, the same order of day and month. */
function asElsewhere(forms: readonly Conversion[], settled: readonly Conversion[]): Conversion | undefined {
  const shared = forms.filter((form) => settled.some((one) => isAlike(one, form)));
  return shared.length === 1 ? shared[0] : undefined;
}

function isAlike(one: Conversion, other: Conversion): boolean {
  if (one.to === "number" && other.to === "number") return one.decimal === other.decimal;
  if (!("format" in one && "format" in other)) return false;
  const [shorter = "", longer = ""] = [one.format, other.format].toSorted((left, right) => left.length - right.length);
  return longer.startsWith(shorter.split(" %H")[0]?.split(" %I")[0] ?? shorter);
}

/** The forms that fit all values of each column, one kind of them: numbers, else dates, else dates with a time of day. */
async function fittingForms(
  reader: TableReader,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly Conversion[]>> {
  const found = new Map<string, readonly Conversion[]>();
  const kinds = [async () => [...NUMBERS, ...DATES], async () => DATETIMES, (name: string) => measured(reader, name)];
  for (const kind of kinds) {
    const rest = names.filter((name) => !found.has(name));
    const candidates: { readonly name: string; readonly conversion: Conversion }[] = [];
    for (const name of rest) candidates.push(...(await kind(name)).map((conversion) => ({ name, conversion })));
    const first = await reader.failures(candidates, FIRST_ROWS);
    const likely = candidates.filter((_, at) => (first[at]?.present ?? 0) > 0 && first[at]?.failed === 0);
    const all = await reader.failures(likely);
    const fitting = likely.filter((_, at) => all[at]?.failed === 0);
    for (const [name, forms = []] of Map.groupBy(fitting, (one) => one.name)) {
      const numbers = forms.filter(({ conversion }) => conversion.to === "number");
      const chosen = numbers.length > 0 ? numbers : forms;
      found.set(
        name,
        chosen.map(({ conversion }) => conversion),
      );
    }
  }
  return found;
}

/** Numbers with one unit behind all of them: `12.5 %`, `3 kg`. Cells in several units would be added up as if they were in one. */
async function measured(reader: TableReader, name: string): Promise<readonly Conversion[]> {
  const unit = unitOfCell(presentText(reader.quote(name)));
  const [first, last] = await reader.row([`min(${unit})`, `max(${unit})`]);
  if (typeof first !== "string" || first === "" || first !== last) return [];
  return ([".", ","] as const).map((decimal) => ({ to: "number", decimal, unit: first }));
}

function counted(condition: string): string {
  return `count(*) FILTER (WHERE ${condition})`;
}

function differing(column: string, one: Conversion, other: Conversion): string {
  return counted(`${convertedColumn(column, one)} IS DISTINCT FROM ${convertedColumn(column, other)}`);
}
