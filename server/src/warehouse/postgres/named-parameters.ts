import type { QueryParameter } from "../contract.ts";

/** A statement whose `@name` became `$1`, and the values in that order. */
export interface Numbered {
  readonly sql: string;
  readonly values: readonly string[];
}

/** Types of example queries, as PostgreSQL calls them. */
const TYPES: Readonly<Record<string, string>> = {
  BOOL: "boolean",
  BOOLEAN: "boolean",
  DATE: "date",
  DATETIME: "timestamp",
  FLOAT: "double precision",
  FLOAT64: "double precision",
  INT64: "bigint",
  INTEGER: "bigint",
  NUMERIC: "numeric",
  STRING: "text",
  TIME: "time",
  TIMESTAMP: "timestamptz",
};

/** Texts, comments and quoted names, in which nothing is a parameter; then a parameter. */
const TOKEN =
  /[eE]'(?:[^'\\]|''|\\[\s\S])*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|(\$\w*\$)[\s\S]*?\1|@([A-Za-z_]\w*)/g;

/** Gives named parameters their numbers; they are bound, never written into the text. Names that are not given stay. */
export function numberParameters(sql: string, parameters: readonly QueryParameter[]): Numbered {
  const values: QueryParameter[] = [];
  const written = sql.replace(TOKEN, (token, _tag: string | undefined, name: string | undefined) => {
    const parameter = parameters.find((one) => one.name === name);
    if (name === undefined || !parameter) return token;
    if (!values.includes(parameter)) values.push(parameter);
    return `$${values.indexOf(parameter) + 1}::${TYPES[parameter.type.toUpperCase()] ?? "text"}`;
  });
  return { sql: written, values: values.map(({ value }) => value) };
}
