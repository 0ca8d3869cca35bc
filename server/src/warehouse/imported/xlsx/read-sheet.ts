import { type Cell, TableFileError } from "../table-file.ts";
import { type Parts, walkXml } from "./workbook-parts.ts";

/** Maximum cells of a sheet; empty cells before the last one of a row count. */
const MAX_CELLS = 1_000_000;
/** Maximum columns of the file format. */
const MAX_COLUMNS = 16_384;

interface SheetContext {
  readonly sharedStrings: readonly string[];
  readonly dateStyles: ReadonlySet<number>;
  readonly from1904: boolean;
}

/** The rows of a sheet that are not empty. */
export async function readSheet(parts: Parts, part: string, context: SheetContext): Promise<readonly Cell[][]> {
  const rows: Cell[][] = [];
  let [cells, column, inText, text] = [0, 0, false, ""];
  let row: Cell[] = [];
  let attributes: Readonly<Record<string, string>> = {};
  await walkXml(parts.text(part), {
    open(name, found) {
      if (name === "row") [row, column] = [[], 0];
      if (name === "c") {
        [attributes, text] = [found, ""];
        column = columnOf(found.r, column);
      }
      if (name === "v" || name === "t") inText = true;
    },
    text(piece) {
      if (inText) text += piece;
    },
    close(name) {
      if (name === "v" || name === "t") inText = false;
      if (name === "c") {
        if (column >= MAX_COLUMNS) throw new TableFileError(`a row has more than ${MAX_COLUMNS} cells`);
        cells += Math.max(0, column + 1 - row.length);
        if (cells > MAX_CELLS) throw new TableFileError(`a sheet has more than ${MAX_CELLS} cells`);
        while (row.length < column) row.push(null);
        row[column++] = toCell(text, attributes, context);
      }
      if (name === "row" && row.some((cell) => cell !== null)) rows.push(row);
    },
  });
  return rows;
}

/** The column index of a cell reference, "AB12" → 27; without a reference, the next one. */
function columnOf(reference: string | undefined, next: number): number {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference ?? "")?.[0];
  if (letters === undefined) return next;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function toCell(text: string, { t: type, s: style }: Readonly<Record<string, string>>, context: SheetContext): Cell {
  switch (type) {
    case "s":
      return context.sharedStrings[Number(text)] || null;
    case "str":
    case "inlineStr":
    case "d":
      return text || null;
    case "b":
      return text === "1" || text === "true";
    case "e":
      return null;
    default:
      if (text.trim() === "") return null;
      return toNumber(text.trim(), context.dateStyles.has(Number(style ?? 0)), context.from1904);
  }
}

function toNumber(text: string, date: boolean, from1904: boolean): Cell {
  const value = Number(text);
  if (!Number.isFinite(value)) return text;
  const iso = date ? toIsoDate(value, from1904) : undefined;
  if (iso !== undefined) return iso;
  return Number.isSafeInteger(value) ? BigInt(value) : value;
}

const DAY_MS = 86_400_000;

/** ISO text of a serial date: days since the epoch of the workbook, in which 1900 has a 29th of February. Below 1 it is a time without a date. */
function toIsoDate(serial: number, from1904: boolean): string | undefined {
  if (serial < 0 || serial >= 2_958_466) return undefined;
  const epoch = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30);
  const iso = new Date(epoch + Math.round(serial * DAY_MS)).toISOString();
  if (serial < 1 && !from1904) return iso.slice(11, 19);
  return iso.endsWith("T00:00:00.000Z") ? iso.slice(0, 10) : iso.slice(0, 23).replace(/\.000$/, "");
}
