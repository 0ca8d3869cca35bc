import { type Cell, TableFileFault } from "../table-file.ts";
import type { Parts } from "./open-parts.ts";
import { walkXml } from "./walk-xml.ts";

/** Most cells of a sheet, and most shared texts; empty cells before the last of a row count. */
const MAX_CELLS = 1_000_000;
/** The last column of the format. */
const MAX_COLUMNS = 16_384;

export interface SheetReading {
  readonly texts: readonly string[];
  readonly dateStyles: ReadonlySet<number>;
  readonly from1904: boolean;
}

/** The rows of a sheet that hold anything. */
export async function readSheet(parts: Parts, part: string, reading: SheetReading): Promise<readonly Cell[][]> {
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
        if (column >= MAX_COLUMNS) throw new TableFileFault(`a row has more than ${MAX_COLUMNS} cells`);
        cells += Math.max(0, column + 1 - row.length);
        if (cells > MAX_CELLS) throw new TableFileFault(`a sheet has more than ${MAX_CELLS} cells`);
        while (row.length < column) row.push(null);
        row[column++] = toCell(text, attributes, reading);
      }
      if (name === "row" && row.some((cell) => cell !== null)) rows.push(row);
    },
  });
  return rows;
}

/** The texts that cells name by number; how they are spoken is left out. */
export async function readTexts(parts: Parts): Promise<readonly string[]> {
  const texts: string[] = [];
  if (!parts.has("xl/sharedStrings.xml")) return texts;
  let [inText, spoken, text] = [false, false, ""];
  await walkXml(parts.text("xl/sharedStrings.xml"), {
    open(name) {
      if (name === "si") text = "";
      if (name === "rPh") spoken = true;
      inText = name === "t" && !spoken;
    },
    text(piece) {
      if (inText) text += piece;
    },
    close(name) {
      if (name === "t") inText = false;
      if (name === "rPh") spoken = false;
      if (name === "si" && texts.push(text) > MAX_CELLS)
        throw new TableFileFault(`it has more than ${MAX_CELLS} texts`);
    },
  });
  return texts;
}

/** "AB12" → 27; without a name, the next one. */
function columnOf(reference: string | undefined, next: number): number {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(reference ?? "")?.[0];
  if (letters === undefined) return next;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function toCell(text: string, { t: type, s: style }: Readonly<Record<string, string>>, reading: SheetReading): Cell {
  switch (type) {
    case "s":
      return reading.texts[Number(text)] || null;
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
      return toNumber(text.trim(), reading.dateStyles.has(Number(style ?? 0)), reading.from1904);
  }
}

function toNumber(text: string, date: boolean, from1904: boolean): Cell {
  const value = Number(text);
  if (!Number.isFinite(value)) return text;
  const day = date ? toDay(value, from1904) : undefined;
  if (day !== undefined) return day;
  return Number.isSafeInteger(value) ? BigInt(value) : value;
}

const DAY_MS = 86_400_000;

/** Days since the epoch of the workbook; 1900 has a 29th of February there. Below one it is a time without a day. */
function toDay(serial: number, from1904: boolean): string | undefined {
  if (serial < 0 || serial >= 2_958_466) return undefined;
  const epoch = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30);
  const iso = new Date(epoch + Math.round(serial * DAY_MS)).toISOString();
  if (serial < 1 && !from1904) return iso.slice(11, 19);
  return iso.endsWith("T00:00:00.000Z") ? iso.slice(0, 10) : iso.slice(0, 23).replace(/\.000$/, "");
}
