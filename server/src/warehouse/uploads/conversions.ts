import { quoteText } from "../sql-quoting.ts";

/** How the values of a column are read that are stored in another form than they mean. */
export type Conversion =
  | { readonly to: "text" }
  /** Numbers as people write them, `$1,234.50` or `1.234,50 €`; `decimal` is what stands before the decimals. */
  | { readonly to: "number"; readonly decimal: "." | "," }
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

/** What people write where a value is missing. Such cells are NULL, and no conversion fails because of them. */
const MISSING = ["", "-", "–", "n/a", "#n/a", "na", "null", "none", "nan"];

const CURRENCY = "(?:\\p{Sc}|[A-Z]{3}|[A-Z]{1,2}\\p{Sc}|kr|zł|Kč)";

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
      return numberOf(text, conversion.decimal);
    case "date":
      return `CAST(try_strptime(${text}, ${quoteText(conversion.format)}) AS DATE)`;
    case "datetime":
      return `try_strptime(${text}, ${quoteText(conversion.format)})`;
    case "boolean":
      return `CASE WHEN lower(${text}) IN ('true', 'yes', 'y', 't', '1') THEN true WHEN lower(${text}) IN ('false', 'no', 'n', 'f', '0') THEN false END`;
  }
}

/** Digits with one kind of separator between thousands; a currency on one side; a minus, or brackets as in accounting. */
function numberOf(text: string, decimal: "." | ","): string {
  const thousands = decimal === "." ? "[,'’ \u00a0]" : "[.'’ \u00a0]";
  const digits = `(?:\\d+|\\d{1,3}(?:${thousands}\\d{3})+)(?:\\${decimal}\\d+)?|\\${decimal}\\d+`;
  const pattern = `[-+(]?\\s*(?:${CURRENCY}\\s*)?[-+]?(?:${digits})(?:\\s*${CURRENCY})?\\)?`;
  const plain = `regexp_replace(${text}, ${quoteText(`[^0-9${decimal}]`)}, '', 'g')`;
  const number = decimal === "," ? `replace(${plain}, ',', '.')` : plain;
  const sign = `CASE WHEN regexp_matches(${text}, '[-(]') THEN -1 ELSE 1 END`;
  return `CASE WHEN regexp_full_match(${text}, ${quoteText(pattern)}) THEN ${sign} * TRY_CAST(${number} AS DOUBLE) END`;
}

/** SQL condition: a value has a currency. */
export function hasCurrency(column: string): string {
  return `regexp_matches(CAST(${column} AS VARCHAR), '\\p{Sc}|(^|\\s)(EUR|USD|GBP|CHF|JPY|kr|zł|Kč)(\\s|$)')`;
}
