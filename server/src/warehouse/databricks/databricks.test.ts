import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { SqlSource, Warehouse } from "../contract.ts";
import { keepsTheContract } from "../remote/__fixtures__/engine-contract.ts";
import { LIMITS, openRemoteTables, openTables, warehouseOf } from "../remote/__fixtures__/open-tables.ts";
import { startFakeDatabricks } from "./__fixtures__/fake-databricks.ts";
import { readDatabricksAddress } from "./login.ts";

describe("a Databricks workspace, by a fake of its API of statements", () => {
  const { signal } = new AbortController();
  let server: Awaited<ReturnType<typeof startFakeDatabricks>>;
  let warehouse: Warehouse;
  let source: SqlSource;
  before(async () => {
    server = await startFakeDatabricks();
    const connectionString = `http://token:hush-hush@${server.host}/main/web?warehouse=small`;
    ({ source, warehouse } = await openRemoteTables("databricks", connectionString, ["events", "users"]));
  });
  after(async () => {
    await warehouse.close();
    await server.stop();
  });

  const run = (sql: string, limits = {}) => source.query({ sql, limits: { ...LIMITS, ...limits }, signal });
  const called = (at: number) => `${server.calls.at(at)?.method} ${server.calls.at(at)?.url.pathname}`;

  it("describes tables with comments and declared keys", async () => {
    const [events, users] = await source.describe(signal);
    assert.equal(events?.description, "What happened");
    assert.deepEqual(
      events?.columns.map(({ name, type, mode }) => `${name} ${type} ${mode}`),
      [
        "id INT64 REQUIRED",
        "at TIMESTAMP NULLABLE",
        "price NUMERIC NULLABLE",
        "user_id INT64 NULLABLE",
        "tags STRING REPEATED",
      ],
    );
    assert.deepEqual(users?.primaryKey, ["id"]);
    assert.deepEqual(events?.foreignKeys, [
      { columns: ["user_id"], table: ["acme", "web", "users"], referencedColumns: ["id"] },
    ]);
  });

  it("returns cells in the form of the API, from as many chunks as are needed", async () => {
    const { rows, truncated } = await run("SELECT * FROM events WHERE slow", { maxRows: 1 });
    const moments = ["2026-01-01T10:00:00.500Z", "2026-01-01T10:00:00.5", "2026-01-01"];
    assert.deepEqual(rows, [["1", ...moments, "4.50", "true", ["a", "b"], '{"a":1}']]);
    assert.equal(truncated, true);
    assert.match(called(-1), /\/result\/chunks\/1$/);
    const all = await run("SELECT * FROM events");
    assert.deepEqual([all.rows.length, all.truncated], [3, false]);
    assert.equal((await run("SELECT large FROM events")).truncated, true);
  });

  it("sends a statement that was written anew, with limits that Databricks keeps", async () => {
    const { length } = server.calls;
    const text = "a'b $ {spark.x}".replace(" {", "{");
    await run(
      `SELECT date_trunc('MONTH', at) m, e.id FROM web.events AS e WHERE kind = "${text}" QUALIFY rank() OVER (ORDER BY id) = 1 -- x`,
    );
    const { body, headers } = server.calls[length] ?? {};
    const { statement, ...rest } = JSON.parse(body ?? "");
    assert.equal(
      statement,
      "SELECT date_trunc( 'MONTH' , `at` ) `m` , `e`.`id` FROM `main`.`web`.`events` AS `e` WHERE `kind` = 'a\\'b $\\{spark.x}' QUALIFY rank( ) OVER ( ORDER BY `id` ) = 1",
    );
    assert.deepEqual(rest, {
      ...{ warehouse_id: "small", wait_timeout: "0s", on_wait_timeout: "CONTINUE" },
      ...{ disposition: "INLINE", format: "JSON_ARRAY", row_limit: 101, byte_limit: 25_165_824 },
    });
    assert.equal(headers?.authorization, "Bearer hush-hush");
  });

  keepsTheContract({
    source: () => source,
    calls: () => server.calls.length,
    refused: [
      "DELETE FROM events",
      "CREATE TABLE x AS SELECT * FROM events",
      "SELECT * FROM secrets",
      "SELECT * FROM main.information_schema.tables",
      "SELECT * FROM delta.`s3://x/y`",
      "SELECT * FROM read_files('/Volumes/x')",
      "SELECT * FROM range(10)",
      "SELECT secret('scope', 'key') FROM events",
      "SELECT ai_query('model', 'x') FROM events",
      "SELECT http_request('x') FROM events",
      "SELECT reflect('java.lang.System', 'exit', 1)",
      "SELECT current_user()",
      "SELECT input_file_name() FROM events",
      "SELECT * FROM events VERSION AS OF 1",
      "SELECT * FROM IDENTIFIER('main.web.secrets')",
      "SELECT TRANSFORM(id) USING 'cat' FROM events",
      "FROM events SELECT *",
      "SELECT /*+ x */ * FROM events",
      "SELECT 1; DROP TABLE events",
      "SHOW TABLES",
      "SET spark.x = 1",
    ],
    columns: ["SELECT count(*) AS n, avg(price) AS n FROM events", ["n INT64", "n_1 FLOAT64"]],
    plan: ["SELECT id FROM events", /PhotonScan/],
    errors: [
      ["SELECT no_such_column FROM events", "invalid"],
      ["SELECT forbidden FROM events", "permission"],
      ["SELECT broken FROM events", "failed"],
    ],
    endless: {
      sql: "SELECT never_ends FROM events",
      watch: () => {
        const { length } = server.calls;
        return {
          isRunning: () => server.calls.slice(length).some(({ method }) => method === "GET"),
          assertEnded: () => assert.match(called(-1), /^POST \/api\/2\.0\/sql\/statements\/\d+\/cancel$/),
        };
      },
    },
  });

  it("gets a token for a service principal once, and tells when it may not ask", async () => {
    const at = (query: string) => () => `http://robot:hush-hush@${server.host}/main/web?warehouse=${query}`;
    const robots = warehouseOf({
      remote: [
        { name: ["acme", "web"], engine: "databricks", connectionString: at("small") },
        { name: ["acme", "gone"], engine: "databricks", connectionString: at("gone") },
      ],
    });
    const { length } = server.calls;
    const robot = await openTables(robots, ["acme", "web"], ["events"]);
    await robot.query({ sql: "SELECT id FROM events", limits: LIMITS, signal });
    const [grant, ...calls] = server.calls.slice(length);
    assert.equal(grant?.body, "grant_type=client_credentials&scope=all-apis");
    assert.equal(grant?.headers.authorization, `Basic ${Buffer.from("robot:hush-hush").toString("base64")}`);
    assert.deepEqual([...new Set(calls.map(({ headers }) => headers.authorization))], ["Bearer granted"]);
    await assert.rejects(openTables(robots, ["acme", "gone"], ["events"]), {
      message: /permission to use the SQL Warehouse/,
    });
    await robots.close();
  });

  it("sends no secret without TLS, and shows none in errors", () => {
    for (const text of [
      "http://token:hush@x.example.com/main?warehouse=1",
      "https://token:hush@x.example.com/main",
      "token:hush@x",
    ])
      assert.throws(() => readDatabricksAddress({ connectionString: () => text }), { message: /^(?!.*hush)/ }, text);
  });
});
