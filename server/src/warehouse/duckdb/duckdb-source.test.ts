import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { DatasourceReferencesSchema } from "@frontdesk/protos/gda/datasource";
import type { SqlSource, Warehouse } from "../contract.ts";
import { createWarehouse } from "../create-warehouse.ts";
import { writeSample } from "../sample/write-sample.ts";

const LIMITS = { maxRows: 100, maxBytes: 100_000, timeoutMs: 5_000 };
const { signal } = new AbortController();

describe("DuckDB", () => {
  const folder = mkdtempSync(join(tmpdir(), "warehouse-"));
  let warehouse: Warehouse;
  before(async () => {
    await writeSample(join(folder, "shop.duckdb"), new Date("2026-06-30T00:00:00Z"));
    writeFileSync(join(folder, "visits.csv"), "day,visitors\n2026-06-29,12\n2026-06-30,30\n");
    warehouse = createWarehouse({
      sources: [
        { name: ["acme", "shop"], path: join(folder, "shop.duckdb") },
        { name: ["acme", "web", "visits"], path: join(folder, "visits.csv") },
      ],
      memory: "512MB",
      spillDir: join(folder, "spill"),
    });
  });
  after(async () => {
    await warehouse.close();
    rmSync(folder, { recursive: true });
  });

  async function open(...tables: readonly string[]): Promise<SqlSource> {
    const tableReferences = tables.map((table) => {
      const [datasetId = "", tableId = ""] = table.split(".");
      return { projectId: "acme", datasetId, tableId };
    });
    const source = await warehouse.open(
      create(DatasourceReferencesSchema, { references: { case: "bq", value: { tableReferences } } }),
    );
    assert.equal(source.kind, "sql");
    return source as SqlSource;
  }

  const rowsOf = async (source: SqlSource, sql: string) => (await source.query({ sql, limits: LIMITS, signal })).rows;

  it("describes columns, comments and keys of a database's tables", async () => {
    const [stores, orders] = await (await open("shop.stores", "shop.orders")).describe(signal);
    assert.deepEqual(stores?.path, ["acme", "shop", "stores"]);
    assert.deepEqual(stores?.columns[3], {
      name: "region",
      type: "STRING",
      mode: "REQUIRED",
      description: "Sales region of the store; Online for the web shop",
    });
    assert.deepEqual(orders?.foreignKeys, [
      { columns: ["store_id"], table: ["acme", "shop", "stores"], referencedColumns: ["store_id"] },
    ]);
  });

  it("finds tables by any part of their names, also beside expressions of the same name", async () => {
    const source = await open("shop.orders", "web.visits");
    const [[total]] = (await rowsOf(source, "SELECT count(*) FROM orders")) as [[string]];
    assert.ok(Number(total) > 10_000);
    assert.deepEqual(await rowsOf(source, 'SELECT count(*) FROM acme."shop".Orders'), [[total]]);
    assert.deepEqual(
      await rowsOf(source, "WITH orders AS (SELECT * FROM orders WHERE false) SELECT 'é', count(*) FROM orders"),
      [["é", "0"]],
    );
  });

  it("reads a file again when it has changed", async () => {
    const source = await open("web.visits");
    assert.deepEqual(await rowsOf(source, "SELECT sum(visitors) FROM visits"), [["42"]]);
    writeFileSync(join(folder, "visits.csv"), "day,visitors\n2026-06-29,12\n2026-06-30,30\n2026-07-01,100\n");
    await source.describe(signal);
    assert.deepEqual(await rowsOf(source, "SELECT sum(visitors) FROM visits"), [["142"]]);
  });

  it("observes limits of rows and time, and stops when the signal is aborted", async () => {
    const source = await open("shop.orders");
    const { rows, truncated } = await source.query({
      sql: "SELECT order_id FROM orders",
      limits: { ...LIMITS, maxRows: 3 },
      signal,
    });
    assert.deepEqual([rows.length, truncated], [3, true]);
    const endless = "SELECT count(*) FROM orders a, orders b, orders c, orders d";
    await assert.rejects(source.query({ sql: endless, limits: { ...LIMITS, timeoutMs: 50 }, signal }), {
      kind: "timeout",
    });
    await assert.rejects(source.query({ sql: endless, limits: LIMITS, signal: AbortSignal.timeout(50) }), {
      kind: "cancelled",
    });
  });

  it("rejects statements that are not a SELECT, and tables outside the context", async () => {
    const source = await open("shop.orders");
    const construct = async (sql: string) => {
      const check = await source.check(sql, [], signal);
      return check.kind === "rejected" ? check.construct : check.kind;
    };
    assert.equal(await construct("COPY orders TO 'x.csv'"), "COPY");
    assert.equal(await construct("SELECT * FROM read_csv('/etc/passwd')"), "read_csv()");
    assert.equal(await construct("SELECT 1; DROP TABLE orders"), "2 statements");
    assert.equal(await construct("SELECT * FROM stores"), "stores");
    assert.equal(await construct("SELECT current_setting('memory_limit')"), "current_setting()");
  });

  it("runs what an author wrote for BigQuery, with parameters, and names what it cannot translate", async () => {
    const source = await open("shop.customers", "shop.orders");
    const ask = (sql: string, city: string) =>
      source.query({
        sql,
        authored: true,
        parameters: [{ name: "city", type: "STRING", value: city }],
        limits: LIMITS,
        signal,
      });
    const own = await rowsOf(source, "SELECT count(*) FROM customers WHERE city = 'York'");
    assert.deepEqual((await ask("SELECT COUNT(*) FROM `acme.shop.customers` WHERE city = @city", "York")).rows, own);
    assert.deepEqual((await ask('SELECT COUNTIF(city = "York") FROM shop.customers', "York")).rows, own);
    await assert.rejects(ask("SELECT * FROM `acme.shop.orders` FOR SYSTEM_TIME AS OF CURRENT_TIMESTAMP()", ""), {
      kind: "rejected",
      message: /^FOR SYSTEM_TIME AS OF cannot be translated/,
    });
    assert.deepEqual((await ask("SELECT COUNT(*) FROM customers WHERE city = @city", "x' OR 1=1 --")).rows, [["0"]]);
  });

  it("names tables that are not mapped, and the setting that maps them", async () => {
    await assert.rejects(open("shop.nothing"), { message: /acme\.shop\.nothing.*warehouse\.sources/ });
  });
});
