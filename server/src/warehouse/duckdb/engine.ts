import { availableParallelism } from "node:os";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { quoteName, quoteText } from "../sql-quoting.ts";
import { type AllowedFunctions, allowedFunctions } from "./statement-check/allowed-functions.ts";

interface EngineOptions {
  /** Folders with the files of tables: the only part of the disk that DuckDB may read. */
  readonly readable: readonly string[];
  /** Database files to open read-only, by the name they get. */
  readonly databases: ReadonlyMap<string, string>;
  /** Maximum memory, e.g. "1GB"; what does not fit is spilled to `spillDir`. */
  readonly memory: string;
  readonly spillDir: string;
}

/** A locked DuckDB instance: its settings cannot change, it loads no extension, and it reaches only the files listed. */
export interface Engine {
  /** Opens a connection for the work and closes it afterwards. */
  use<Result>(work: (connection: DuckDBConnection) => Promise<Result>): Promise<Result>;
  readonly functions: AllowedFunctions;
}

/** Opens DuckDB in memory, attaches the databases and locks the configuration. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const instance = await DuckDBInstance.create(":memory:", {
    threads: String(availableParallelism()),
    max_memory: options.memory,
    temp_directory: options.spillDir,
    autoinstall_known_extensions: "false",
    autoload_known_extensions: "false",
    allow_community_extensions: "false",
    allow_unsigned_extensions: "false",
  });
  const setup = await instance.connect();
  try {
    for (const [name, file] of options.databases) {
      await setup.run(`ATTACH ${quoteText(file)} AS ${quoteName(name)} (READ_ONLY)`);
    }
    await lock(setup, options);
    return {
      functions: allowedFunctions(await readFunctions(setup)),
      use: (work) => withConnection(instance, work),
    };
  } finally {
    setup.closeSync();
  }
}

/** The order matters: after external access is off nothing can be opened, after the lock nothing can be set. */
async function lock(setup: DuckDBConnection, { readable }: EngineOptions): Promise<void> {
  // Times without a zone are shown as stored; those with one are shown in UTC.
  await setup.run("SET GLOBAL TimeZone = 'UTC'");
  if (readable.length > 0) await setup.run(`SET allowed_directories = [${readable.map(quoteText).join(", ")}]`);
  await setup.run("SET enable_external_access = false");
  await setup.run("SET lock_configuration = true");
}

async function readFunctions(setup: DuckDBConnection) {
  const reader = await setup.runAndReadAll(
    "SELECT DISTINCT lower(function_name), function_type, coalesce(stability, 'CONSISTENT') FROM duckdb_functions()",
  );
  return reader.getRows().map(([name, type, stability]) => ({
    name: String(name),
    type: String(type),
    stability: String(stability),
  }));
}

async function withConnection<Result>(
  instance: DuckDBInstance,
  work: (connection: DuckDBConnection) => Promise<Result>,
): Promise<Result> {
  const connection = await instance.connect();
  try {
    return await work(connection);
  } finally {
    connection.closeSync();
  }
}
