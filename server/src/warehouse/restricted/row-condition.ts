import type { Column, SqlSource } from "../contract.ts";

/** A condition over the columns of one table, with the values of one caller in it. */
export type RowCondition =
  | { readonly kind: "all" | "any"; readonly parts: readonly RowCondition[] }
  | { readonly kind: "compare"; readonly column: string; readonly operator: Comparison; readonly value: RowValue }
  | { readonly kind: "in"; readonly column: string; readonly negated: boolean; readonly values: readonly RowValue[] }
  | { readonly kind: "null"; readonly column: string; readonly negated: boolean }
  /** Holds for no row. */
  | { readonly kind: "never" };

/** As SQL writes it. */
export type Comparison = "=" | "<>" | "<" | "<=" | ">" | ">=";
export type RowValue = string | number | boolean;

/** What a source says of the literals and names of its dialect. */
type LiteralDialect = Pick<SqlSource, "quoteName" | "quoteText" | "dialect">;

/** A rule that does not fit the table: a column that it has not, or a value that the column cannot have. */
export class RuleFault extends Error {
  override readonly name = "RuleFault";
}

/** The condition in the dialect of the source. Throws `RuleFault`. */
export function conditionSql(condition: RowCondition, columns: readonly Column[], source: LiteralDialect): string {
  switch (condition.kind) {
    case "never":
      return "1 = 0";
    case "all":
    case "any": {
      const parts = condition.parts.map((part) => `(${conditionSql(part, columns, source)})`);
      return parts.join(condition.kind === "all" ? " AND " : " OR ");
    }
    default: {
      const column = columnNamed(condition.column, columns);
      const name = source.quoteName(column.name);
      if (condition.kind === "null") return `${name} IS ${condition.negated ? "NOT " : ""}NULL`;
      if (condition.kind === "compare")
        return `${name} ${condition.operator} ${literal(condition.value, column, source)}`;
      if (condition.values.length === 0) return "1 = 0";
      const values = condition.values.map((value) => literal(value, column, source)).join(", ");
      return `${name} ${condition.negated ? "NOT " : ""}IN (${values})`;
    }
  }
}

/** The column of a name, in any case where only one has it. Throws `RuleFault`. */
export function columnNamed(name: string, columns: readonly Column[]): Column {
  const folded = columns.filter((column) => column.name.toLowerCase() === name.toLowerCase());
  const found = columns.find((column) => column.name === name) ?? (folded.length === 1 ? folded[0] : undefined);
  if (found) return found;
  throw new RuleFault(`it has no column ${name}`);
}

const NUMBERS = /^(INT64|FLOAT64|NUMERIC|BIGNUMERIC)$/;
const TIMES: Readonly<Record<string, RegExp>> = {
  DATE: /^\d{4}-\d{2}-\d{2}$/,
  DATETIME: /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?$/,
  TIMESTAMP: /^\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?$/,
};

/** A literal of the type of the column: a value never becomes a part of the statement. */
function literal(value: RowValue, { name, type, mode }: Column, { quoteText, dialect }: LiteralDialect): string {
  const text = String(value);
  const isTime = TIMES[type]?.test(text) ?? false;
  if (mode !== "REPEATED") {
    if (type === "STRING") return quoteText(text.replaceAll("\0", ""));
    if (NUMBERS.test(type) && /^-?\d+(?:\.\d+)?$/.test(text)) return text;
    const isSqlServer = dialect === "sqlserver";
    if (type === "BOOL" && /^(true|false)$/i.test(text))
      return isSqlServer ? String(Number(/^true$/i.test(text))) : text.toUpperCase();
    if (isTime && isSqlServer)
      return `CAST(${quoteText(text.replace("T", " "))} AS ${type === "DATE" ? "DATE" : "DATETIME2"})`;
    // Elsewhere a literal of either kind compares with a column of either.
    const kind = type === "DATE" || dialect === "googlesql" ? type : "TIMESTAMP";
    if (isTime) return `${kind} ${quoteText(text.replace("T", " "))}`;
  }
  throw new RuleFault(`a value for its column ${name} is no ${type}`);
}
