import { writeFile } from "node:fs/promises";
import { extname } from "node:path";
import { csvLine, isJsonObject, type JsonValue } from "#base";
import { CommandError } from "../command.ts";
import type { DataAnswer } from "./data-answer.ts";

type Rows = Pick<DataAnswer, "columns" | "rows">;

const NUMBERS = new Set(["INTEGER", "INT64", "FLOAT", "FLOAT64", "NUMERIC", "BIGNUMERIC"]);
/** More digits than a spreadsheet keeps: such a number stays a text. */
const EXACT_DIGITS = 15;

/** Refuses a file that rows cannot be saved to, before anything is asked. */
export function checkRowsFile(file: string): void {
  if (![".csv", ".xlsx"].includes(extname(file).toLowerCase()))
    throw new CommandError(`'${file}' has no supported extension. Use .csv or .xlsx.`);
}

/** Saves rows as CSV or as an Excel workbook. Returns the message for the user. */
export async function saveRows(file: string, rows: Rows): Promise<string> {
  if (rows.columns.length === 0) return "There are no rows to save: the answer has none.";
  const content = extname(file).toLowerCase() === ".csv" ? toCsv(rows) : await toWorkbook(rows);
  await writeFile(file, content).catch((error: Error) => {
    throw new CommandError(`the rows could not be saved: ${error.message}.`);
  });
  return `Saved ${rows.rows.length} rows to ${file}.`;
}

function toCsv({ columns, rows }: Rows): string {
  const lines = [columns.map(({ name }) => name), ...rows.map((row) => columns.map(({ name }) => textOf(row[name])))];
  return `${lines.map(csvLine).join("\r\n")}\r\n`;
}

async function toWorkbook({ columns, rows }: Rows): Promise<Buffer> {
  const { default: writeWorkbook } = await import("write-excel-file/node");
  const head = columns.map(({ name }) => ({ value: name, fontWeight: "bold" as const }));
  const cells = rows.map((row) =>
    columns.map(({ name, type }) => workbookCell(textOf(row[name]), row[name] ?? null, type)),
  );
  return writeWorkbook([head, ...cells], { sheet: "Answer", stickyRowsCount: 1 }).toBuffer();
}

/** Numbers are numbers and NULL is empty; text is never a formula. */
function workbookCell(text: string, cell: JsonValue, type: string) {
  if (cell === null) return null;
  const isNumber = NUMBERS.has(type) && text.replace(/\D/g, "").length <= EXACT_DIGITS && Number.isFinite(Number(text));
  return isNumber ? { value: Number(text), type: Number } : { value: text, type: String };
}

function textOf(cell: JsonValue | undefined): string {
  if (cell === null || cell === undefined) return "";
  return Array.isArray(cell) || isJsonObject(cell) ? JSON.stringify(cell) : String(cell);
}
