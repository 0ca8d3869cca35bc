/** An identifier as standard SQL, DuckDB, PostgreSQL and SQLite read it, whatever it contains. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A string literal of standard SQL. */
export function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** A string literal where a backslash escapes, and of engines where that depends on a setting: both are doubled. */
export function quoteEscapedText(text: string): string {
  return quoteText(text.replaceAll("\\", "\\\\"));
}

/** A string literal where a backslash escapes, and a quote is not doubled. */
export function quoteBackslashedText(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}

/** An identifier of MySQL and of Spark, whatever it contains. */
export function quoteBackticked(name: string): string {
  return `\`${name.replaceAll("`", "``")}\``;
}
