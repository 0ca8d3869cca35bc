import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { SqlSource, Warehouse } from "../contract.ts";
import { keepsTheContract } from "../remote/__fixtures__/engine-contract.ts";
import { LIMITS, openRemoteTables } from "../remote/__fixtures__/open-tables.ts";
import { startFakeTrino } from "./__fixtures__/fake-trino.ts";

describe("a Trino server, by a fake of its client protocol", () => {
  const { signal } = new AbortController();
  let server: Awaited<ReturnType<typeof startFakeTrino>>;
  let warehouse: Warehouse;
  let source: SqlSource;
  before(async () => {
    server = await startFakeTrino();
    const connectionString = `http://reader:hush-hush@${server.host}/hive`;
    ({ source, warehouse } = await openRemoteTables("trino", connectionString, ["events"]));
  });
  after(async () => {
    await warehouse.close();
    await server.stop();
  });

  const run = (sql: string, limits = {}) => source.query({ sql, limits: { ...LIMITS, ...limits }, signal });

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

  keepsTheContract({
    source: () => source,
    calls: () => server.calls.length,
    refused: [
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
    ],
    columns: ["SELECT count(*) AS n, avg(price) AS n FROM events", ["n INT64", "n_1 FLOAT64"]],
    plan: ["SELECT id FROM events", /TableScan/],
    errors: [
      ["SELECT no_such_column FROM events", "invalid"],
      ["SELECT costly FROM events", "too-expensive"],
      ["SELECT forbidden FROM events", "permission"],
    ],
    endless: {
      sql: "SELECT never_ends FROM events",
      watch: () => {
        const { length } = server.calls;
        const last = () => server.calls.at(-1);
        return {
          isRunning: () => server.calls.slice(length).some(({ method }) => method === "GET"),
          assertEnded: () => assert.match(`${last()?.method} ${last()?.url.pathname}`, /^DELETE .*\/wait$/),
        };
      },
    },
  });
});
