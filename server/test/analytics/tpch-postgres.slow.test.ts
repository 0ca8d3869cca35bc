import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import pg from "pg";
import { startPostgres, type ThrowawayPostgres, withoutPostgres } from "#testing";
import { comparable } from "./comparable-rows.ts";
import { startTpch, startTpchOnPostgres, TPCH_TABLES, type Tpch } from "./start-tpch.ts";
import { tpchStatements } from "./tpch-data.ts";
import { TPCH_QUESTIONS } from "./tpch-questions.ts";

describe("questions about TPC-H at scale 0.01 on PostgreSQL, without a language model", {
  skip: withoutPostgres(),
}, () => {
  const folder = mkdtempSync(join(tmpdir(), "tpch-postgres-"));
  let server: ThrowawayPostgres;
  let onDuckdb: Tpch;
  let onPostgres: Tpch;
  before(async () => {
    server = await startPostgres();
    const file = join(folder, "tpch.duckdb");
    const instance = await DuckDBInstance.create(file);
    const connection = await instance.connect();
    const statements = tpchStatements(0.01);
    for (const statement of statements) await connection.run(statement);
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    for (const statement of statements.filter((one) => one.startsWith("CREATE TABLE"))) await client.query(statement);
    for (const table of TPCH_TABLES) await copyRows(connection, client, table);
    await client.query("ANALYZE");
    await client.end();
    connection.closeSync();
    instance.closeSync();
    onDuckdb = await startTpch(file, join(folder, "spill"));
    onPostgres = await startTpchOnPostgres(server.url);
  });
  after(async () => {
    await Promise.all([onDuckdb.close(), onPostgres.close()]);
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  for (const { question, sql } of TPCH_QUESTIONS) {
    it(`answers “${question}” as DuckDB does`, async () => {
      const rows = await onPostgres.rows(onPostgres.understand(question).sql);
      assert.deepEqual(rows.map(comparable), (await onDuckdb.rows(sql)).map(comparable));
    });
  }

  it("puts what has no number after what has one", async () => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    await client.query(
      "ALTER TABLE supplier ALTER s_acctbal DROP NOT NULL; UPDATE supplier SET s_acctbal = NULL WHERE s_suppkey <= 5",
    );
    const best = await client.query({
      text: "SELECT s_name, s_acctbal FROM supplier WHERE s_suppkey > 5 ORDER BY s_acctbal DESC LIMIT 3",
      rowMode: "array",
    });
    await client.end();
    const { sql } = onPostgres.understand("top 3 suppliers by supplier balance");
    assert.deepEqual(await onPostgres.rows(sql), best.rows);
  });
});

/** As one text of JSON, which PostgreSQL reads into its own types. */
async function copyRows(connection: DuckDBConnection, client: pg.Client, table: string): Promise<void> {
  const reader = await connection.runAndReadAll(`SELECT to_json(list(t))::VARCHAR FROM ${table} t`);
  await client.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [
    reader.getRows()[0]?.[0],
  ]);
}
