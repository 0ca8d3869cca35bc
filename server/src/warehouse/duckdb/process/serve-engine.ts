import { LRUCache } from "lru-cache";
import type { SqlSource, TablePath } from "../../contract.ts";
import type { LocalDuckdb } from "../local-duckdb.ts";
import type { EngineApi } from "./protocol.ts";

/** Contexts whose tables were looked up last. */
const MAX_SOURCES = 200;

/** What the engine process answers, over the DuckDB that it has opened. */
export function serveEngine(duckdb: LocalDuckdb): EngineApi {
  const sources = new LRUCache<string, SqlSource>({ max: MAX_SOURCES });
  async function find(paths: readonly TablePath[]) {
    const found = await duckdb.source(paths);
    if (!("missing" in found)) sources.set(JSON.stringify(paths), found);
    return found;
  }
  /** Every context was opened before it is asked; a process that replaces another one opens it again. */
  async function sourceOf(paths: readonly TablePath[]): Promise<SqlSource> {
    const found = sources.get(JSON.stringify(paths)) ?? (await find(paths));
    if ("missing" in found)
      throw new Error(`tables are gone: ${found.missing.map((path) => path.join(".")).join(", ")}`);
    return found;
  }
  return {
    tables: (project, dataset) => duckdb.tables(project, dataset),
    open: async (paths) => {
      const found = await find(paths);
      return { missing: "missing" in found ? found.missing : [] };
    },
    describe: async (paths, signal) => (await sourceOf(paths)).describe(signal),
    distinctValues: async (paths, { table, name, limit }, signal) =>
      (await sourceOf(paths)).distinctValues(table, name, limit, signal),
    check: async (paths, { sql, parameters, views }, signal) =>
      (await sourceOf(paths)).check(sql, parameters, signal, views),
    explain: async (paths, query, signal) => (await sourceOf(paths)).explain({ ...query, signal }),
    query: async (paths, query, signal) => (await sourceOf(paths)).query({ ...query, signal }),
    forget: async (dataset) => {
      for (const key of sources.keys())
        if ((JSON.parse(key) as TablePath[]).some((path) => path[1] === dataset)) sources.delete(key);
      await duckdb.forget(dataset);
    },
  };
}
