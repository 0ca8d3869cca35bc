import { type Cell, type FileColumn, type TableFile, TableFileFault } from "../table-file.ts";
import { openParts } from "./open-parts.ts";
import { readSheet, readTexts } from "./read-sheet.ts";
import { dateStyles } from "./read-styles.ts";
import { readWorkbook } from "./read-workbook.ts";

/** Sheets of an Excel workbook: the first row that holds anything names the columns. Formulas are the values that were saved. */
export const xlsxFile: TableFile = {
  names: (file) => openParts(file, async (parts) => (await readWorkbook(parts)).sheets.map(({ name }) => name)),
  async read(file, table, work) {
    const [header = [], ...rows] = await openParts(file, async (parts) => {
      const { sheets, from1904 } = await readWorkbook(parts);
      const sheet = sheets.find(({ name }) => name === table);
      if (!sheet) throw new TableFileFault(`it has no sheet ${table}`);
      const [texts, styles] = [await readTexts(parts), await dateStyles(parts)];
      return readSheet(parts, sheet.part, { texts, dateStyles: styles, from1904 });
    });
    if (header.length === 0) throw new TableFileFault(`the sheet ${table} is empty`);
    return work({ columns: columnsOf(header, rows), rows: () => rows });
  },
};

/** Names that are missing or there already get a number. */
function columnsOf(header: readonly Cell[], rows: readonly Cell[][]): readonly FileColumn[] {
  const width = rows.reduce((most, row) => Math.max(most, row.length), header.length);
  const taken = new Set<string>();
  return Array.from({ length: width }, (_, at) => {
    const wanted = String(header[at] ?? "").trim() || `column_${at + 1}`;
    let name = wanted;
    for (let number = 2; taken.has(name.toLowerCase()); number++) name = `${wanted}_${number}`;
    taken.add(name.toLowerCase());
    return { name };
  });
}
