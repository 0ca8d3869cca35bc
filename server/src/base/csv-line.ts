/** Texts as a line of CSV (RFC 4180), without its end. A cell that a spreadsheet would evaluate as a formula begins with an apostrophe. */
export function csvLine(cells: readonly string[]): string {
  return cells.map(csvCell).join(",");
}

function csvCell(text: string): string {
  const safe = /^[=+@\t\r]|^-(?!\d)/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
