import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { LRUCache } from "lru-cache";
import { oneAtATime } from "#base";
import type { ListedTables, SqlSource, TablePath, TableSchema } from "../contract.ts";
import { fileFingerprint } from "../mapping/files.ts";
import { quoteName } from "../sql-quoting.ts";
import { tableKey } from "../table-key.ts";
import { uploadMappings } from "../uploads/upload-folder.ts";
import { type CreatedTable, createTables } from "./create-tables.ts";
import { createDuckdbSource, type Described } from "./duckdb-source.ts";
import { openEngine } from "./engine.ts";
import { attachedDatabaseName, createInternalNames } from "./internal-names.ts";
import {
  conversionsText,
  createMappedTables,
  type MappedTable,
  mappedTableFinder,
  rejectAmbiguousFiles,
  splitMappings,
  withCurrentFingerprint,
} from "./mapped-tables.ts";
import type { EngineConfig } from "./process/protocol.ts";

/** The mapped files and DuckDB databases, as tables with the names that clients use, in this process. */
export interface LocalDuckdb {
  /** Every mapped table as of now, or those of one project and dataset, and the files whose tables cannot be listed. */
  tables(project?: string, dataset?: string): Promise<ListedTables>;
  /** A source over these tables, or the names that are not mapped. */
  source(paths: readonly TablePath[]): Promise<SqlSource | { readonly missing: readonly TablePath[] }>;
  /** Drops all that was read of the tables of an upload. */
  forget(dataset: string): Promise<void>;
}

/** Contexts whose schemas are kept. */
const MAX_CONTEXTS = 50;

/** Opens DuckDB over the mapped sources. Views and copies are created when a table is first requested. */
export async function openLocalDuckdb(config: EngineConfig): Promise<LocalDuckdb> {
  const { databases, files } = splitMappings(config.sources);
  const decodedFolder = resolve(config.spillDir, "decoded");
  const engine = await openEngine({
    databases: new Map(databases.map(({ path }, at) => [attachedDatabaseName(at), path])),
    readable: [
      ...files.map(({ path }) => (statSync(path, { throwIfNoEntry: false })?.isFile() ? dirname(path) : path)),
      ...(config.uploadDir === undefined ? [] : [config.uploadDir]),
      decodedFolder,
    ],
    memory: config.memory,
    spillDir: config.spillDir,
  });
  const created = new Map<string, CreatedTable>();
  const described = new LRUCache<string, Described>({ max: MAX_CONTEXTS });
  const internalNameOf = createInternalNames(databases.map((_, at) => attachedDatabaseName(at)));
  const list = createMappedTables(engine, databases, files);
  // Two questions about a changed file import it once.
  const inTurn = oneAtATime();
  const create = (tables: readonly MappedTable[]) =>
    inTurn(() => createTables(engine, tables, internalNameOf, created, decodedFolder));
  return {
    tables: async (project, dataset) => {
      const uploads = uploadMappings(config.uploadDir, [[project ?? "", dataset ?? ""]]);
      const { tables, errors } = await list(uploads);
      const failed = errors.find(({ prefix }) => uploads.length > 0 && prefix[1] === dataset);
      if (failed) throw failed.error;
      return {
        tables: tables
          .map(({ path }) => path)
          .filter((path) => path[0] === (project ?? path[0]) && path[1] === (dataset ?? path[1])),
        unreachable: errors.map(({ prefix, error }) => ({ source: prefix.join("."), message: error.message })),
      };
    },
    async forget(dataset) {
      const names = [...created.keys()].map((key) => key.split("\0")).filter((path) => path[1] === dataset);
      await engine.use(async (connection) => {
        for (const path of names) {
          const [database = "", schema = ""] = internalNameOf(path);
          created.delete(tableKey(path));
          await connection.run(`DROP SCHEMA IF EXISTS ${quoteName(database)}.${quoteName(schema)} CASCADE`);
        }
      });
      for (const key of described.keys())
        if ((JSON.parse(key) as TablePath[]).some((path) => path[1] === dataset)) described.delete(key);
    },
    async source(paths) {
      const { tables, errors } = await list(uploadMappings(config.uploadDir, paths));
      const find = mappedTableFinder(tables);
      const found = paths.map((path) => ({ path, table: find(path) }));
      const missing = found.flatMap(({ path, table }) => (table ? [] : [path]));
      const failed = errors.find(({ prefix }) =>
        missing.some((path) => prefix.every((part, at) => part === "*" || part === path[at])),
      );
      if (failed) throw failed.error;
      if (missing.length > 0) return { missing };
      const requested = found.flatMap(({ path, table }) => (table ? [{ ...table, path }] : []));
      rejectAmbiguousFiles(requested, tables);
      await create(requested);
      return createDuckdbSource({
        engine,
        scope: requested.map(({ path, baseTable, file, mapping }) => {
          const internalName = internalNameOf(path);
          const stored = file?.file ?? mapping.path;
          const version = () => `${stored} ${fileFingerprint(stored)}${conversionsText(mapping, path)}`;
          const keys = () => declaredKeys(path, created, requested);
          return { path, internalName, baseTable: baseTable ?? internalName, version, keys };
        }),
        described: {
          get: () => described.get(JSON.stringify(paths)),
          set: (schemas) => void described.set(JSON.stringify(paths), schemas),
        },
        refresh: () => create(requested.map(withCurrentFingerprint)),
      });
    },
  };
}

/** The keys that the file of an imported table declares; they refer to other tables of that file. */
function declaredKeys(
  path: TablePath,
  created: ReadonlyMap<string, CreatedTable>,
  requested: readonly MappedTable[],
): Pick<TableSchema, "primaryKey" | "foreignKeys"> | undefined {
  const keys = created.get(tableKey(path))?.keys;
  if (!keys) return undefined;
  const own = requested.find((one) => one.path === path);
  const foreignKeys = keys.foreignKeys.flatMap(({ columns, table, referencedColumns }) => {
    const target = requested.find(
      ({ file, mapping }) =>
        file && "inside" in file && file.inside === table && file.file === own?.file?.file && mapping === own.mapping,
    );
    return target ? [{ columns, table: target.path, referencedColumns }] : [];
  });
  return { ...(keys.primaryKey && { primaryKey: keys.primaryKey }), foreignKeys };
}
