import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { Client } from "pg";
import { startPostgres, type ThrowawayPostgres, withoutPostgres } from "#testing";
import type { SqlSource, Warehouse } from "../contract.ts";
import {
  acceptsQuestions,
  assertNoPassword,
  endlessJoin,
  endsStatements,
  readsInBoundedMemory,
  rejectsEffects,
} from "../remote/__fixtures__/engine-contract.ts";
import { LIMITS, openInstanceTables, openTables, warehouseOf } from "../remote/__fixtures__/open-tables.ts";
import { REJECTED_STATEMENTS } from "./__fixtures__/rejected-statements.ts";

const TABLES = `
  CREATE TABLE stores (store_id int PRIMARY KEY, name text NOT NULL, opened date);
  COMMENT ON TABLE stores IS 'Where we sell';
  COMMENT ON COLUMN stores.name IS 'As on the sign';
  CREATE TABLE orders (order_id bigint PRIMARY KEY, store_id int NOT NULL REFERENCES stores, status varchar(20), total numeric(12, 2),
    at timestamptz, tags text[], details jsonb, paid boolean, raw bytea);
  INSERT INTO stores VALUES (1, 'York', '2020-01-02'), (2, 'Leeds', NULL);
  INSERT INTO orders SELECT n, 1 + n % 2, CASE WHEN n % 10 = 0 THEN 'Cancelled' ELSE 'Delivered' END, n * 1.5,
    timestamptz '2026-01-01 10:00:00+00' + n * interval '1 hour', ARRAY['a', 'b,"c'], '{"k": 1}', n % 3 = 0, '\\x0102' FROM generate_series(1, 1000) n;
  CREATE TABLE secrets (word text);
  INSERT INTO secrets VALUES ('hush');
  CREATE FUNCTION leak() RETURNS text LANGUAGE sql SECURITY DEFINER AS 'SELECT word FROM public.secrets';
  CREATE SEQUENCE s;
  CREATE VIEW my_orders WITH (security_barrier) AS SELECT * FROM orders WHERE store_id = nullif(current_setting('psv.store', true), '')::int;
  CREATE TABLE "Odd.Name-1" ("a b" int, "select" text);
  INSERT INTO "Odd.Name-1" VALUES (1, 'x');
  ANALYZE;`;

/** Questions of every form that people and models write. */
const QUESTIONS = [
  "SELECT count(*) FROM orders",
  "TABLE stores",
  "SELECT * FROM ONLY orders LIMIT 1",
  "SELECT o.status, sum(o.total)::numeric(12,2) AS t FROM public.orders AS o GROUP BY 1 ORDER BY t DESC NULLS LAST",
  'SELECT s."name", count(DISTINCT o.order_id) FROM orders o JOIN stores s USING (store_id) GROUP BY s.name',
  'SELECT orders.total FROM acme /* x */ . "shop" -- y\n . orders ORDER BY orders.total LIMIT 1',
  "WITH orders AS (SELECT * FROM orders WHERE paid) SELECT count(*) FROM orders",
  "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5) SELECT * FROM t",
  "SELECT date_trunc('month', at)::date AS m, extract(year FROM at), at AT TIME ZONE 'Europe/Berlin' FROM orders LIMIT 1",
  "SELECT * FROM (SELECT *, row_number() OVER (PARTITION BY store_id ORDER BY total DESC) AS k FROM orders) ranked WHERE k <= 2",
  "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total), count(*) FILTER (WHERE paid) FROM orders",
  "SELECT * FROM orders o WHERE EXISTS (SELECT 1 FROM stores s WHERE s.store_id = o.store_id AND s.name ILIKE 'y%') LIMIT 1",
  "SELECT orders.* FROM orders, stores AS orders2 WHERE orders.store_id = orders2.store_id LIMIT 1",
  "SELECT a.order_id FROM orders a JOIN orders b ON a.order_id = b.order_id + 1 CROSS JOIN LATERAL (SELECT b.total) l LIMIT 1",
  "SELECT status, grouping(status), count(*) FROM orders GROUP BY ROLLUP (status)",
  "SELECT u.v FROM orders, unnest(tags) WITH ORDINALITY AS u(v, i) LIMIT 2",
  "SELECT details->>'k', details @> '{\"k\": 1}', tags[1], coalesce(status, 'x'), nullif(1, 1), greatest(1, 2) FROM orders LIMIT 1",
  "SELECT CASE WHEN paid THEN 'y' ELSE 'n' END, position('a' IN status), substring(status FROM 1 FOR 2), trim(both ' ' FROM status) FROM orders LIMIT 1",
  "SELECT g::date FROM generate_series(date '2026-01-01', date '2026-01-03', interval '1 day') AS g",
  "SELECT 'DROP TABLE orders; pg_read_file(''x'')' AS text, E'a\\'b', $q$SELECT '$q$, U&'d\\0061t'",
  "SELECT 'ünïcödé ☕', order_id FROM orders WHERE status LIKE '%a%' LIMIT 1",
  "(SELECT 1) UNION (SELECT 2) EXCEPT (SELECT 3) INTERSECT (SELECT 1) ORDER BY 1",
  "SELECT current_date, now(), localtimestamp, interval '1 day'",
  "SELECT count(*) FROM orders TABLESAMPLE bernoulli (50)",
  "SELECT ROW(1, 2) = (1, 2), ARRAY[1, 2] || 3, 1 = ANY(ARRAY[1]), store_id IN (SELECT store_id FROM stores) FROM orders LIMIT 1;",
];

describe("a PostgreSQL database", { skip: withoutPostgres() }, () => {
  const { signal } = new AbortController();
  let server: ThrowawayPostgres;
  let warehouse: Warehouse;
  let owner: Client;
  before(async () => {
    server = await startPostgres();
    const { default: pg } = await import("pg");
    owner = new pg.Client({ connectionString: server.url });
    await owner.connect();
    await owner.query(TABLES);
    warehouse = warehouseOf({
      postgres: [
        { name: ["acme", "shop"], connectionString: () => server.url },
        { name: ["acme/eu/main", "crm"], connectionString: () => server.url, schema: "public" },
        { name: ["gone", "db"], connectionString: () => "postgresql://x:hush-hush@127.0.0.1:1/db" },
      ],
    });
  });
  after(async () => {
    await warehouse.close();
    await owner.end();
    await server.stop();
  });

  const open = (...tables: readonly string[]) => openTables(warehouse, ["acme", "shop"], tables);
  const openBoth = () => open("orders", "stores");
  /** How many statements of ours the server runs. */
  const running = async (): Promise<number> => {
    const sql =
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE state = 'active' AND application_name = 'frontdesk' AND query LIKE 'FETCH%'";
    return (await owner.query(sql)).rows[0]?.n;
  };
  const rowsOf = async (source: SqlSource, sql: string) => (await source.query({ sql, limits: LIMITS, signal })).rows;

  rejectsEffects(REJECTED_STATEMENTS, openBoth);

  it("rejects before the server what would have an effect there", async () => {
    const source = await open("orders", "stores");
    for (const sql of [...(REJECTED_STATEMENTS["read files"] ?? []), ...(REJECTED_STATEMENTS["run code"] ?? [])]) {
      assert.equal((await source.check(sql, [], signal)).kind, "rejected", sql);
    }
  });

  acceptsQuestions(QUESTIONS, openBoth);

  it("describes columns, comments, keys and approximate row counts", async () => {
    const [orders, stores] = await (await open("orders", "stores")).describe(signal);
    assert.deepEqual(stores, {
      path: ["acme", "shop", "stores"],
      description: "Where we sell",
      columns: [
        { name: "store_id", type: "INT64", mode: "REQUIRED" },
        { name: "name", type: "STRING", mode: "REQUIRED", description: "As on the sign" },
        { name: "opened", type: "DATE", mode: "NULLABLE" },
      ],
      primaryKey: ["store_id"],
      rowCount: 2,
    });
    assert.deepEqual(
      orders?.columns.map(({ name, type, mode }) => [name, type, mode]),
      [
        ["order_id", "INT64", "REQUIRED"],
        ["store_id", "INT64", "REQUIRED"],
        ["status", "STRING", "NULLABLE"],
        ["total", "NUMERIC", "NULLABLE"],
        ["at", "TIMESTAMP", "NULLABLE"],
        ["tags", "STRING", "REPEATED"],
        ["details", "JSON", "NULLABLE"],
        ["paid", "BOOL", "NULLABLE"],
        ["raw", "BYTES", "NULLABLE"],
      ],
    );
    assert.deepEqual(orders?.foreignKeys, [
      { columns: ["store_id"], table: ["acme", "shop", "stores"], referencedColumns: ["store_id"] },
    ]);
    assert.equal(orders?.rowCount, 1000);
  });

  it("returns cells in the form of the API, and the values of a column", async () => {
    const source = await open("orders", "stores");
    assert.deepEqual(
      await rowsOf(
        source,
        "SELECT order_id, total, at, tags, details, paid, raw, NULL AS x, date '2026-01-02' FROM orders WHERE order_id = 3",
      ),
      [["3", "4.50", "2026-01-01T13:00:00Z", ["a", 'b,"c'], '{"k": 1}', "true", "AQI=", null, "2026-01-02"]],
    );
    assert.deepEqual(await source.distinctValues(["acme", "shop", "orders"], "status", 5, signal), [
      "Delivered",
      "Cancelled",
    ]);
    assert.equal(await source.distinctValues(["acme", "shop", "orders"], "order_id", 5, signal), undefined);
  });

  it("binds parameters, and never reads them as part of the statement", async () => {
    const source = await open("orders");
    const execute = async (value: string) => {
      const sql =
        "SELECT count(*) FROM orders WHERE status = @status AND order_id < @top AND '@top' <> status -- @status";
      const parameters = [
        { name: "status", type: "STRING", value },
        { name: "top", type: "INT64", value: "101" },
      ];
      return (await source.query({ sql, authored: true, parameters, limits: LIMITS, signal })).rows;
    };
    assert.deepEqual(await execute("Cancelled"), [["10"]]);
    assert.deepEqual(await execute("x' OR 1=1 --"), [["0"]]);
  });

  it("explains a statement without running it, and no statement that it would not run", async () => {
    const source = await open("orders");
    const explain = (sql: string) => source.explain({ sql, limits: LIMITS, signal });
    assert.match(
      (await explain("SELECT status, count(*) FROM orders GROUP BY 1")).plan,
      /Aggregate[\s\S]*Scan on orders/,
    );
    await assert.rejects(explain("DELETE FROM orders"), { kind: "rejected" });
    await assert.rejects(explain("ANALYZE SELECT 1"), { name: "QueryError" });
  });

  it("says that a verified query is in another dialect, rather than where its parser stopped", async () => {
    const source = await open("orders");
    for (const sql of [
      "SELECT count(*) FROM `acme.shop.orders`",
      "SELECT SAFE_CAST(order_id AS INT64) FROM orders",
      "SELECT DATE_TRUNC(now(), MONTH) FROM orders",
    ])
      await assert.rejects(source.query({ sql, authored: true, limits: LIMITS, signal }), {
        kind: "rejected",
        message: /written in GoogleSQL, .* write it for PostgreSQL/,
      });
  });

  it("observes limits of rows, bytes and time, cancels on the server, and works afterwards", async () => {
    const source = await open("orders");
    const run = (sql: string, limits = {}, until = signal) =>
      source.query({ sql, limits: { ...LIMITS, ...limits }, signal: until });
    const endless = "SELECT count(*) FROM orders a, orders b, orders c, orders d";
    assert.deepEqual((await run("SELECT order_id FROM orders ORDER BY 1", { maxRows: 2 })).rows, [["1"], ["2"]]);
    const { rows, truncated } = await run("SELECT repeat('x', 1000) FROM orders", { maxBytes: 10_000 });
    assert.deepEqual([rows.length, truncated], [9, true]);
    await assert.rejects(run(endless, { timeoutMs: 100 }), { kind: "timeout" });
    await assert.rejects(run(endless, {}, AbortSignal.timeout(100)), { kind: "cancelled" });
    await assert.rejects(run("SELECT repeat('x', 100000000)", { timeoutMs: 30_000 }), {
      kind: "failed",
      message: /more than/,
    });
    assert.deepEqual(await rowsOf(source, "SELECT count(*) FROM orders"), [["1000"]]);
  });

  endsStatements(openBoth, endlessJoin(running));

  readsInBoundedMemory("SELECT a.order_id, b.status FROM orders a, orders b", openBoth);

  it("finds a database by its instance and shows all of its tables where none is named", async () => {
    const source = await openInstanceTables(warehouse, [], 1);
    const tables = (await source.describe(signal)).map(({ path }) => path.join("|"));
    assert.deepEqual(
      tables,
      ["Odd.Name-1", "my_orders", "orders", "secrets", "stores"].map((table) => `acme|crm|${table}`),
    );
    assert.deepEqual(await rowsOf(source, 'SELECT "a b", "select" FROM "Odd.Name-1"'), [["1", "x"]]);
    assert.equal(source.quoteTable(["acme", "crm", "Odd.Name-1"]), '"public"."Odd.Name-1"');
  });

  it("passes parameters to secure views, which a statement can neither read nor set", async () => {
    const source = await openInstanceTables(warehouse, ["my_orders"], 1, { store: "1" });
    assert.deepEqual(await rowsOf(source, "SELECT count(*), max(store_id) FROM my_orders"), [["500", "1"]]);
    const other = await openInstanceTables(warehouse, ["my_orders"], 1, { store: "7' OR true --" });
    await assert.rejects(rowsOf(other, "SELECT count(*) FROM my_orders"), { kind: "invalid" });
    assert.deepEqual(
      await rowsOf(await openInstanceTables(warehouse, ["my_orders"], 1), "SELECT count(*) FROM my_orders"),
      [["0"]],
    );
    await assert.rejects(openInstanceTables(warehouse, ["my_orders"], 1, { "search_path = x": "1" }), {
      message: /letters, digits/,
    });
  });

  it("names what does not exist, and shows no password", async () => {
    await assert.rejects(open("nothing"), { message: /acme\.shop\.nothing/ });
    await assert.rejects(openInstanceTables(warehouse, [], 2), { message: /engine says mysql/ });
    await assertNoPassword(openTables(warehouse, ["gone", "db"], ["t"]), /cannot be reached/);
  });
});

describe("a PostgreSQL database whose password is changed", { skip: withoutPostgres() }, () => {
  it("is read with the next one when its file has it, without a restart", async (t) => {
    const server = await startPostgres({ password: "first" });
    const { default: pg } = await import("pg");
    const owner = new pg.Client({ connectionString: server.url });
    t.after(() => owner.end().then(() => server.stop()));
    await owner.connect();
    await owner.query("CREATE TABLE stores (store_id int)");
    let password = "first";
    const connectionString = () => server.url.replace(":first@", `:${password}@`);
    const warehouse = warehouseOf({ postgres: [{ name: ["acme", "shop"], connectionString, schema: "public" }] });
    const source = await openTables(warehouse, ["acme", "shop"], ["stores"]);
    const count = () => source.query({ sql: "SELECT count(*) FROM stores", limits: LIMITS, signal: t.signal });
    assert.deepEqual((await count()).rows, [["0"]]);
    await owner.query("ALTER ROLE owner PASSWORD 'second'");
    await owner.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'frontdesk'");
    password = "second";
    assert.deepEqual((await count()).rows, [["0"]]);
    await warehouse.close();
  });
});
