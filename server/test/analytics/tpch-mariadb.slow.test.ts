import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { DuckDBInstance } from "@duckdb/node-api";
import { createConnection } from "mysql2/promise";
import { startMariaDb, type ThrowawayMariaDb, withoutMariaDb } from "#testing";
import { comparable } from "./comparable-rows.ts";
import { startTpch, startTpchOnMariaDb, TPCH_TABLES, type Tpch } from "./start-tpch.ts";
import { tpchStatements } from "./tpch-data.ts";
import { TPCH_QUESTIONS } from "./tpch-questions.ts";

describe("questions about TPC-H at scale 0.01 on MariaDB, without a language model", { skip: withoutMariaDb() }, () => {
  const folder = mkdtempSync(join(tmpdir(), "tpch-mariadb-"));
  let server: ThrowawayMariaDb;
  let onDuckdb: Tpch;
  let onMariaDb: Tpch;
  before(async () => {
    server = await startMariaDb();
    const file = join(folder, "tpch.duckdb");
    const instance = await DuckDBInstance.create(file);
    const connection = await instance.connect();
    const client = await createConnection(server.url);
    await client.query("CREATE DATABASE tpch");
    await client.query("USE tpch");
    chmodSync(folder, 0o755);
    const statements = tpchStatements(0.01);
    for (const statement of statements) await connection.run(statement);
    for (const sql of statements.filter((one) => one.startsWith("CREATE TABLE")))
      await client.query(sql.replaceAll("VARCHAR", "VARCHAR(100)"));
    for (const table of TPCH_TABLES) {
      const rows = join(folder, `${table}.tsv`);
      await connection.run(`COPY ${table} TO '${rows}' (FORMAT csv, DELIMITER '\t', HEADER false)`);
      await client.query(
        `LOAD DATA INFILE '${rows}' INTO TABLE ${table} FIELDS TERMINATED BY '\\t' OPTIONALLY ENCLOSED BY '"'`,
      );
    }
    await client.query(`ANALYZE TABLE ${TPCH_TABLES.join(", ")}`);
    await client.end();
    connection.closeSync();
    instance.closeSync();
    onDuckdb = await startTpch(file, join(folder, "spill"));
    onMariaDb = await startTpchOnMariaDb(server.url);
  });
  after(async () => {
    await Promise.all([onDuckdb.close(), onMariaDb.close()]);
    await server.stop();
    rmSync(folder, { recursive: true });
  });

  it("says that MySQL has no median", () => {
    assert.match(JSON.stringify(onMariaDb.interpret("median order value")), /computes no median/);
  });

  for (const { question, sql } of TPCH_QUESTIONS.filter((one) => !one.question.includes("median"))) {
    it(`answers “${question}” as DuckDB does`, async () => {
      const rows = await onMariaDb.rows(onMariaDb.understand(question).sql);
      assert.deepEqual(rows.map(comparable), (await onDuckdb.rows(sql)).map(comparable));
    });
  }
});
