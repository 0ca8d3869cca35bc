import { type FieldViolation, invalidArgument, resourceExhausted } from "#status";

const MIB = 2 ** 20;

/** How much may be uploaded (CA-46). */
export const FILE_LIMITS = {
  /** Bytes of one file: the largest that the store takes. */
  fileBytes: 64 * MIB,
  personBytes: 512 * MIB,
  projectBytes: 2_048 * MIB,
  projectFiles: 1_000,
  tables: 50,
  /** Columns of all tables of a file. */
  columns: 2_000,
  /** Rows of a table. */
  rows: 20_000_000,
  /** Cells of all tables of a file. */
  cells: 500_000_000,
};

export type FileLimits = typeof FILE_LIMITS;

/** A file that is stored already. */
interface StoredSize {
  readonly sizeBytes: bigint;
  readonly uploader: string;
}

/** Throws RESOURCE_EXHAUSTED where a file is too large, or its project or person has as much as it may have. */
export function checkRoom(bytes: number, uploader: string, stored: readonly StoredSize[], limits: FileLimits): void {
  if (bytes > limits.fileBytes)
    throw exhausted(`The file has ${mib(bytes)} MiB; one file may have ${mib(limits.fileBytes)} MiB.`);
  if (stored.length >= limits.projectFiles)
    throw exhausted(`The project has ${stored.length} files, which is the limit. Remove some.`);
  const all = sum(stored) + bytes;
  if (all > limits.projectBytes)
    throw exhausted(
      `With the file, the project would have ${mib(all)} MiB of files; the limit is ${mib(limits.projectBytes)} MiB.`,
    );
  const own = sum(stored.filter((one) => one.uploader === uploader)) + bytes;
  if (own > limits.personBytes)
    throw exhausted(
      `With the file, you would have ${mib(own)} MiB of files in the project; the limit is ${mib(limits.personBytes)} MiB.`,
    );
}

function sum(files: readonly StoredSize[]): number {
  return files.reduce((bytes, { sizeBytes }) => bytes + Number(sizeBytes), 0);
}

function mib(bytes: number): number {
  return Math.ceil(bytes / MIB);
}

function exhausted(message: string): Error {
  return resourceExhausted(message, { reason: "DATA_FILES_LIMIT" });
}

/** What the tables of a file have. */
interface TableSize {
  readonly name: string;
  readonly rows: number;
  readonly columns: number;
}

/** Throws INVALID_ARGUMENT for a file with more tables, columns, rows or cells than a file may have. */
export function checkTables(tables: readonly TableSize[], limits: FileLimits): void {
  const columns = tables.reduce((all, table) => all + table.columns, 0);
  const cells = tables.reduce((all, table) => all + table.columns * table.rows, 0);
  const long = tables.find(({ rows }) => rows > limits.rows);
  const violations: FieldViolation[] = [
    ...tooMany("tables", tables.length, limits.tables),
    ...tooMany("columns", columns, limits.columns),
    ...(long ? tooMany(`rows in ${long.name}`, long.rows, limits.rows) : []),
    ...tooMany("cells", cells, limits.cells),
  ];
  if (violations.length > 0) throw invalidArgument(violations);
}

function tooMany(what: string, count: number, limit: number): readonly FieldViolation[] {
  if (count <= limit) return [];
  const number = (value: number) => value.toLocaleString("en");
  return [{ field: "content", description: `The file has ${number(count)} ${what}; the limit is ${number(limit)}.` }];
}
