import { quoteText } from "../sql-quoting.ts";
import { withoutUnit } from "./cell-units.ts";

/** How the values of a column are read that are stored in another form than they mean. */
export type Conversion =
  | { readonly to: "text" }
  /**
   * Numbers as people write them, `$1,234.50` or `1.234,50 €`; `decimal` is what stands before the decimals, `unit` what stands behind every
   * number, in lower case: `12.5 %`, `3 kg`.
   */
  | { readonly to: "number"; readonly decimal: "." | ","; readonly unit?: string }
  /** `format`: as strptime writes it, e.g. `%d.%m.%Y`. */
  | { readonly to: "date" | "datetime"; readonly format: string }
  | { readonly to: "boolean" };

/** Conversions by column. */
export type Conversions = Readonly<Record<string, Conversion>>;

/** Forms of dates that are tried; `format` of a conversion may be any of strptime's. */
export const DATE_FORMATS = [
  "%Y-%m-%d",
  "%d.%m.%Y",
  "%d/%m/%Y",
  "%m/%d/%Y",
  "%d-%m-%Y",
  "%Y/%m/%d",
  "%d %b %Y",
  "%b %d, %Y",
];

/** How a time of day stands behind a date. */
const TIMES = ["%H:%M", "%H:%M:%S", "%I:%M %p"];
/** Forms of dates with a time of day that are tried. */
export const DATETIME_FORMATS = DATE_FORMATS.flatMap((date) => TIMES.map((time) => `${date} ${time}`));

/** What people write where a value is missing. Such cells are NULL, and no conversion fails because of them. */
const MISSING = ["", "-", "–", "n/a", "#n/a", "na", "null", "none", "nan"];

/** Codes of currencies; other letters before digits are part of a code (`SKU-001`), and no number. */
const CODES = Intl.supportedValuesOf("currency").join("|");
const CURRENCY = `(?:\\p{Sc}|${CODES}|[A-Z]{1,2}\\p{Sc}|kr|zł|Kč)`;

/** The type of DuckDB that a conversion gives. */
export function convertedType({ to }: Conversion): string {
  return { text: "VARCHAR", number: "DOUBLE", date: "DATE", datetime: "TIMESTAMP", boolean: "BOOLEAN" }[to];
}

/** SQL of a column as text without blanks around it; NULL where the value is missing. `column` is quoted. */
export function presentText(column: string): string {
  const text = `trim(CAST(${column} AS VARCHAR))`;
  return `nullif(${text}, CASE WHEN lower(${text}) IN (${MISSING.map(quoteText).join(", ")}) THEN ${text} END)`;
}

/** SQL of the converted values of a column in DuckDB's dialect; NULL where a value has not the form. `column` is quoted. */
export function convertedColumn(column: string, conversion: Conversion): string {
  const text = presentText(column);
  switch (conversion.to) {
    case "text":
      return `CAST(${column} AS VARCHAR)`;
    case "number":
      return numberOf(conversion.unit === undefined ? text : withoutUnit(text, conversion.unit), conversion.decimal);
    case "date":
      return `CAST(try_strptime(${text}, ${quoteText(conversion.format)}) AS DATE)`;
    case "datetime":
      return `try_strptime(${text}, ${quoteText(conversion.format)})`;
    case "boolean":
      return `CASE WHEN lower(${text}) IN ('true', 'yes', 'y', 't', '1') THEN true WHEN lower(${text}) IN ('false', 'no', 'n', 'f', '0') THEN false END`;
  }
}

/**
 * Digits with one kind of separator between thousands; a currency on one side; a minus on one side, or brackets as in accounting. The minus
 * directly behind letters is the hyphen of a code: `PEN-0012`.
 */
function numberOf(text: string, decimal: "." | ","): string {
  const thousands = decimal === "." ? "[,'’ \u00a0\u202f]" : "[.'’ \u00a0\u202f]";
  const digits = `(?:\\d+|[1-9]\\d{0,2}(?:${thousands}\\d{3})+)(?:\\${decimal}\\d+)?|\\${decimal}\\d+`;
  const before = `[-−+(]?\\s*(?:${CURRENCY}\\s+[-−+]?|${CURRENCY}|\\p{Sc}[-−+]|[-−+])?`;
  const pattern = `${before}(?:${digits})(?:[-−]|\\s*${CURRENCY})?\\)?`;
  const plain = `regexp_replace(${text}, ${quoteText(`[^0-9${decimal}]`)}, '', 'g')`;
  const number = decimal === "," ? `replace(${plain}, ',', '.')` : plain;
  const sign = `CASE WHEN regexp_matches(${text}, '[-−(]') THEN -1 ELSE 1 END`;
  return `CASE WHEN regexp_full_match(${text}, ${quoteText(pattern)}) THEN ${sign} * TRY_CAST(${number} AS DOUBLE) END`;
}

/** SQL condition: a value has a currency. */
export function hasCurrency(column: string): string {
  return `regexp_matches(CAST(${column} AS VARCHAR), '\\p{Sc}|(^|\\s)(EUR|USD|GBP|CHF|JPY|kr|zł|Kč)(\\s|$)')`;
}

/** SQL condition: a value is written as something else than the digits of a code, such as a postcode. `column` is quoted. */
export function isNoCode(column: string): string {
  return `NOT regexp_full_match(${presentText(column)}, '[0-9]+')`;
}

/** SQL condition: a cell says in words that its value is missing. `column` is quoted. */
export function saysMissing(column: string): string {
  return `${column} IS NOT NULL AND trim(CAST(${column} AS VARCHAR)) <> '' AND ${presentText(column)} IS NULL`;
}

/** SQL condition: a value begins with a zero, as codes do. `column` is quoted. */
export function beginsWithZero(column: string): string {
  return `regexp_matches(${presentText(column)}, '^0[0-9]')`;
}
