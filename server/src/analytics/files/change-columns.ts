import { clone } from "@bufbuild/protobuf";
import {
  type DataFile_Column as Column,
  DataFile_Kind as Kind,
  type DataFile_Table as Table,
  DataFile_TableSchema as TableMessageSchema,
} from "@frontdesk/protos/gda/data_file";
import type { Ids } from "#base";
import { type FieldViolation, invalidArgument } from "#status";
import type { Conversion, Warehouse } from "#warehouse";
import { partsOf } from "../sources/own-dataset.ts";
import { conversionOf, kindName, typeOfConversion } from "./column-kinds.ts";
import type { FileRow } from "./file-rows.ts";
import { openTables } from "./read-tables.ts";
import { createTableReader } from "./table-reader.ts";

interface ChangeDeps {
  readonly warehouse: Pick<Warehouse, "open" | "uploads">;
  readonly ids: Ids;
}

/** A column whose kind is to change. */
interface Change {
  readonly table: Table;
  readonly column: Column;
  readonly conversion: Conversion | undefined;
  readonly field: string;
}

/**
 * The tables of a file with the kinds that a person gives their columns (CA-47). INVALID_ARGUMENT names each column with a value that is not
 * of its kind. The values are read of a second copy, so that questions meanwhile see the columns as they were.
 */
export async function changedTables(
  { file, fileName }: FileRow,
  incoming: readonly Table[],
  content: Uint8Array,
  { warehouse, ids }: ChangeDeps,
  signal: AbortSignal,
): Promise<readonly Table[]> {
  const tables = file.tables.map((table) => clone(TableMessageSchema, table));
  const changes = changesOf(tables, incoming);
  const { uploads } = warehouse;
  if (changes.length === 0 || !uploads) return tables;
  const trial = `upload_${ids.uuid().replaceAll("-", "")}`;
  const { project } = partsOf(file.name);
  try {
    uploads.write(trial, fileName, content, asText(changes));
    for (const [table, own] of Map.groupBy(changes, (change) => change.table)) {
      const path = [project, trial, table.tableId];
      const reader = createTableReader(await openTables(warehouse, [path]), path, signal);
      const checks = own.map(({ column: { name }, conversion }) => ({ name, conversion }));
      rejectFailures(own, await reader.failures(checks));
      const facts = await reader.facts(checks, Number(table.rowCount));
      own.forEach(({ column, conversion }, at) => {
        const { empty = 0, distinct = 0, samples = [] } = facts[at] ?? {};
        column.type = conversion ? typeOfConversion(conversion) : column.storedType;
        column.emptyCount = BigInt(empty);
        column.distinctCount = BigInt(distinct);
        column.samples = [...samples];
      });
    }
  } finally {
    await uploads.remove(trial);
  }
  return tables;
}

/** Applies the kinds and formats, and says which columns they change. */
function changesOf(tables: readonly Table[], incoming: readonly Table[]): readonly Change[] {
  return incoming.flatMap((wanted, at) => {
    const table = tables.find(({ tableId }) => tableId === wanted.tableId);
    const field = `data_file.tables[${at}]`;
    if (!table) throw invalidArgument({ field, description: `The file has no table '${wanted.tableId}'.` });
    return wanted.columns.flatMap((other, number) => {
      const column = table.columns.find(({ name }) => name === other.name);
      const below = `${field}.columns[${number}]`;
      if (!column) throw invalidArgument({ field: below, description: `The table has no column '${other.name}'.` });
      const kind = other.kind === Kind.KIND_UNSPECIFIED ? column.foundKind : other.kind;
      const format = other.format;
      if (kind === column.kind && format === column.format) return [];
      Object.assign(column, { kind, format });
      return [{ table, column, conversion: conversionOf(column, below), field: below }];
    });
  });
}

/** The columns that change as they are written in the file. */
function asText(changes: readonly Change[]) {
  const byTable = Map.groupBy(changes, ({ table }) => table.tableId);
  return Object.fromEntries(
    [...byTable].map(([table, own]) => [
      table,
      Object.fromEntries(
        own.filter(({ conversion }) => conversion).map(({ column }) => [column.name, { to: "text" } as const]),
      ),
    ]),
  );
}

function rejectFailures(
  changes: readonly Change[],
  failures: readonly { readonly failed: number; readonly examples: readonly string[] }[],
): void {
  const violations = changes.flatMap(({ column, field }, at): readonly FieldViolation[] => {
    const { failed = 0, examples = [] } = failures[at] ?? {};
    if (failed === 0) return [];
    const values = `${failed} ${failed === 1 ? "value is" : "values are"} not of the kind ${kindName(column.kind)}`;
    const form = column.format === "" ? "" : ` in the form ${column.format}`;
    return [
      {
        field,
        description: `In '${column.name}', ${values}${form}, such as ${examples.map((one) => `'${one}'`).join(", ")}.`,
      },
    ];
  });
  if (violations.length > 0) throw invalidArgument(violations);
}
