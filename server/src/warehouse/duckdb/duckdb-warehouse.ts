import { statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { failedPrecondition } from "#status";
import type { SqlSource, TablePath } from "../contract.ts";
import { createCopiedTables, isSqlite } from "../copied/copied-tables.ts";
import { fileTables, isDatabase } from "../mapping/file-tables.ts";
import { stampOf } from "../mapping/files-at.ts";
import type { SourceMapping, WarehouseConfig } from "../mapping/warehouse-config.ts";
import { createDuckdbSource } from "./duckdb-source.ts";
import { type Engine, openEngine, quoteText } from "./engine.ts";
import type { Entry } from "./entry.ts";
import { makeTables } from "./make-tables.ts";
import { createPlaces } from "./places.ts";

/** The mapped files and databases, as tables with the names that clients use. */
export interface DuckdbWarehouse {
  /** Every table in reach now, or those of one project and dataset. */
  tables(project?: string, dataset?: string): Promise<readonly TablePath[]>;
  /** A source over these tables; names that are mapped to nothing come back instead. */
  source(paths: readonly TablePath[]): Promise<SqlSource | { readonly missing: readonly TablePath[] }>;
  close(): void;
}

/** Opens the engine over the mapped sources. Views and copies are made when a table is first asked for. */
export async function openDuckdbWarehouse(config: WarehouseConfig): Promise<DuckdbWarehouse> {
  const databases = config.sources.filter(({ path }) => isDatabase(path) && !isSqlite(path));
  const files = config.sources.filter((source) => !databases.includes(source));
  const engine = await openEngine({
    databases: new Map(databases.map(({ path }, at) => [attachedName(at), path])),
    readable: files.map(({ path }) => (statSync(path, { throwIfNoEntry: false })?.isFile() ? dirname(path) : path)),
    memory: config.memory,
    spillDir: config.spillDir,
  });
  const made = new Map<string, string>();
  const placeOf = createPlaces(databases.map((_, at) => attachedName(at)));
  const copiedTables = createCopiedTables();
  const list = () => listEntries(engine, databases, files, copiedTables);
  const make = oneAfterAnother((entries: readonly Entry[]) => makeTables(engine, entries, placeOf, made));
  return {
    tables: async (project, dataset) => {
      const { entries } = await list();
      const wanted = entries.filter(({ path }) => path[0] === (project ?? path[0]) && path[1] === (dataset ?? path[1]));
      return wanted.map(({ path }) => path);
    },
    async source(paths) {
      const { entries, refusals } = await list();
      const chosen = paths.map((path) => ({ path, entry: entryFor(path, entries) }));
      const missing = chosen.flatMap(({ path, entry }) => (entry ? [] : [path]));
      const refusal = refusals.find(({ within }) =>
        missing.some((path) => within.every((part, at) => part === "*" || part === path[at])),
      );
      if (refusal) throw refusal.error;
      if (missing.length > 0) return { missing };
      const wanted = chosen.flatMap(({ path, entry }) => (entry ? [{ ...entry, path }] : []));
      refuseTwins(wanted, entries);
      await make(wanted);
      return createDuckdbSource({
        engine,
        scope: wanted.map(({ path, origin }) => ({ path, place: placeOf(path), origin: origin ?? placeOf(path) })),
        refresh: () => make(wanted.map(withFreshStamp)),
      });
    },
    close: () => engine.close(),
  };
}

/** What is in reach, and the refusals of files that do not tell their tables, by the names they stand for. */
interface Entries {
  readonly entries: readonly Entry[];
  readonly refusals: readonly { readonly within: TablePath; readonly error: Error }[];
}

/** Two questions about a file that changed copy it once. */
function oneAfterAnother<Input>(work: (input: Input) => Promise<void>): (input: Input) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (input) => {
    const done = last.then(() => work(input));
    last = done.catch(() => undefined);
    return done;
  };
}

function attachedName(at: number): string {
  return `attached~${at}`;
}

async function listEntries(
  engine: Engine,
  databases: readonly SourceMapping[],
  files: readonly SourceMapping[],
  copiedTables: ReturnType<typeof createCopiedTables>,
): Promise<Entries> {
  const ofDatabases = await Promise.all(
    databases.map((mapping, at) => databaseEntries(engine, mapping, attachedName(at))),
  );
  const copied = await Promise.all(files.map((mapping) => copiedEntries(mapping, copiedTables)));
  return {
    entries: [...ofDatabases.flat(), ...files.flatMap(fileEntries), ...copied.flatMap(({ entries }) => entries)],
    refusals: copied.flatMap(({ refusals }) => refusals),
  };
}

function fileEntries(mapping: SourceMapping): readonly Entry[] {
  const [project, dataset = "files", table] = mapping.name;
  return fileTables(mapping.path).map((file) => ({ path: [project, dataset, table ?? file.name], file, mapping }));
}

async function copiedEntries(
  mapping: SourceMapping,
  copiedTables: ReturnType<typeof createCopiedTables>,
): Promise<Entries> {
  const { name, path } = mapping;
  const [project, dataset = "files", table] = name;
  const { tables, refusals } = await copiedTables(path, table);
  return {
    entries: tables.map((file) => ({ path: [project, dataset, table ?? file.name], file, mapping })),
    refusals: refusals.map((error) => ({ within: name.filter((part) => part !== undefined), error })),
  };
}

/** A mapped project shows every schema as a dataset; a mapped dataset shows one schema. */
async function databaseEntries(engine: Engine, mapping: SourceMapping, database: string): Promise<readonly Entry[]> {
  const { name, schema } = mapping;
  const [project, dataset, table] = name;
  const rows = await engine.use((connection) =>
    connection.runAndReadAll(
      `SELECT schema_name, table_name FROM duckdb_tables() WHERE database_name = ${quoteText(database)}
       UNION ALL SELECT schema_name, view_name FROM duckdb_views() WHERE database_name = ${quoteText(database)} AND NOT internal
       ORDER BY 1, 2`,
    ),
  );
  const found = rows.getRows().map(([of, called]) => ({ schema: String(of), table: String(called) }));
  const shown =
    dataset === undefined ? undefined : (schema ?? (found.some((one) => one.schema === dataset) ? dataset : "main"));
  return found
    .filter((one) => (shown === undefined || one.schema === shown) && (table === undefined || one.table === table))
    .map((one) => ({
      path: [project, dataset ?? one.schema, one.table],
      origin: [database, one.schema, one.table],
      mapping,
    }));
}

/** `*` as a project stands for any; a name that fits exactly goes first. Names of files may be in another form of Unicode. */
function entryFor(path: TablePath, entries: readonly Entry[]): Entry | undefined {
  const keyFrom = (one: TablePath, from: number) => one.slice(from).join("\0").normalize();
  const fits = (entry: Entry, from: number) => keyFrom(entry.path, from) === keyFrom(path, from);
  return entries.find((entry) => fits(entry, 0)) ?? entries.find((entry) => entry.path[0] === "*" && fits(entry, 1));
}

/** Two files of one folder may stand for one name, e.g. `orders.csv` and `orders.parquet`: nobody can say which is meant. */
function refuseTwins(wanted: readonly Entry[], entries: readonly Entry[]): void {
  for (const { path, file, mapping } of wanted) {
    const name = path.slice(1).join("\0").normalize();
    const twin = entries.find(
      (one) =>
        one.mapping === mapping && one.file?.file !== file?.file && one.path.slice(1).join("\0").normalize() === name,
    );
    if (!file || !twin?.file) continue;
    const files = [file.file, twin.file.file].map((one) => basename(one)).join(" and ");
    throw failedPrecondition(
      `${path.join(".")} may be ${files}: map the one that is meant as a table, e.g. warehouse.sources: { "${path.join(".")}": "./${basename(file.file)}" }.`,
      { reason: "TABLE_AMBIGUOUS", metadata: { table: path.join(".") } },
    );
  }
}

function withFreshStamp(entry: Entry): Entry {
  const { file } = entry;
  // What was read stays while its file is away.
  if (!file || !statSync(file.file, { throwIfNoEntry: false })) return entry;
  return { ...entry, file: { ...file, stamp: stampOf(file.file) } };
}
