import { open } from "node:fs/promises";

/** Rows that people write above the names of the columns at most. */
const MOST_ROWS = 20;

/**
 * The rows above the names of columns: a title that is merged over the sheet, the day of a report, empty rows. They have one text at most, and
 * the row behind them has more (CA-85). A number alone may be a row of data.
 */
export function titleRows(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const header = rows.slice(0, MOST_ROWS + 1).findIndex((row) => valuesOf(row).length > 1);
  const above = rows.slice(0, Math.max(0, header));
  const titles = above.flatMap(valuesOf);
  return titles.length > 0 && titles.every((title) => /\p{L}/u.test(title)) ? above : [];
}

/** What the table of a file with such rows is described with. */
export function titleNote(above: readonly (readonly string[])[]): string {
  const titles = above.flatMap(valuesOf).map((title) => `“${title.slice(0, 80)}”`);
  return `What stands above the names of the columns was left out: ${titles.join(", ")}.`;
}

function valuesOf(row: readonly string[]): readonly string[] {
  return row.flatMap((cell) => cell.trim() || []);
}

/** Bytes of a file that are looked at. */
const HEAD = 16_384;
const DELIMITERS = [",", ";", "\t", "|"];

/** Such rows of a text in UTF-8; none where a text in quotes goes on in another line. */
export async function titleLines(file: string): Promise<readonly (readonly string[])[]> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD), 0, HEAD, 0);
    const text = buffer.toString("utf8", 0, bytesRead).replace(/^\uFEFF/, "");
    const lines = text.split(/\r\n|\n|\r/).slice(0, 3 * MOST_ROWS);
    const above = titleRows(lines.map(splitBy(delimiterOf(lines))));
    return lines.slice(0, above.length).some((line) => (line.match(/"/g)?.length ?? 0) % 2 === 1) ? [] : above;
  } finally {
    await handle.close();
  }
}

/** The mark that gives most lines the same number of fields. */
function delimiterOf(lines: readonly string[]): string {
  const scores = DELIMITERS.map((delimiter) => {
    const widths = lines.map((line) => splitBy(delimiter)(line).length).filter((width) => width > 1);
    const most = [...Map.groupBy(widths, (width) => width)].map(([width, same]) => same.length + width / 1000);
    return { delimiter, score: Math.max(0, ...most) };
  });
  return scores.toSorted((left, right) => right.score - left.score)[0]?.delimiter ?? ",";
}

/** The fields of a line, without marks inside quotes. */
function splitBy(delimiter: string): (line: string) => readonly string[] {
  return (line) =>
    line.replace(/"[^"]*"/g, (quoted) => quoted.replaceAll(delimiter, " ").slice(1, -1)).split(delimiter);
}
