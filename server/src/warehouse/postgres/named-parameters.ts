import type { QueryParameter } from "../contract.ts";

/** A statement with `$1` in place of `@name`, and the values in that order. */
interface PositionalStatement {
  readonly sql: string;
  readonly values: readonly string[];
}

/** PostgreSQL types by the GoogleSQL types of parameters. */
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

/** String literals, comments and quoted names, in which nothing is a parameter; then a parameter. */
const TOKEN =
  /[eE]'(?:[^'\\]|''|\\[\s\S])*'|'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*)|(\$\w*\$)(?:[\s\S]*?\1|[\s\S]*)|@([A-Za-z_]\w*)/g;

/** Replaces named parameters by positional ones; values are bound, never written into the text. Names without a value stay. */
export function toPositionalParameters(sql: string, parameters: readonly QueryParameter[]): PositionalStatement {
  const values: QueryParameter[] = [];
  const written = sql.replace(TOKEN, (token, _tag: string | undefined, name: string | undefined) => {
    const parameter = parameters.find((one) => one.name === name);
    if (name === undefined || !parameter) return token;
    if (!values.includes(parameter)) values.push(parameter);
    return `$${values.indexOf(parameter) + 1}::${TYPES[parameter.type.toUpperCase()] ?? "text"}`;
  });
  return { sql: written, values: values.map(({ value }) => value) };
}
