import type { TablePath } from "./contract.ts";

/** A table's path as one text, by which tables are found and compared. Case counts: BigQuery's names of datasets and tables are case-sensitive. */
export function tableKey(path: TablePath): string {
  return path.join("\0");
}
