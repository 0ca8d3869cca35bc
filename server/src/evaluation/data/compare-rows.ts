import type { JsonValue } from "#base";
import type { DataRows } from "./contract.ts";

/** Assignments of columns that are tried, where several columns have the same values. */
const MAX_TRIES = 1_000;

/**
 * Whether rows are the gold ones (EVAL-80): as many, each with the cells of its own gold row; columns may have other names and another order,
 * and there may be more of them. Numbers are equal to a millionth.
 */
export function coversRows(found: DataRows, gold: DataRows, isOrdered: boolean): boolean {
  if (found.rows.length !== gold.rows.length) return false;
  const wanted = gold.columns.map((_, at) => valuesOf(gold, at));
  const given = found.columns.map((_, at) => valuesOf(found, at));
  const candidates = wanted.map((values, at) => candidatesFor(values, given, found.columns, gold.columns[at] ?? ""));
  const goldRows = rowsOf(wanted, gold.rows.length, isOrdered);
  let tries = 0;
  const assign = (at: number, chosen: readonly number[]): boolean => {
    if (at === wanted.length) {
      tries += 1;
      return sameTexts(
        goldRows,
        rowsOf(
          chosen.map((column) => given[column] ?? []),
          found.rows.length,
          isOrdered,
        ),
      );
    }
    return (candidates[at] ?? []).some(
      (column) => tries < MAX_TRIES && !chosen.includes(column) && assign(at + 1, [...chosen, column]),
    );
  };
  return assign(0, []);
}

function valuesOf({ rows }: DataRows, at: number): readonly string[] {
  return rows.map((row) => comparableText(row[at] ?? null));
}

/** Columns with the same values in some order, one of the same name first. */
function candidatesFor(
  values: readonly string[],
  given: readonly (readonly string[])[],
  names: readonly string[],
  name: string,
): readonly number[] {
  const sorted = values.toSorted();
  const same = given.flatMap((other, at) => (sameTexts(sorted, other.toSorted()) ? [at] : []));
  const isNamed = (at: number) => names[at]?.toLowerCase() === name.toLowerCase();
  return same.toSorted((one, other) => Number(isNamed(other)) - Number(isNamed(one)));
}

function rowsOf(columns: readonly (readonly string[])[], count: number, isOrdered: boolean): readonly string[] {
  const rows = Array.from({ length: count }, (_, at) => JSON.stringify(columns.map((column) => column[at])));
  return isOrdered ? rows : rows.toSorted();
}

function sameTexts(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, at) => text === other[at]);
}

/** A cell as it is compared: numbers with seven digits, midnight as its day, text as it is. */
export function comparableText(cell: JsonValue): string {
  if (cell === null) return "null";
  const text = typeof cell === "string" ? cell.trim() : JSON.stringify(cell);
  if (/^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(text)) return String(Number(Number(text).toPrecision(7)));
  return text.replace(/^(\d{4}-\d{2}-\d{2})[T ]00:00:00(?:\.0+)?(?:Z|\+00(?::?00)?)?$/, "$1");
}
