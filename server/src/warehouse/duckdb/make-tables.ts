import { basename } from "node:path";
import type { DuckDBConnection } from "@duckdb/node-api";
import { failedPrecondition } from "#status";
import type { TablePath } from "../contract.ts";
import { copyTable } from "../copied/copy-table.ts";
import { type Engine, quoteName, quoteText } from "./engine.ts";
import type { Entry } from "./entry.ts";

/** Makes views of databases and Parquet, and copies of other files and of tables inside files, unless they are there and still true. */
export async function makeTables(
  engine: Engine,
  entries: readonly Entry[],
  placeOf: (path: TablePath) => TablePath,
  made: Map<string, string>,
): Promise<void> {
  const stamped = entries.map((entry) => ({
    entry,
    place: placeOf(entry.path),
    key: entry.path.join("\0"),
    stamp: entry.file?.stamp ?? "view",
  }));
  const stale = stamped.filter(({ key, stamp }) => made.get(key) !== stamp);
  if (stale.length === 0) return;
  await engine.use(async (connection) => {
    for (const { entry, place, key, stamp } of stale) {
      await makeTable(connection, entry, place);
      made.set(key, stamp);
    }
  });
}

async function makeTable(connection: DuckDBConnection, { origin, file }: Entry, place: TablePath): Promise<void> {
  const [database = "", schema = ""] = place;
  const name = place.map(quoteName).join(".");
  await connection.run(`ATTACH IF NOT EXISTS ':memory:' AS ${quoteName(database)}`);
  await connection.run(`CREATE SCHEMA IF NOT EXISTS ${quoteName(database)}.${quoteName(schema)}`);
  if (origin)
    await connection.run(`CREATE OR REPLACE VIEW ${name} AS SELECT * FROM ${origin.map(quoteName).join(".")}`);
  if (!file) return;
  if ("read" in file) return file.read((source) => copyTable(connection, place, source));
  const rows = `SELECT * FROM ${file.reader.function}(${quoteText(oneFile(file.file))})`;
  await connection.run(`CREATE OR REPLACE ${file.reader.copied ? "TABLE" : "VIEW"} ${name} AS ${rows}`);
}

/** The engine reads `*`, `?` and `[` in a name as a pattern, which may fit other files, and `\\` in patterns as a slash. */
function oneFile(path: string): string {
  if (!/[*?[]/.test(path)) return path;
  if (!path.includes("\\")) return path.replace(/[*?[]/g, "[$&]");
  const file = basename(path);
  throw failedPrecondition(`The file ${file} has a backslash and one of * ? [ in its path; rename it.`, {
    reason: "TABLE_FILE_UNREADABLE",
    metadata: { file },
  });
}
