import { create } from "@bufbuild/protobuf";
import { type Context, ContextSchema } from "@frontdesk/protos/gda/context";
import {
  type DataFile_Column as Column,
  DataFile_ColumnSchema as ColumnSchema,
  DataFile_Kind as Kind,
  type DataFile_Table as Table,
  DataFile_TableSchema as TableMessageSchema,
} from "@frontdesk/protos/gda/data_file";
import { invalidArgument } from "#status";
import type { Conversion, SqlSource, TablePath, TableSchema, Warehouse } from "#warehouse";
import { kindOfStored, typeOfConversion } from "./column-kinds.ts";
import { checkTables, type FileLimits } from "./file-limits.ts";
import { type FoundForm, findForms } from "./find-forms.ts";
import { createTableReader, type TableReader } from "./table-reader.ts";

/** Reads the tables of a file that was just uploaded: their size, and what kind of values their columns have. */
export async function readTables(
  warehouse: Pick<Warehouse, "open" | "uploads">,
  { project, dataset }: { readonly project: string; readonly dataset: string },
  limits: FileLimits,
  signal: AbortSignal,
): Promise<readonly Table[]> {
  const paths = (await warehouse.uploads?.tables(project, dataset)) ?? [];
  if (paths.length === 0) throw invalidArgument({ field: "content", description: "The file has no tables." });
  checkTables(
    paths.map((path) => ({ name: path.at(-1) ?? "", rows: 0, columns: 0 })),
    limits,
  );
  const source = await openTables(warehouse, paths);
  const schemas = await source.describe(signal);
  checkTables(
    schemas.map(({ path, columns }) => ({ name: path.at(-1) ?? "", rows: 0, columns: columns.length })),
    limits,
  );
  const readers = schemas.map(({ path }) => createTableReader(source, path, signal));
  const counts: number[] = [];
  for (const reader of readers) counts.push(await reader.count());
  checkTables(
    schemas.map(({ path, columns }, at) => ({
      name: path.at(-1) ?? "",
      rows: counts[at] ?? 0,
      columns: columns.length,
    })),
    limits,
  );
  const tables: Table[] = [];
  for (const [at, schema] of schemas.entries()) {
    const reader = readers[at];
    if (reader) tables.push(await readTable(reader, schema, counts[at] ?? 0));
  }
  return tables;
}

/** A source over tables of an uploaded file. */
export async function openTables(warehouse: Pick<Warehouse, "open">, paths: readonly TablePath[]): Promise<SqlSource> {
  const tableReferences = paths.map(([projectId = "", datasetId = "", tableId = ""]) => ({
    projectId,
    datasetId,
    tableId,
  }));
  const source = await warehouse.open(referencesTo(tableReferences));
  if (source.kind !== "sql") throw new Error("uploaded files are read by SQL");
  return source;
}

function referencesTo(tableReferences: readonly { projectId: string; datasetId: string; tableId: string }[]) {
  const { datasourceReferences }: Context = create(ContextSchema, {
    datasourceReferences: { references: { case: "bq", value: { tableReferences: [...tableReferences] } } },
  });
  if (!datasourceReferences) throw new Error("references were just set");
  return datasourceReferences;
}

async function readTable(reader: TableReader, schema: TableSchema, rowCount: number): Promise<Table> {
  const [projectId = "", datasetId = "", tableId = ""] = schema.path;
  const forms = await findForms(reader, schema);
  const conversions = schema.columns.map(({ name }) => forms.get(name)?.conversion);
  const facts = await reader.facts(
    schema.columns.map(({ name }, at) => ({ name, conversion: conversions[at] })),
    rowCount,
  );
  const columns = schema.columns.map(({ name, type, mode }, at): Column => {
    const { empty = 0, distinct = 0, samples = [] } = facts[at] ?? {};
    const conversion = conversions[at];
    const storedType = mode === "REPEATED" ? "ARRAY" : type;
    const stored = kindOfStored(name, storedType, { present: rowCount - empty, distinct });
    const kind = conversion ? kindOfForm(forms.get(name)) : stored;
    return create(ColumnSchema, {
      ...{ name, kind, storedType, samples: [...samples] },
      // Of a form that does not decide between two readings, people are told.
      foundKind: kindOfForm(forms.get(name)) || stored,
      format: formatOf(conversion),
      type: conversion ? typeOfConversion(conversion) : storedType,
      emptyCount: BigInt(empty),
      distinctCount: BigInt(distinct),
    });
  });
  return create(TableMessageSchema, {
    tableId,
    tableReference: { projectId, datasetId, tableId },
    rowCount: BigInt(rowCount),
    columns,
    description: schema.description ?? "",
  });
}

function kindOfForm(form: FoundForm | undefined): Kind {
  if (!form) return Kind.KIND_UNSPECIFIED;
  return { number: Kind.NUMBER, money: Kind.MONEY, date: Kind.DATE, datetime: Kind.DATE_TIME }[form.of];
}

function formatOf(conversion: Conversion | undefined): string {
  if (!conversion) return "";
  if (conversion.to === "number")
    return [conversion.decimal, conversion.unit].filter((one) => one !== undefined).join(" ");
  return "format" in conversion ? conversion.format : "";
}
