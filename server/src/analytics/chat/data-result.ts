import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { Context } from "@frontdesk/protos/gda/context";
import type { DataMessageSchema, DataResult } from "@frontdesk/protos/gda/data_chat_service";
import type { DatasourceSchema, FieldSchema, SchemaSchema } from "@frontdesk/protos/gda/datasource";
import { definedFields, type JsonObject, type JsonValue, nonEmptyFields } from "#base";
import type { Column, QueryJob, ResultSet, TableSchema } from "#warehouse";
import type { SemanticModel, SemanticTable } from "../contract.ts";
import { referencesOf } from "./datasource-references.ts";

type DataKind = NonNullable<MessageInitShape<typeof DataMessageSchema>["kind"]>;

/** Maximum bytes of the rows in one message; further rows are left out (CA-14). */
const MAX_BYTES = 3_000_000;

/** Rows that fit into one message. */
export function shownRows(result: ResultSet): ResultSet {
  let bytes = 0;
  const names = result.columns.map(({ name }) => name);
  const end = result.rows.findIndex((row) => {
    bytes += Buffer.byteLength(JSON.stringify(Object.fromEntries(names.map((name, at) => [name, row[at] ?? null]))));
    return bytes > MAX_BYTES;
  });
  return end < 0 ? result : { ...result, rows: result.rows.slice(0, end), truncated: true };
}

/** Rows as a message: a struct a row, keys the column names, scalars as strings. */
export function toDataResult(name: string, result: ResultSet): DataKind {
  return { case: "result", value: dataResult(name, result) };
}

/** Rows in the form of the API. */
export function dataResult(name: string, { columns, rows, cachedAt }: ResultSet) {
  const data: JsonObject[] = rows.map((row) =>
    Object.fromEntries(columns.map((column, at) => [column.name, row[at] ?? null])),
  );
  const cachedTime = cachedAt === undefined ? undefined : timestampFromMs(Math.floor(cachedAt));
  return {
    ...{ name, schema: { fields: columns.map((column) => toField(column, LEGACY)) }, data },
    ...definedFields({ cachedTime }),
  };
}

/** The BigQuery job of a query. */
export function toBigQueryJob(
  { project, jobId, location, destination }: QueryJob,
  columns: readonly Column[],
): DataKind {
  const [projectId = "", datasetId = "", tableId = ""] = destination ?? [];
  return {
    case: "bigQueryJob",
    value: {
      projectId: project,
      jobId,
      location,
      schema: { fields: columns.map((column) => toField(column, LEGACY)) },
      ...(destination && { destinationTable: { projectId, datasetId, tableId } }),
    },
  };
}

/** The tables of a context with the descriptions of the author. */
export function toDatasources(
  { tables }: SemanticModel,
  context: Pick<Context, "datasourceReferences">,
): MessageInitShape<typeof DatasourceSchema>[] {
  const referenceOf = referencesOf(context);
  return tables.map((table, at) => ({ reference: referenceOf(table.schema.path, at), schema: toSchema(table) }));
}

/** One table as its database describes it. */
export function toDatasource(schema: TableSchema): MessageInitShape<typeof DatasourceSchema> {
  return {
    reference: referencesOf({})(schema.path, 0),
    schema: toSchema({ schema, synonyms: [], tags: [], columns: [] }),
  };
}

function toSchema({
  schema,
  synonyms,
  tags,
  columns,
}: Omit<SemanticTable, "measures">): MessageInitShape<typeof SchemaSchema> {
  const words = new Map(columns.map((column) => [column.name, column]));
  return {
    ...(schema.description && { description: schema.description }),
    synonyms: [...synonyms],
    tags: [...tags],
    fields: schema.columns.map((column) => {
      const own = words.get(column.name);
      const described = own?.description ? { ...column, description: own.description } : column;
      return { ...toField(described), synonyms: [...(own?.synonyms ?? [])], tags: [...(own?.tags ?? [])] };
    }),
  };
}

/** Results name types as BigQuery's older interface does, schemas as GoogleSQL does (CA-19). */
const LEGACY: Readonly<Record<string, string>> = {
  INT64: "INTEGER",
  FLOAT64: "FLOAT",
  BOOL: "BOOLEAN",
  STRUCT: "RECORD",
};

function toField(column: Column, names: Readonly<Record<string, string>> = {}): MessageInitShape<typeof FieldSchema> {
  const { name, type, mode, description, fields } = column;
  return {
    name,
    type: names[type] ?? type,
    mode,
    ...nonEmptyFields({ description }),
    ...(fields && { subfields: fields.map((field) => toField(field, names)) }),
  };
}

const STANDARD_TYPES: Readonly<Record<string, string>> = {
  INTEGER: "INT64",
  FLOAT: "FLOAT64",
  BOOLEAN: "BOOL",
  RECORD: "STRUCT",
};

/** The result set of an earlier message, which clients send back unchanged. */
export function fromDataResult({ schema, data }: DataResult): ResultSet {
  const columns = (schema?.fields ?? []).map(
    ({ name, type, mode }): Column => ({
      name,
      type: STANDARD_TYPES[type] ?? type,
      mode: mode === "REPEATED" || mode === "REQUIRED" ? mode : "NULLABLE",
    }),
  );
  const rows = data.map((row) => columns.map(({ name }) => (row[name] ?? null) as JsonValue));
  return { columns, rows, truncated: false, durationMs: 0 };
}
