import { Download } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { download, toCsv } from "../../components/download.ts";
import type { ResultSet } from "./answer.ts";

const NUMBERS = new Set(["INTEGER", "INT64", "FLOAT", "FLOAT64", "NUMERIC", "BIGNUMERIC"]);
/** Digits that a spreadsheet keeps of a number. */
const EXACT_DIGITS = 15;

/** Saves the rows of a result as CSV or as an Excel workbook. */
export function DownloadRows({ rows }: { readonly rows: ResultSet }) {
  return (
    <div className="row wrap">
      <Button small tone="plain" onPress={() => download(`${rows.name}.csv`, "text/csv", toCsv(rows))}>
        <Download size={15} aria-hidden="true" /> Download CSV
      </Button>
      <Button small tone="plain" onPress={() => void saveWorkbook(rows)}>
        <Download size={15} aria-hidden="true" /> Download Excel
      </Button>
    </div>
  );
}

/** Text is never a formula there; numbers that a spreadsheet would round stay texts. */
async function saveWorkbook({ name, columns, rows }: ResultSet): Promise<void> {
  const { default: writeWorkbook } = await import("write-excel-file/browser");
  const head = columns.map((column) => ({ value: column.name, fontWeight: "bold" as const }));
  const cells = rows.map((row) => row.map((text, at) => workbookCell(text, columns[at]?.type ?? "")));
  const workbook = await writeWorkbook([head, ...cells], { sheet: "Answer", stickyRowsCount: 1 }).toBlob();
  download(`${name}.xlsx`, workbook.type, workbook);
}

function workbookCell(text: string, type: string) {
  if (text === "") return null;
  const isNumber = NUMBERS.has(type) && text.replace(/\D/g, "").length <= EXACT_DIGITS && Number.isFinite(Number(text));
  return isNumber ? { value: Number(text), type: Number } : { value: text, type: String };
}
