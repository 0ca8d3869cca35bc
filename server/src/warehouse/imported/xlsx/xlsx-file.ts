import { definedFields } from "#base";
import { type Cell, type FileColumn, type TableFile, TableFileError } from "../table-file.ts";
import { titleNote, titleRows } from "../title-rows.ts";
import { readSheet } from "./read-sheet.ts";
import { readDateStyles, readSharedStrings, readWorkbook } from "./read-workbook.ts";
import { openParts } from "./workbook-parts.ts";

/** Rows in which titles are looked for. */
const MOST_TITLES = 30;

/** Sheets of an Excel workbook: the first row that is not empty has the column names, unless it is a title (CA-85). Formulas have their saved values. */
export const xlsxFile: TableFile = {
  names: (file) => openParts(file, async (parts) => (await readWorkbook(parts)).sheets.map(({ name }) => name)),
  async read(file, table, work) {
    const all = await openParts(file, async (parts) => {
      const { sheets, from1904 } = await readWorkbook(parts);
      const sheet = sheets.find(({ name }) => name === table);
      if (!sheet) throw new TableFileError(`it has no sheet ${table}`);
      const [sharedStrings, dateStyles] = [await readSharedStrings(parts), await readDateStyles(parts)];
      return readSheet(parts, sheet.part, { sharedStrings, dateStyles, from1904 });
    });
    const above = titleRows(all.slice(0, MOST_TITLES).map((row) => row.map((cell) => String(cell ?? ""))));
    const [header = [], ...rows] = all.slice(above.length);
    if (header.length === 0) throw new TableFileError(`the sheet ${table} is empty`);
    const note = above.length > 0 ? titleNote(above) : undefined;
    return work({ columns: columnsOf(header, rows), rows: () => rows, ...definedFields({ note }) });
  },
};

/** Missing and repeated names get a number. */
function columnsOf(header: readonly Cell[], rows: readonly Cell[][]): readonly FileColumn[] {
  const width = rows.reduce((most, row) => Math.max(most, row.length), header.length);
  const used = new Set<string>();
  return Array.from({ length: width }, (_, at) => {
    const base = String(header[at] ?? "").trim() || `column_${at + 1}`;
    let name = base;
    for (let number = 2; used.has(name.toLowerCase()); number++) name = `${base}_${number}`;
    used.add(name.toLowerCase());
    return { name };
  });
}
