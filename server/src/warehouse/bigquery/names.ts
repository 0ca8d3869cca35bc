import type { TablePath } from "../contract.ts";

/** An identifier as GoogleSQL reads it, whatever it contains. */
export function quoteName(name: string): string {
  return `\`${name.replace(/[\\`]/g, "\\$&")}\``;
}

/** A table's whole name: one pair of quotes around project, dataset and table. */
export function quoteTable(path: TablePath): string {
  return quoteName(path.join("."));
}

/** A path as a key to compare by; BigQuery's names of datasets and tables tell capitals apart. */
export function keyOf(path: TablePath): string {
  return path.join("\0");
}
