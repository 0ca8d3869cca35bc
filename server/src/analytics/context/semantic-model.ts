import type { Context } from "@frontdesk/protos/gda/context";
import type { Schema } from "@frontdesk/protos/gda/datasource";
import { definedFields } from "#base";
import { QueryError, type SqlSource, type TablePath, type TableSchema } from "#warehouse";
import type { Relationship, SemanticColumn, SemanticModel, SemanticTable } from "../contract.ts";
import { parseYamlInstruction, type TableMetadata, type YamlInstruction } from "./yaml-instruction.ts";

/** Maximum distinct values that are read of a column. */
const MAX_VALUES = 200;

/** Builds the semantic model: schemas, overrides of the author, values of text columns, relationships. */
export async function buildSemanticModel(
  source: SqlSource,
  context: Context,
  signal: AbortSignal,
): Promise<SemanticModel> {
  const schemas = await source.describe(signal);
  const notes = parseYamlInstruction(context.systemInstruction);
  const maxScannedBytes = maxScannedBytesFor(context);
  const overrides = overridesOf(context);
  const tables = await Promise.all(
    schemas.map((schema) =>
      toTable(schema, source, overrides.get(keyOf(schema.path)), notesOf(notes, schema), { maxScannedBytes, signal }),
    ),
  );
  return {
    source,
    tables,
    relationships: [...keyRelationships(schemas), ...authoredRelationships(context, notes, schemas)],
    glossary: [
      ...context.glossaryTerms.flatMap(({ displayName, description, labels }) =>
        [displayName, ...labels].map((term) => ({ term, meaning: description })),
      ),
      ...notes.glossary,
    ],
    instruction: context.systemInstruction,
  };
}

/** Limits of reading values and ranges. */
interface Reading {
  /** Bytes that one query may bill: values and ranges are optional. */
  readonly maxScannedBytes: number;
  readonly signal: AbortSignal;
}

const MAX_SCANNED_BYTES = 100 * 1024 * 1024;

/** Not more than the context allows for a question. */
function maxScannedBytesFor({ options }: Context): number {
  const billed = options?.datasource?.bigQueryMaxBilledBytes;
  return billed === undefined ? MAX_SCANNED_BYTES : Math.min(MAX_SCANNED_BYTES, Number(billed));
}

async function toTable(
  schema: TableSchema,
  source: SqlSource,
  override: Schema | undefined,
  notes: TableMetadata | undefined,
  reading: Reading,
): Promise<SemanticTable> {
  const { signal, maxScannedBytes } = reading;
  const ranges = await rangesOf(schema, source, reading);
  const described = override?.description || notes?.description || schema.description;
  const columns = schema.columns.map(async (column): Promise<SemanticColumn> => {
    const field = override?.fields.find(({ name }) => name === column.name);
    const withWarning = notes?.fields.find(({ name }) => name === column.name);
    const isText = column.type === "STRING" && column.mode !== "REPEATED";
    const values = isText
      ? await source.distinctValues(schema.path, column.name, MAX_VALUES, signal, maxScannedBytes)
      : undefined;
    return {
      name: column.name,
      type: column.type,
      description: field?.description || withWarning?.description || column.description || "",
      synonyms: [...(field?.synonyms ?? []), ...(withWarning?.synonyms ?? [])],
      tags: [...(field?.tags ?? []), ...(withWarning?.tags ?? [])],
      ...definedFields({ values }),
      ...(ranges.has(column.name) && { range: ranges.get(column.name) }),
    };
  });
  return {
    schema: { ...schema, ...(described && { description: described }) },
    synonyms: [...(override?.synonyms ?? []), ...(notes?.synonyms ?? [])],
    tags: [...(override?.tags ?? []), ...(notes?.tags ?? [])],
    columns: await Promise.all(columns),
    measures: notes?.measures.filter(({ name, expression }) => name !== "" && expression !== "") ?? [],
  };
}

const TEMPORAL = new Set(["DATE", "DATETIME", "TIMESTAMP"]);
const RANGE_LIMITS = { maxRows: 1, maxBytes: 100_000, timeoutMs: 5_000 };

/** First and last day of temporal columns; empty where the query fails or times out. */
async function rangesOf(
  { path, columns }: TableSchema,
  source: SqlSource,
  { signal, maxScannedBytes }: Reading,
): Promise<ReadonlyMap<string, { readonly first: string; readonly last: string }>> {
  const names = columns.filter(({ type, mode }) => TEMPORAL.has(type) && mode !== "REPEATED").map(({ name }) => name);
  if (names.length === 0) return new Map();
  const ends = names.flatMap((name, at) => {
    const quoted = source.quoteName(name);
    return [`min(${quoted}) AS a${at}`, `max(${quoted}) AS b${at}`];
  });
  const sql = `SELECT ${ends.join(", ")} FROM ${source.quoteTable(path)}`;
  try {
    const { rows } = await source.query({ sql, limits: { ...RANGE_LIMITS, maxScannedBytes: maxScannedBytes }, signal });
    const [row = []] = rows;
    return new Map(
      names.flatMap((name, at) => {
        const [first, last] = [row[2 * at], row[2 * at + 1]];
        if (typeof first !== "string" || typeof last !== "string") return [];
        return [[name, { first: first.slice(0, 10), last: last.slice(0, 10) }] as const];
      }),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof QueryError) return new Map();
    throw error;
  }
}

/** The author's schema of each table, by the table's path. */
function overridesOf({ datasourceReferences }: Context): ReadonlyMap<string, Schema> {
  const { references } = datasourceReferences ?? {};
  if (references?.case !== "bq") return new Map();
  return new Map(
    references.value.tableReferences.flatMap(({ projectId, datasetId, tableId, schema }) =>
      schema ? [[keyOf([projectId, datasetId, tableId]), schema] as const] : [],
    ),
  );
}

function notesOf({ tables }: YamlInstruction, { path }: TableSchema): TableMetadata | undefined {
  return tables.find(({ name }) => refersTo(name, path));
}

function keyRelationships(schemas: readonly TableSchema[]): readonly Relationship[] {
  return schemas.flatMap(({ path, foreignKeys = [] }) =>
    foreignKeys.map(({ columns, table, referencedColumns }) => ({
      left: path,
      leftColumns: columns,
      right: table,
      rightColumns: referencedColumns,
    })),
  );
}

function authoredRelationships(
  context: Context,
  notes: YamlInstruction,
  schemas: readonly TableSchema[],
): readonly Relationship[] {
  const find = (name: string) => schemas.find(({ path }) => refersTo(name, path))?.path;
  const structured = context.schemaRelationships.flatMap(({ leftSchemaPaths, rightSchemaPaths }) => {
    const [left, right] = [find(leftSchemaPaths?.tableFqn ?? ""), find(rightSchemaPaths?.tableFqn ?? "")];
    if (!left || !right) return [];
    return [{ left, leftColumns: leftSchemaPaths?.paths ?? [], right, rightColumns: rightSchemaPaths?.paths ?? [] }];
  });
  const withWarning = notes.relationships.flatMap(({ left: leftName, right: rightName, pairs }) => {
    const [left, right] = [find(leftName), find(rightName)];
    if (!left || !right || pairs.length === 0) return [];
    return [{ left, leftColumns: pairs.map(([one]) => one), right, rightColumns: pairs.map(([, one]) => one) }];
  });
  return [...structured, ...withWarning];
}

/** `orders`, `shop.orders`, `project.shop.orders` and `//bigquery…/projects/p/datasets/d/tables/t` name the same table. */
function refersTo(name: string, path: TablePath): boolean {
  const fqn = /projects\/([^/]+)\/datasets\/([^/]+)\/tables\/([^/]+)$/.exec(name);
  const parts = fqn ? fqn.slice(1) : name.replaceAll(/[`"]/g, "").split(".");
  const tail = path.slice(-parts.length);
  return tail.length === parts.length && tail.every((part, at) => part.toLowerCase() === parts[at]?.toLowerCase());
}

function keyOf(path: TablePath): string {
  return path.join("\0");
}
