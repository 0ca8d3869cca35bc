import type { SemanticColumn, SemanticTable } from "#analytics";
import { type ComputedColumn, computedColumn, computedOf } from "./computed.ts";
import { isKey, isNumeric } from "./meaning.ts";
import { columnLabel, tableLabel } from "./names.ts";

const CENTS = / cents?$/;
const known = new WeakMap<SemanticColumn, ComputedColumn>();

/** The amount of a column that is stored in cents (CA-93): what people call it by without "cents" is the hundredth part. Undefined where a column is in none. */
export function amountOfCents(table: SemanticTable, column: SemanticColumn): ComputedColumn | undefined {
  const label = columnLabel(table, column);
  if (computedOf(column) || !CENTS.test(label) || !isNumeric(column) || isKey(table, column)) return undefined;
  const name = label.replace(CENTS, "");
  const made = known.get(column) ?? {
    ...computedColumn(name, "FLOAT64", { kind: "hundredth", of: { table, column } }),
    assumption: `${label} of ${tableLabel(table)} divided by 100; say “${label}” for what is stored`,
  };
  known.set(column, made);
  return made;
}

/** What a name of a column means: that of a column in cents without the word is its amount. */
export function namedColumn(table: SemanticTable, column: SemanticColumn, name: string): SemanticColumn {
  return (CENTS.test(name) ? undefined : amountOfCents(table, column)) ?? column;
}
