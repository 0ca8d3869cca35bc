import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { DuckDBInstance } from "@duckdb/node-api";
import { DatasourceReferencesSchema } from "@frontdesk/protos/gda/datasource";
import type { SqlSource, Warehouse } from "../../contract.ts";
import { createWarehouse } from "../../create-warehouse.ts";

describe("functions that a DuckDB database has made (CA-100)", () => {
  const folder = mkdtempSync(join(tmpdir(), "own-functions-"));
  const limits = { maxRows: 5, maxBytes: 100_000, timeoutMs: 5_000 };
  const { signal } = new AbortController();
  let warehouse: Warehouse;
  let source: SqlSource;
  before(async () => {
    const path = join(folder, "crm.duckdb");
    const instance = await DuckDBInstance.create(path);
    const connection = await instance.connect();
    for (const sql of [
      "CREATE TABLE stores AS SELECT 'York' AS city",
      "CREATE TABLE salaries AS SELECT 42 AS pay",
      "CREATE MACRO top_pay() AS (SELECT max(pay) FROM salaries)",
      "CREATE MACRO upper(x) AS (SELECT string_agg(table_name, ', ') FROM duckdb_tables())",
    ])
      await connection.run(sql);
    connection.closeSync();
    instance.closeSync();
    const sources = [{ name: ["acme", "crm"] as const, path, schema: "main" }];
    warehouse = createWarehouse({ sources, memory: "256MB", spillDir: join(folder, "spill") });
    const tableReferences = [{ projectId: "acme", datasetId: "crm", tableId: "stores" }];
    const references = create(DatasourceReferencesSchema, { references: { case: "bq", value: { tableReferences } } });
    const opened = await warehouse.open(references);
    assert.ok(opened.kind === "sql");
    source = opened;
  });
  after(async () => {
    await warehouse.close();
    rmSync(folder, { recursive: true });
  });

  it("are not called: they may read what the context has not", async () => {
    for (const sql of [
      `SELECT "attached~0".main.upper('x')`,
      `SELECT "ATTACHED~0".upper(city) FROM stores`,
      `SELECT "attached~0".main.top_pay()`,
      `SELECT list_transform(['x'], lambda x: "attached~0".main.upper(x))`,
      `SELECT city FROM stores ORDER BY "attached~0".main.top_pay()`,
    ])
      await assert.rejects(source.query({ sql, limits, signal }), /is not allowed/, sql);
    const { rows } = await source.query({ sql: "SELECT upper(city), city.upper() FROM stores", limits, signal });
    assert.deepEqual(rows, [["YORK", "YORK"]]);
  });

  it("are not proposed in errors", async () => {
    const sql = "SELECT top_payy()";
    await assert.rejects(source.query({ sql, limits, signal }), (error: Error) => {
      assert.match(error.message, /top_payy does not exist/);
      assert.doesNotMatch(error.message, /attached|top_pay\b/);
      return true;
    });
    await assert.rejects(source.query({ sql: "SELECT lowerr('x')", limits, signal }), /Did you mean "lower"/);
  });
});
