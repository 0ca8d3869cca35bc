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

/** Rows as CSV (RFC 4180). A cell that a spreadsheet would evaluate as a formula starts with an apostrophe. */
export function toCsv({ columns, rows }: CsvTable): string {
  const lines = [columns.map(({ name }) => name), ...rows];
  return lines.map((cells) => cells.map(toCell).join(",")).join("\r\n");
}

function toCell(text: string): string {
  const safe = /^[=+@\t\r]|^-(?!\d)/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
