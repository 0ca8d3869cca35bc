import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { SqlSource, Warehouse } from "../contract.ts";
import { keepsTheContract } from "../remote/__fixtures__/engine-contract.ts";
import { LIMITS, openRemoteTables } from "../remote/__fixtures__/open-tables.ts";
import { startFakeClickHouse } from "./__fixtures__/fake-clickhouse.ts";

describe("a ClickHouse server, by a fake of its HTTP interface", () => {
  const { signal } = new AbortController();
  let server: Awaited<ReturnType<typeof startFakeClickHouse>>;
  let warehouse: Warehouse;
  let source: SqlSource;
  before(async () => {
    server = await startFakeClickHouse();
    const connectionString = `http://reader:hush-hush@${server.host}/shop`;
    ({ source, warehouse } = await openRemoteTables("clickhouse", connectionString, ["events"]));
  });
  after(async () => {
    await warehouse.close();
    await server.stop();
  });

  const run = (sql: string, limits = {}) => source.query({ sql, limits: { ...LIMITS, ...limits }, signal });
  const lastCall = () => server.calls.at(-1);

  it("describes tables, columns and comments, and takes no order of rows for a key", async () => {
    const [events] = await source.describe(signal);
    assert.deepEqual([events?.description, events?.rowCount, events?.primaryKey], ["What happened", 1000, undefined]);
    assert.deepEqual(
      events?.columns.map(({ name, type, mode }) => `${name} ${type} ${mode}`),
      [
        "id INT64 REQUIRED",
        "kind STRING NULLABLE",
        "at TIMESTAMP REQUIRED",
        "day DATE REQUIRED",
        "price NUMERIC NULLABLE",
        "tags STRING REPEATED",
        "ok BOOL REQUIRED",
      ],
    );
  });

  it("returns cells in the form of the API, and cuts at the limit", async () => {
    const { rows, truncated } = await run("SELECT * FROM events", { maxRows: 2 });
    assert.deepEqual(rows, [
      ["18446744073709551615", "view", "2026-01-01T10:00:00Z", "2026-01-01", "4.50", ["a", "b"], "true"],
      ["2", null, "2026-01-01T11:00:00Z", "2026-01-01", null, [], "false"],
    ]);
    assert.ok(truncated);
    assert.deepEqual(await source.distinctValues(["acme", "web", "events"], "kind", 5, signal), ["view", "click"]);
  });

  it("sends a statement that was written anew, with settings that only read, and limits for the server", async () => {
    await run("SELECT toStartOfMonth(at) m, count(*) FROM web.events e WHERE e.kind = 'a\\'b' /* x */ GROUP BY m", {
      maxScannedBytes: 10,
    });
    const { body, url, headers } = lastCall() ?? {};
    assert.equal(
      body,
      "SELECT toStartOfMonth( `at` ) `m` , count( * ) FROM `shop`.`events` `e` WHERE `e`.`kind` = 'a\\'b' GROUP BY `m`",
    );
    const settings = Object.fromEntries(url?.searchParams ?? []);
    const { readonly, max_result_rows, max_execution_time, max_bytes_to_read, join_use_nulls } = settings;
    assert.deepEqual(
      [readonly, max_result_rows, max_execution_time, max_bytes_to_read, join_use_nulls],
      ["2", "101", "5", "10", "1"],
    );
    assert.deepEqual([headers?.["x-clickhouse-user"], headers?.["x-clickhouse-key"]], ["reader", "hush-hush"]);
    assert.equal(url?.search.includes("hush-hush"), false);
  });

  keepsTheContract({
    source: () => source,
    calls: () => server.calls.length,
    refused: [
      "INSERT INTO events SELECT * FROM events",
      "SELECT * FROM secrets",
      "SELECT * FROM shop.secrets",
      "SELECT * FROM url('http://x', CSV, 'a String')",
      "SELECT * FROM file('/etc/passwd')",
      "SELECT * FROM remote('x', shop.secrets)",
      "SELECT id IN secrets FROM events",
      "SELECT id IN (secrets) FROM events",
      "SELECT id NOT IN (shop.secrets) FROM events",
      "SELECT dictGet('d', 'a', 1)",
      "SELECT joinGet('shop.secrets', 'word', 1)",
      "SELECT currentUser()",
      "SELECT sleep(3)",
      "SELECT * FROM system.users",
      "SELECT 1; DROP TABLE events",
      "SYSTEM SHUTDOWN",
      "SELECT * FROM events FORMAT CSV",
      "SELECT * FROM events INTO OUTFILE 'x'",
    ],
    columns: ["SELECT count(*) AS n, avg(price) AS n FROM events", ["n INT64", "n_1 FLOAT64"]],
    plan: ["SELECT count(*) FROM events", /ReadFromMergeTree \(shop\.events\)/],
    errors: [
      ["SELECT no_such_column FROM events", "invalid"],
      ["SELECT costly FROM events", "too-expensive"],
      ["SELECT forbidden FROM events", "permission"],
      ["SELECT breaks_off FROM events", "failed"],
    ],
    endless: {
      sql: "SELECT never_ends FROM events",
      watch: () => {
        const { length } = server.calls;
        const sent = () => server.calls.slice(length);
        const id = () =>
          sent()
            .find(({ body }) => body.includes("never_ends"))
            ?.url.searchParams.get("query_id");
        return {
          isRunning: () => id() !== undefined,
          assertEnded: () => assert.equal(lastCall()?.body, `KILL QUERY WHERE query_id = '${id()}' ASYNC`),
        };
      },
    },
  });

  it("takes words that a question does not have for names", async () => {
    await run("SELECT 1 SETTINGS readonly = 0");
    assert.equal(lastCall()?.body, "SELECT 1 `SETTINGS` `readonly` = 0");
  });

  it("tells the reason of the server without its numbers", async () => {
    await assert.rejects(run("SELECT no_such_column FROM events"), { message: /^Unknown expression identifier/ });
  });
});
