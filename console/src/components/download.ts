import { csvLine } from "../../../server/src/base/csv-line.ts";

/** Downloads text or bytes as a file. */
export function download(name: string, type: string, content: string | Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name.replace(/[^\p{L}\p{N}._ -]+/gu, "_");
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

interface CsvTable {
  readonly columns: readonly { readonly name: string }[];
  readonly rows: readonly (readonly string[])[];
}

/** Rows as CSV. */
export function toCsv({ columns, rows }: CsvTable): string {
  const lines = [columns.map(({ name }) => name), ...rows];
  return lines.map(csvLine).join("\r\n");
}
