import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { DatasourceReferencesSchema } from "@frontdesk/protos/gda/datasource";
import type { SqlSource, Warehouse } from "../contract.ts";
import { createWarehouse } from "../create-warehouse.ts";
import { startFakeTrino } from "./__fixtures__/fake-trino.ts";

const LIMITS = { maxRows: 100, maxBytes: 1_000_000, timeoutMs: 5_000 };

describe("a Trino server, by a fake of its client protocol", () => {
  const { signal } = new AbortController();
  let server: Awaited<ReturnType<typeof startFakeTrino>>;
  let warehouse: Warehouse;
  let source: SqlSource;
  before(async () => {
    server = await startFakeTrino();
    const connectionString = () => `http://reader:hush-hush@${server.host}/hive`;
    const remote = [{ name: ["acme", "web"] as const, engine: "trino" as const, connectionString }];
    warehouse = createWarehouse({ sources: [], remote, memory: "256MB", spillDir: "/nonexistent" });
    const tableReferences = [{ projectId: "acme", datasetId: "web", tableId: "events" }];
    const opened = await warehouse.open(
      create(DatasourceReferencesSchema, { references: { case: "bq", value: { tableReferences } } }),
    );
    assert.ok(opened.kind === "sql");
    source = opened;
  });
  after(async () => {
    await warehouse.close();
    await server.stop();
  });

  const run = (sql: string, limits = {}, until = signal) =>
    source.query({ sql, limits: { ...LIMITS, ...limits }, signal: until });

  it("describes tables, columns and comments", async () => {
    const [events] = await source.describe(signal);
    assert.deepEqual(
      events?.columns.map(({ name, type, mode }) => `${name} ${type} ${mode}`),
      ["id INT64 REQUIRED", "at TIMESTAMP NULLABLE", "price NUMERIC NULLABLE", "tags STRING REPEATED"],
    );
    assert.equal(source.quoteTable(["acme", "web", "events"]), '"hive"."web"."events"');
  });

  it("reads pages until the limit, and cancels what it does not read", async () => {
    const { rows, truncated } = await run("SELECT * FROM events", { maxRows: 2 });
    assert.deepEqual(rows, [
      ["1", "2026-01-01T10:00:00.000Z", "4.50", ["a", "b"], "true"],
      ["2", null, null, null, "false"],
    ]);
    assert.deepEqual([truncated, server.calls.at(-1)?.method], [true, "DELETE"]);
    assert.deepEqual([(await run("SELECT * FROM events")).rows.length, server.calls.at(-1)?.method], [3, "GET"]);
  });

  it("sends a statement that was written anew, with the limits as properties of the session", async () => {
    const { length } = server.calls;
    await run("SELECT date_trunc('month', at) m, t.x FROM web.events e CROSS JOIN UNNEST(tags) AS t (x) -- y", {
      maxScannedBytes: 10,
    });
    const { body, headers } = server.calls[length] ?? {};
    assert.equal(
      body,
      `SELECT date_trunc( 'month' , at ) "m" , "t"."x" FROM "hive"."web"."events" "e" CROSS JOIN UNNEST( "tags" ) AS "t" ( "x" )`,
    );
    assert.equal(headers?.["x-trino-session"], "query_max_run_time=5s,query_max_scan_physical_bytes=10B");
    assert.equal(headers?.authorization, `Basic ${Buffer.from("reader:hush-hush").toString("base64")}`);
  });

  it("refuses what would write, read other tables, or call the server, before it is sent", async () => {
    const { length } = server.calls;
    for (const sql of [
      "DELETE FROM events",
      "CREATE TABLE x AS SELECT * FROM events",
      "CALL system.runtime.kill_query('x')",
      "SELECT * FROM secrets",
      "SELECT * FROM other.web.secrets",
      "TABLE secrets",
      "SELECT * FROM TABLE(system.query('DROP TABLE x'))",
      "SELECT * FROM system.runtime.queries",
      "SELECT * FROM information_schema.tables",
      "SELECT fail('x')",
      "SELECT 1; SELECT 2",
      "EXECUTE IMMEDIATE 'SELECT 1'",
      "SET SESSION x = 1",
    ])
      await assert.rejects(run(sql), { kind: /^(rejected|invalid)$/ }, sql);
    assert.equal(server.calls.length, length);
  });

  it("tells columns, the plan, and errors by their kind", async () => {
    const check = await source.check("SELECT count(*) AS n, avg(price) AS n FROM events", [], signal);
    assert.ok(check.kind === "accepted");
    assert.deepEqual(
      check.columns.map(({ name, type }) => [name, type]),
      [
        ["n", "INT64"],
        ["n_1", "FLOAT64"],
      ],
    );
    assert.match((await source.explain({ sql: "SELECT id FROM events", limits: LIMITS, signal })).plan, /TableScan/);
    for (const [column, kind] of [
      ["no_such_column", "invalid"],
      ["costly", "too-expensive"],
      ["forbidden", "permission"],
    ] as const)
      await assert.rejects(run(`SELECT ${column} FROM events`), { kind }, column);
  });

  it("cancels a query that nobody waits for, and one that takes too long", async () => {
    for (const [kind, limits] of [
      ["cancelled", {}],
      ["timeout", { timeoutMs: 50 }],
    ] as const) {
      const lost = new AbortController();
      const { length } = server.calls;
      const query = run("SELECT never_ends FROM events", limits, lost.signal);
      const polled = () => server.calls.slice(length).some(({ method }) => method === "GET");
      while (!polled()) await new Promise(setImmediate);
      if (kind === "cancelled") lost.abort();
      await assert.rejects(query, { kind });
      assert.match(`${server.calls.at(-1)?.method} ${server.calls.at(-1)?.url.pathname}`, /^DELETE .*\/wait$/);
    }
  });
});
