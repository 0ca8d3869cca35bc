import { DataFile_Format as Format, type DataFile_Table as Table } from "@frontdesk/protos/gda/data_file";
import { invalidArgument } from "#status";
import { unicodeOf } from "#warehouse";

/** A file as the warehouse keeps it. */
interface RecognizedFile {
  readonly format: Format;
  /** Its name in the folder: the name of its table, and the extension of its format. */
  readonly file: string;
}

const MAX_NAME = 200;
const MAX_TABLE_NAME = 60;

/** Recognizes the format of a file by its first bytes, JSON by its name too, and a CSV file by its having none of those of another. INVALID_ARGUMENT for all others. */
export function recognizeFile(displayName: string, content: Uint8Array): RecognizedFile {
  if (displayName.length > MAX_NAME)
    throw invalidArgument({
      field: "data_file.display_name",
      description: `At most ${MAX_NAME} characters, not ${displayName.length}.`,
    });
  if (content.length === 0) throw invalidArgument({ field: "content", description: "The file is empty." });
  const { format, extension } = formatOf(displayName, content);
  return { format, file: `${tableName(displayName)}.${extension}` };
}

const SQLITE = "SQLite format 3\0";
const PARQUET = "PAR1";
const ZIP = "PK\u0003\u0004";
/** An object, or a list of objects: names of columns of a CSV file may begin with a bracket. */
const JSON_BEGIN = /^\s*(?:\[\s*)?\{\s*(?:"|\})/;
const OLD_EXCEL = "\u00d0\u00cf\u0011\u00e0";

function formatOf(displayName: string, content: Uint8Array): { readonly format: Format; readonly extension: string } {
  const start = Buffer.from(content.subarray(0, 16)).toString("latin1");
  const end = Buffer.from(content.subarray(-4)).toString("latin1");
  if (start === SQLITE) return { format: Format.SQLITE, extension: "sqlite" };
  if (start.startsWith(PARQUET) && end === PARQUET) return { format: Format.PARQUET, extension: "parquet" };
  if (start.startsWith(ZIP)) {
    if (/\.xls[xm]$/i.test(displayName)) return { format: Format.XLSX, extension: "xlsx" };
    throw unknownFormat("It is an archive; unpack it, and upload its files.");
  }
  if (start.startsWith(OLD_EXCEL)) throw unknownFormat("It is a workbook of Excel before 2007; save it as .xlsx.");
  const head = content.subarray(0, 65_536);
  if (head.includes(0) && !unicodeOf(head)) throw unknownFormat("It is no text: it has zero bytes, and is not UTF-16.");
  const text = new TextDecoder(unicodeOf(head)).decode(head);
  if (/\.(?:json|jsonl|ndjson)$/i.test(displayName) || JSON_BEGIN.test(text))
    return { format: Format.JSON, extension: "json" };
  return { format: Format.CSV, extension: /\.tsv$/i.test(displayName) ? "tsv" : "csv" };
}

/** Refuses a JSON file that is one object around its rows, as APIs answer: as a table it has one row, and a count of it would be wrong. */
export function refuseObjectAround(format: Format, tables: readonly Table[]): void {
  if (format !== Format.JSON) return;
  for (const { rowCount, columns } of tables) {
    const list = columns.find(({ storedType }) => storedType === "ARRAY");
    if (rowCount === 1n && list)
      throw invalidArgument({
        field: "content",
        description: `The file is one object, whose rows may be in '${list.name}': upload that list, as [{…}, {…}] or one object on each line.`,
      });
  }
}

function unknownFormat(why: string): Error {
  return invalidArgument({
    field: "content",
    description: `${why} CSV, JSON, Excel (.xlsx), Parquet and SQLite can be uploaded.`,
  });
}

/** What people call the file, as a name that SQL needs not quote. */
function tableName(displayName: string): string {
  const words = displayName
    .replace(/\.[^.]*$/, "")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .slice(0, MAX_TABLE_NAME);
  return /^[a-z]/.test(words) ? words : `table${words && `_${words}`}`;
}
