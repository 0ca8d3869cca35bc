import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { startPostgres, withoutPostgres } from "#testing";
import type { SqlSource, Warehouse } from "../contract.ts";
import { endlessJoin, keepsTheContract } from "../remote/__fixtures__/engine-contract.ts";
import { LIMITS, openRemoteTables } from "../remote/__fixtures__/open-tables.ts";
import { checkStatement } from "../remote/statement/check-statement.ts";
import { readRedshiftAddress } from "./connection-string.ts";
import { REDSHIFT_DIALECT } from "./dialect.ts";

const TABLES = `
  CREATE TABLE stores (store_id int PRIMARY KEY, name text NOT NULL);
  COMMENT ON COLUMN stores.name IS 'As on the sign';
  CREATE TABLE orders (order_id bigint PRIMARY KEY, store_id int NOT NULL REFERENCES stores, total numeric(12, 2), at timestamptz, paid boolean);
  CREATE TABLE secrets (word text);
  INSERT INTO stores VALUES (1, 'York'), (2, 'Leeds');
  INSERT INTO orders SELECT n, 1 + n % 2, n * 1.5, timestamptz '2026-01-01 10:00:00+00' + n * interval '1 hour', n % 3 = 0 FROM generate_series(1, 1000) n;`;

describe("a Redshift database, by a PostgreSQL with its catalog", { skip: withoutPostgres() }, () => {
  const { signal } = new AbortController();
  let server: Awaited<ReturnType<typeof startPostgresAsRedshift>>;
  let warehouse: Warehouse;
  let source: SqlSource;
  before(async () => {
    server = await startPostgresAsRedshift(TABLES);
    ({ source, warehouse } = await openRemoteTables("redshift", server.connectionString, ["orders", "stores"]));
  });
  after(async () => {
    await warehouse.close();
    await server.stop();
  });

  const run = (sql: string, limits = {}) => source.query({ sql, limits: { ...LIMITS, ...limits }, signal });

  it("describes tables with comments and declared keys", async () => {
    const [orders, stores] = await source.describe(signal);
    assert.deepEqual(
      orders?.columns.map(({ name, type, mode }) => `${name} ${type} ${mode}`),
      [
        "order_id INT64 REQUIRED",
        "store_id INT64 REQUIRED",
        "total NUMERIC NULLABLE",
        "at TIMESTAMP NULLABLE",
        "paid BOOL NULLABLE",
      ],
    );
    assert.deepEqual(orders?.foreignKeys, [
      { columns: ["store_id"], table: ["acme", "web", "stores"], referencedColumns: ["store_id"] },
    ]);
    assert.deepEqual([stores?.primaryKey, stores?.columns[1]?.description], [["store_id"], "As on the sign"]);
  });

  it("returns cells in the form of the API, and cuts at the limits", async () => {
    const first = await run("SELECT * FROM web.Orders ORDER BY ORDER_ID", { maxRows: 1 });
    assert.deepEqual(first.rows, [["1", "2", "1.50", "2026-01-01T11:00:00Z", "false"]]);
    assert.ok(first.truncated);
    const all = await run("SELECT order_id FROM orders", { maxRows: 2000 });
    assert.deepEqual([all.rows.length, all.truncated], [1000, false]);
    assert.ok((await run("SELECT order_id FROM orders", { maxRows: 2000, maxBytes: 100 })).truncated);
    assert.deepEqual(await source.distinctValues(["acme", "web", "stores"], "name", 5, signal), ["Leeds", "York"]);
  });

  keepsTheContract({
    source: () => source,
    refused: [
      "DELETE FROM orders",
      "SELECT * INTO x FROM orders",
      "SELECT * FROM secrets",
      "SELECT * FROM pg_catalog.pg_user",
      "SELECT * FROM orders, LATERAL (SELECT 1) AS x",
      "SELECT * FROM generate_series(1, 3)",
      "SELECT pg_terminate_backend(1)",
      "SELECT pg_catalog.version()",
      "UNLOAD ('SELECT 1') TO 's3://x'",
      "SELECT 1; DROP TABLE orders",
      "SELECT E'x'",
    ],
    columns: ["SELECT count(*) AS n, avg(total) AS n FROM orders ORDER BY 1", ["n INT64", "n_1 NUMERIC"]],
    plan: ["SELECT * FROM orders", /Seq Scan on .*orders/],
    errors: [["SELECT nowhere FROM orders", "invalid"]],
    endless: endlessJoin(async () => (await server.running()).length),
  });
});

describe("the dialect of Redshift", () => {
  const scope = [{ path: ["p", "d", "t"], origin: ["public", "t"] }];
  const written = (sql: string) => {
    const checked = checkStatement(sql, REDSHIFT_DIALECT, { scope, parameters: [], columns: ["a", "b"], views: [] });
    return checked.kind === "valid" ? checked.sql : checked;
  };

  it("has its functions, casts and small letters", () => {
    assert.equal(
      written(
        "SELECT LISTAGG(A, ', ') WITHIN GROUP (ORDER BY a), DATEADD(month, 1, b)::date FROM T WHERE b ILIKE 'x%'",
      ),
      `SELECT LISTAGG( "a" , ', ' ) WITHIN GROUP ( ORDER BY "a" ) , DATEADD( month , 1 , "b" ) :: date FROM "public"."t" AS "t" WHERE "b" ILIKE 'x%'`,
    );
  });

  it("writes texts that end where they end, whether or not a backslash escapes", () => {
    assert.equal(written("SELECT 'a\\'b' FROM t"), `SELECT 'a''b' FROM "public"."t" AS "t"`);
    assert.equal(written("SELECT 'a\\\\' FROM t"), `SELECT 'a\\\\' FROM "public"."t" AS "t"`);
  });

  it("verifies the certificate of other machines", () => {
    assert.match(readRedshiftAddress("redshift://u:p@x.example.com/db"), /:5439\/db\?sslmode=verify-full$/);
    assert.throws(() => readRedshiftAddress("https://u:hush-hush@x"), { message: /^(?!.*hush)/ });
  });
});

/** Redshift's views of its catalog, as far as they are read. */
const VIEWS = `
  SET allow_system_table_mods = on;
  CREATE VIEW pg_catalog.svv_tables AS SELECT table_catalog::text, table_schema::text, table_name::text FROM information_schema.tables;
  CREATE VIEW pg_catalog.svv_columns AS SELECT table_catalog::text, table_schema::text, table_name::text, column_name::text, ordinal_position::int, data_type::text,
    is_nullable::text, col_description(format('%I.%I', table_schema, table_name)::regclass, ordinal_position) AS remarks FROM information_schema.columns;
  GRANT SELECT ON pg_catalog.svv_tables, pg_catalog.svv_columns TO public;`;

/** A stand-in for Redshift: a real PostgreSQL, which has the same wire, transactions and cancellation, with views of the names that Redshift's catalog has. */
async function startPostgresAsRedshift(tables: string) {
  const server = await startPostgres();
  const { default: pg } = await import("pg");
  const owner = new pg.Client({ connectionString: server.url });
  await owner.connect();
  await owner.query(`${VIEWS} ${tables}`);
  return {
    connectionString: server.url.replace(/^postgres(ql)?:/, "redshift:"),
    /** Statements that run now, beside this one. */
    running: async () => {
      const { rows } = await owner.query(
        "SELECT query FROM pg_stat_activity WHERE state = 'active' AND application_name = 'frontdesk'",
      );
      return rows.map(({ query }) => String(query));
    },
    stop: async () => {
      await owner.end();
      await server.stop();
    },
  };
}
