import { basename } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { definedFields, thrownMessage } from "#base";
import { failedPrecondition } from "#status";
import type { TablePath } from "../contract.ts";
import { importTable } from "../imported/import-table.ts";
import type { FileKeys } from "../imported/table-file.ts";
import { titleLines, titleNote } from "../imported/title-rows.ts";
import type { FileTable } from "../mapping/file-tables.ts";
import { quoteName, quoteText } from "../sql-quoting.ts";
import { tableKey } from "../table-key.ts";
import { unitNote } from "../uploads/cell-units.ts";
import { type Conversions, convertedColumn, convertedType } from "../uploads/conversions.ts";
import type { Engine } from "./engine.ts";
import { conversionsOf, conversionsText, type MappedTable } from "./mapped-tables.ts";
import { isExhausted } from "./process/engine-error.ts";
import { ENCODING_NOTES, type TextEncoding, unicodeEncoding, withDecodedCopy } from "./text-encoding.ts";

/** A view or copy that exists, as of a state of its file. */
export interface CreatedTable {
  readonly fingerprint: string;
  /** What the file declares, which the copy has not. */
  readonly keys?: FileKeys;
}

/**
 * Creates views of databases and Parquet files, and copies of other files and of tables inside files, unless they exist and are up to
 * date. `created`: what exists, by table. `decodedFolder`: where texts that are not UTF-8 are decoded to while they are read.
 */
export async function createTables(
  engine: Engine,
  tables: readonly MappedTable[],
  internalNameOf: (path: TablePath) => TablePath,
  created: Map<string, CreatedTable>,
  decodedFolder: string,
): Promise<void> {
  const versions = tables.map((table) => ({
    table,
    internalName: internalNameOf(table.path),
    key: tableKey(table.path),
    fingerprint: `${table.file?.fingerprint ?? "view"}${conversionsText(table.mapping, table.path)}`,
  }));
  const stale = versions.filter(({ key, fingerprint }) => created.get(key)?.fingerprint !== fingerprint);
  if (stale.length === 0) return;
  await engine.use(async (connection) => {
    for (const { table, internalName, key, fingerprint } of stale) {
      const keys = await createTable(connection, table, internalName, decodedFolder);
      created.set(key, { fingerprint, ...definedFields({ keys }) });
    }
  });
}

async function createTable(
  connection: DuckDBConnection,
  { baseTable, file, mapping, path }: MappedTable,
  internalName: TablePath,
  decodedFolder: string,
): Promise<FileKeys | undefined> {
  const conversions = conversionsOf(mapping, path);
  const [database = "", schema = ""] = internalName;
  const name = internalName.map(quoteName).join(".");
  await connection.run(`ATTACH IF NOT EXISTS ':memory:' AS ${quoteName(database)}`);
  await connection.run(`CREATE SCHEMA IF NOT EXISTS ${quoteName(database)}.${quoteName(schema)}`);
  if (baseTable)
    await connection.run(`CREATE OR REPLACE VIEW ${name} AS SELECT * FROM ${baseTable.map(quoteName).join(".")}`);
  if (!file) return undefined;
  if ("read" in file) {
    return file.read(async (source) => {
      await importTable(connection, internalName, source);
      await convertColumns(connection, internalName, conversions);
      await describeUnits(connection, name, conversions);
      await describeTable(connection, name, [source.note]);
      return source.keys;
    });
  }
  const text = { file, decodedFolder, ...definedFields({ upload: mapping.upload && conversions }) };
  if (file.reader.isText) await readText(connection, name, text);
  else await readFile(connection, name, file, file.file, undefined);
  if (file.reader.function === "read_json") await scalarsAsText(connection, internalName);
  await describeUnits(connection, name, mapping.upload ? conversions : {});
  return undefined;
}

interface TextFile {
  readonly file: FileTable;
  readonly decodedFolder: string;
  readonly upload?: Conversions;
}

/** Reads a text in its encoding: UTF-16 where its bytes show it, else UTF-8, and Windows-1252 where it is no UTF-8. The table tells. */
async function readText(connection: DuckDBConnection, name: string, { file, decodedFolder, upload }: TextFile) {
  const read = (from: string) => readFile(connection, name, file, from, upload);
  const decoded = async (encoding: TextEncoding) => {
    const note = await withDecodedCopy({ file: file.file, encoding, folder: decodedFolder }, read);
    await describeTable(connection, name, [ENCODING_NOTES[encoding], note]);
  };
  const unicode = await unicodeEncoding(file.file);
  if (unicode) return decoded(unicode);
  try {
    await describeTable(connection, name, [await read(file.file)]);
  } catch (error) {
    if (!isOfEncoding(error)) throw error;
    await decoded("windows-1252");
  }
}

/** What people should know of how a file was read. */
async function describeTable(connection: DuckDBConnection, name: string, notes: readonly (string | undefined)[]) {
  const text = notes.filter((note) => note !== undefined).join(" ");
  if (text !== "") await connection.run(`COMMENT ON TABLE ${name} IS ${quoteText(text)}`);
}

/** The unit that was behind the numbers of a column is told with it. */
async function describeUnits(connection: DuckDBConnection, name: string, conversions: Conversions): Promise<void> {
  for (const [column, conversion] of Object.entries(conversions)) {
    if (conversion.to === "number" && conversion.unit !== undefined)
      await connection.run(`COMMENT ON COLUMN ${name}.${quoteName(column)} IS ${quoteText(unitNote(conversion.unit))}`);
  }
}

/** Whether DuckDB found bytes that are no UTF-8. */
function isOfEncoding(error: unknown): boolean {
  return error instanceof Error && /utf-?8|unicode/i.test(error.message);
}

/**
 * All of an upload is looked at before its types are decided: nobody mends a file whose last row has another form than the first ones.
 * Answers what was left out.
 */
async function readFile(
  connection: DuckDBConnection,
  name: string,
  { file, reader }: FileTable,
  from: string,
  upload: Conversions | undefined,
): Promise<string | undefined> {
  const isCsv = reader.function === "read_csv";
  const above = isCsv ? await titleLines(from) : [];
  const skipped = above.length > 0 ? `, skip = ${above.length}, header = true` : "";
  const whole = upload && reader.isText ? ", sample_size = -1" : "";
  const options = `${whole}${upload && isCsv ? convertedTexts(upload) : ""}${skipped}`;
  const rows = `SELECT *${replacedColumns(upload ?? {})} FROM ${reader.function}(${quoteText(literalPath(from))}${options})`;
  try {
    await connection.run(`CREATE OR REPLACE ${reader.imported ? "TABLE" : "VIEW"} ${name} AS ${rows}`);
  } catch (error) {
    if (error instanceof Error && error.message.startsWith("Out of Memory Error")) throw tooLarge(file);
    throw isOfFile(error, from) ? unreadable(file, from, error) : error;
  }
  return above.length > 0 ? titleNote(above) : undefined;
}

/** Columns that are converted are read as they are written. */
function convertedTexts(conversions: Conversions): string {
  const texts = Object.keys(conversions).map((column) => `${quoteText(column)}: 'VARCHAR'`);
  return texts.length > 0 ? `, types = {${texts.join(", ")}}` : "";
}

/** DuckDB names the kind of its errors first; some kinds are of the machine, unless they name the file. */
function isOfFile(error: unknown, file: string): boolean {
  if (!(error instanceof Error) || isExhausted(error)) return false;
  return !/^(Out of Memory|INTERNAL|FATAL|INTERRUPT|IO) Error/i.test(error.message) || error.message.includes(file);
}

/** Every column of a file takes memory while it is read, however few its rows are. */
function tooLarge(file: string): Error {
  const name = basename(file);
  return failedPrecondition(
    `The file ${name} needs more memory to be read as a table than there is: split it into files of fewer columns or rows, or raise warehouse.memory.`,
    { reason: "TABLE_FILE_UNREADABLE", metadata: { file: name } },
  );
}

/** What DuckDB says of a file, without the folders of this machine and the options that only authors of SQL can set. */
function unreadable(file: string, from: string, error: unknown): Error {
  const lines = thrownMessage(error).split("\n\n")[0]?.split("\n") ?? [];
  const text = lines.slice(0, 4).join(" ").replaceAll(from, basename(file));
  const advice = /utf-?8|unicode/i.test(text) ? " Save it as UTF-8." : "";
  return failedPrecondition(`The file ${basename(file)} cannot be read as a table: ${text}${advice}`, {
    reason: "TABLE_FILE_UNREADABLE",
    metadata: { file: basename(file) },
  });
}

/** The part of a SELECT that converts columns. */
function replacedColumns(conversions: Conversions): string {
  const replaced = Object.entries(conversions).map(([column, conversion]) => {
    const name = quoteName(column);
    return `${convertedColumn(name, conversion)} AS ${name}`;
  });
  return replaced.length > 0 ? ` REPLACE (${replaced.join(", ")})` : "";
}

async function convertColumns(
  connection: DuckDBConnection,
  internalName: TablePath,
  conversions: Conversions,
): Promise<void> {
  const name = internalName.map(quoteName).join(".");
  for (const [column, conversion] of Object.entries(conversions)) {
    const quoted = quoteName(column);
    const converted = convertedColumn(quoted, conversion);
    await connection.run(
      `ALTER TABLE ${name} ALTER ${quoted} SET DATA TYPE ${convertedType(conversion)} USING ${converted}`,
    );
  }
}

/** A column with texts and numbers, and neither objects nor lists, is read as JSON; as text its values are what people write. */
async function scalarsAsText(connection: DuckDBConnection, internalName: TablePath): Promise<void> {
  const name = internalName.map(quoteName).join(".");
  const described = await connection.runAndReadAll(`DESCRIBE ${name}`);
  const columns = described.getRows().flatMap(([column, type]) => (type === "JSON" ? [quoteName(String(column))] : []));
  for (const column of columns) {
    const nested = await connection.runAndReadAll(
      `SELECT count(*) FROM ${name} WHERE json_type(${column}) IN ('OBJECT', 'ARRAY')`,
    );
    if (Number(nested.getRows()[0]?.[0]) > 0) continue;
    await connection.run(`ALTER TABLE ${name} ALTER ${column} SET DATA TYPE VARCHAR USING ${column} ->> '$'`);
  }
}

/** Escapes `*`, `?` and `[`, which DuckDB reads as a glob pattern. In a pattern it reads a backslash as a slash. */
function literalPath(path: string): string {
  if (!/[*?[]/.test(path)) return path;
  if (!path.includes("\\")) return path.replace(/[*?[]/g, "[$&]");
  const file = basename(path);
  throw failedPrecondition(`The file ${file} has a backslash and one of * ? [ in its path; rename it.`, {
    reason: "TABLE_FILE_UNREADABLE",
    metadata: { file },
  });
}
