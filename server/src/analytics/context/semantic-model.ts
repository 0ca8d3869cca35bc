import type { Context } from "@frontdesk/protos/gda/context";
import type { Schema } from "@frontdesk/protos/gda/datasource";
import { definedFields, nonEmptyFields } from "#base";
import { type SqlSource, type TablePath, type TableSchema, tableKey } from "#warehouse";
import type { Relationship, SemanticColumn, SemanticModel, SemanticTable } from "../contract.ts";
import { profileTable, type Reading, type TableProfile } from "../profiles/profile-table.ts";
import type { KnownProfiles } from "../profiles/profiles.ts";
import { createValueIndex } from "../retrieval/value-index.ts";
import { proposeKeys } from "./propose-keys.ts";
import { parseYamlInstruction, type TableMetadata, type YamlInstruction } from "./yaml-instruction.ts";

/** Reads what values the tables have. */
type ReadProfiles = (
  schemas: readonly TableSchema[],
  reading: Reading,
) => Promise<Pick<KnownProfiles, "of" | "complete"> & Partial<Pick<KnownProfiles, "valuesIn">>>;

/** What is read of the tables of a context. */
export interface SourceMetadata {
  readonly schemas: readonly TableSchema[];
  readonly profiles: Awaited<ReturnType<ReadProfiles>>;
}

/** Reads schemas, and what is known of the values. */
export async function readSourceMetadata(
  source: SqlSource,
  context: Context,
  signal: AbortSignal,
  readProfiles: ReadProfiles,
): Promise<SourceMetadata> {
  const schemas = await source.describe(signal);
  return { schemas, profiles: await readProfiles(schemas, { maxScannedBytes: maxScannedBytesFor(context), signal }) };
}

/** Builds the semantic model of a source after reading all values of its tables. */
export async function buildSemanticModel(
  source: SqlSource,
  context: Context,
  signal: AbortSignal,
): Promise<SemanticModel> {
  const knowledge = await readSourceMetadata(source, context, signal, (...of) => readAll(source, ...of));
  return toSemanticModel(source, context, knowledge);
}

/** The semantic model: schemas, overrides of the author, values of text columns, relationships. */
export function toSemanticModel(
  source: SqlSource,
  context: Context,
  { schemas, profiles }: SourceMetadata,
): SemanticModel {
  const notes = parseYamlInstruction(context.systemInstruction);
  const overrides = overridesOf(context);
  const declared = [...keyRelationships(schemas), ...authoredRelationships(context, notes, schemas)];
  const proposed = proposeKeys(schemas, profiles, declared);
  const { valuesIn } = profiles;
  return {
    source,
    tables: proposed.schemas.map((schema, at) => ({
      ...toTable(schema, overrides.get(tableKey(schema.path)), notesOf(notes, schema), profiles.of(schema.path)),
      ...(schema.primaryKey && !schemas[at]?.primaryKey && { keyProposed: true }),
    })),
    relationships: [...declared, ...proposed.relationships],
    glossary: [
      ...context.glossaryTerms.flatMap(({ displayName, description, labels }) =>
        [displayName, ...labels].map((term) => ({ term, meaning: description })),
      ),
      ...notes.glossary,
    ],
    instruction: context.systemInstruction,
    ...definedFields({ valuesIn }),
  };
}

/** Profiles of all tables, however long that takes. */
async function readAll(source: SqlSource, schemas: readonly TableSchema[], reading: Reading) {
  const profiles = new Map<TablePath, TableProfile>();
  const index = createValueIndex();
  for (const schema of schemas) {
    const profile = await profileTable(source, schema, reading);
    profiles.set(schema.path, profile);
    index.put(tableKey(schema.path), { ...profile.values, ...profile.indexed });
  }
  const paths = new Map(schemas.map(({ path }) => [tableKey(path), path]));
  return {
    of: (path: TablePath) => profiles.get(path),
    valuesIn: (text: string) => index.find(text, paths),
    complete: true,
  };
}

const MAX_SCANNED_BYTES = 100 * 1024 * 1024;

/** Not more than the context allows for a question. */
function maxScannedBytesFor({ options }: Context): number {
  const billed = options?.datasource?.bigQueryMaxBilledBytes;
  return billed === undefined ? MAX_SCANNED_BYTES : Math.min(MAX_SCANNED_BYTES, Number(billed));
}

/** Values of a column with many that are kept as examples. */
const SAMPLES = 3;

function toTable(
  schema: TableSchema,
  override: Schema | undefined,
  notes: TableMetadata | undefined,
  profile: TableProfile | undefined,
): SemanticTable {
  const described = override?.description || notes?.description || schema.description;
  return {
    schema: { ...schema, ...nonEmptyFields({ description: described }) },
    synonyms: [...(override?.synonyms ?? []), ...(notes?.synonyms ?? [])],
    tags: [...(override?.tags ?? []), ...(notes?.tags ?? [])],
    columns: schema.columns.map((column): SemanticColumn => {
      const field = override?.fields.find(({ name }) => name === column.name);
      const withWarning = notes?.fields.find(({ name }) => name === column.name);
      return {
        name: column.name,
        type: column.type,
        description: field?.description || withWarning?.description || column.description || "",
        synonyms: [...(field?.synonyms ?? []), ...(withWarning?.synonyms ?? [])],
        tags: [...(field?.tags ?? []), ...(withWarning?.tags ?? [])],
        ...definedFields({
          values: profile?.values[column.name],
          samples: profile?.indexed[column.name]?.slice(0, SAMPLES),
          range: profile?.ranges[column.name],
        }),
        ...(profile?.flags.includes(column.name) && { zeroOrOne: true }),
      };
    }),
    measures: notes?.measures.filter(({ name, expression }) => name !== "" && expression !== "") ?? [],
  };
}

/** The author's schema of each table, by the table's path. */
function overridesOf({ datasourceReferences }: Context): ReadonlyMap<string, Schema> {
  const { references } = datasourceReferences ?? {};
  if (references?.case !== "bq") return new Map();
  return new Map(
    references.value.tableReferences.flatMap(({ projectId, datasetId, tableId, schema }) =>
      schema ? [[tableKey([projectId, datasetId, tableId]), schema] as const] : [],
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
