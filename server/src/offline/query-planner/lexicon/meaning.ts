import type { SemanticColumn, SemanticTable } from "#analytics";

/** A meaning of a phrase in the data. */
export type Meaning =
  | { readonly kind: "measure"; readonly table: SemanticTable; readonly measure: SemanticTable["measures"][number] }
  | { readonly kind: "column"; readonly table: SemanticTable; readonly column: SemanticColumn }
  | { readonly kind: "table"; readonly table: SemanticTable }
  /** "return rate": the share of rows with a value. */
  | { readonly kind: "rate"; readonly table: SemanticTable; readonly column: SemanticColumn; readonly value: string }
  | { readonly kind: "value"; readonly table: SemanticTable; readonly column: SemanticColumn; readonly value: string };

/** A phrase with all its meanings. */
export interface Phrase {
  readonly stems: readonly string[];
  readonly meanings: readonly Meaning[];
}

/** Phrases by their first word, the longest first. */
export type Lexicon = ReadonlyMap<string, readonly Phrase[]>;

const NUMERIC = new Set(["INT64", "FLOAT64", "NUMERIC", "BIGNUMERIC"]);
const TEMPORAL = new Set(["DATE", "DATETIME", "TIMESTAMP"]);

export function isNumeric({ type }: SemanticColumn): boolean {
  return NUMERIC.has(type);
}

export function isTemporal({ type }: SemanticColumn): boolean {
  return TEMPORAL.has(type);
}

/** Whole numbers that name a year, by their column's name: they are points in time, and not amounts. */
export function isYear({ name, type }: SemanticColumn): boolean {
  return type === "INT64" && /(^|[_\s])year$/i.test(name.replace(/([a-z])([A-Z])/g, "$1_$2"));
}

/** Whether a column only identifies rows: a key, or a column named id or key. */
export function isKey(table: SemanticTable, { name }: SemanticColumn): boolean {
  const keys = [
    ...(table.schema.primaryKey ?? []),
    ...(table.schema.foreignKeys ?? []).flatMap(({ columns }) => columns),
  ];
  return keys.includes(name) || /(^|_)(id|key|uuid)$/i.test(name) || /Id$/.test(name);
}
