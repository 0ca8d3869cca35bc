import { definedFields, type Logger } from "#base";
import type { ListedTables, QueryRequest, SqlSource, TablePath } from "../contract.ts";
import type { WarehouseConfig } from "../mapping/warehouse-config.ts";
import { quoteName, quoteText } from "../sql-quoting.ts";
import { DISTINCT_VALUES_MS } from "./duckdb-source.ts";
import type { CallLimits } from "./process/engine-process.ts";
import type { EngineQuery } from "./process/protocol.ts";
import { createSpillFolder } from "./process/spill-folder.ts";
import { type SupervisedEngine, superviseEngine } from "./process/supervised-engine.ts";

/** The mapped files and DuckDB databases, as tables with the names that clients use. */
export interface DuckdbWarehouse {
  /** Every mapped table as of now, or those of one project and dataset. */
  tables(project?: string, dataset?: string): Promise<ListedTables>;
  /** A source over these tables, or the names that are not mapped. */
  source(paths: readonly TablePath[]): Promise<SqlSource | { readonly missing: readonly TablePath[] }>;
  /** Drops all that was read of the tables of an upload. */
  forget(dataset: string): Promise<void>;
  close(): void;
}

/** Imports of large files take long; nothing else may. */
const IMPORT_LIMITS = { timeoutMs: 600_000 };

/** A call that has not stopped by itself after its own limit is ended with the process, after this many milliseconds. */
const GRACE_MS = 1_000;

/** Dropping tables takes less. */
const FORGET_MS = 60_000;

/** A statement is parsed and bound in less. */
const CHECK_MS = 10_000;

/** Opens DuckDB over the mapped sources, in a process of its own: a statement that is too large for the engine ends that process only. */
export async function openDuckdbWarehouse(
  { sources, memory, spillDir, uploadDir }: WarehouseConfig,
  logger?: Pick<Logger, "warn">,
): Promise<DuckdbWarehouse> {
  const spill = createSpillFolder(spillDir);
  const engine = await superviseEngine(
    { sources, memory, spillDir: spill.path, ...definedFields({ uploadDir }) },
    logger,
  ).catch((error) => {
    spill.remove();
    throw error;
  });
  return {
    tables: (project, dataset) => engine.call("tables", [project, dataset], IMPORT_LIMITS),
    async source(paths) {
      const { missing } = await engine.call("open", [paths], IMPORT_LIMITS);
      return missing.length > 0 ? { missing } : createSource(engine, paths);
    },
    forget: (dataset) => engine.call("forget", [dataset], { timeoutMs: FORGET_MS }),
    close() {
      engine.close();
      spill.remove();
    },
  };
}

/** A statement as it crosses the process boundary. */
function queryOf({ sql, authored = false, parameters = [], views = [], limits }: QueryRequest): EngineQuery {
  return { sql, authored, parameters, views, limits };
}

function limitsOf({ limits, signal }: QueryRequest): CallLimits {
  return { timeoutMs: limits.timeoutMs + GRACE_MS, signal };
}

/** The tables of one context, in the engine process. */
function createSource(engine: SupervisedEngine, paths: readonly TablePath[]): SqlSource {
  return {
    kind: "sql",
    dialect: "duckdb",
    quoteTable: (path) => path.map(quoteName).join("."),
    quoteName,
    quoteText,
    describe: (signal) => engine.call("describe", [paths], { ...IMPORT_LIMITS, signal }),
    distinctValues: (table, name, limit, signal) =>
      engine.call("distinctValues", [paths, { table, name, limit }], {
        timeoutMs: DISTINCT_VALUES_MS + GRACE_MS,
        signal,
      }),
    check: (sql, parameters, signal, views = []) =>
      engine.call("check", [paths, { sql, parameters, views }], { timeoutMs: CHECK_MS, signal }),
    explain: (request) => engine.call("explain", [paths, queryOf(request)], limitsOf(request)),
    query: async (request) => {
      request.signal.throwIfAborted();
      return engine.call("query", [paths, queryOf(request)], limitsOf(request));
    },
  };
}
