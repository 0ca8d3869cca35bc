import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, it } from "node:test";
import pg from "pg";
import { createLogger, systemClock } from "#base";
import { openStorage } from "#storage";
import { startPostgres, withoutPostgres } from "#testing";
import { SCALE_PAGE } from "../../bench/scale-page.ts";

const options = { clock: systemClock, logger: createLogger("silent") };

/** The tables in the first column of the page's table. */
function documented(): ReadonlySet<string> {
  const [, section = ""] = readFileSync(SCALE_PAGE, "utf8").split("## What grows, and what erases it");
  const rows = (section.split("\n## ")[0] ?? "").split("\n").filter((line) => line.startsWith("| `"));
  return new Set(
    rows.flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`(\w+)`/g)].map(([, name = ""]) => name)),
  );
}

/** The tables that a search index of SQLite is made of belong to it, and parts of a table of PostgreSQL to that. */
const isPart = (name: string) => /^(?:turn_words_(?!progress)|sqlite_|queue_stats_\d)/.test(name);

describe("the page about what grows says who erases from", { skip: withoutPostgres() }, () => {
  it("every table of a data folder and of a database, and names no other (DB-18)", async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), "frontdesk-tables-"));
    t.after(() => rmSync(dataDir, { recursive: true, force: true }));
    await (await openStorage({ ...options, dataDir })).close();
    const file = new DatabaseSync(join(dataDir, "frontdesk.db"), { readOnly: true });
    const inFolder = file.prepare("select name from sqlite_schema where type = 'table'").all();
    file.close();
    const postgres = await startPostgres();
    t.after(() => postgres.stop());
    await (await openStorage({ ...options, dataDir: "", database: { url: postgres.url } })).close();
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    const { rows: inDatabase } = await client.query(
      "select tablename as name from pg_tables where schemaname in ('public', 'frontdesk_jobs')",
    );
    await client.end();
    const tables = new Set(
      [...inFolder, ...inDatabase].map(({ name }) => String(name)).filter((name) => !isPart(name)),
    );
    assert.deepEqual([...documented()].toSorted(), [...tables].toSorted());
  });
});
