import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type Connection, createConnection } from "mysql2/promise";
import { startMariaDb, type ThrowawayMariaDb, withoutMariaDb } from "#testing";
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
  CREATE DATABASE shop CHARACTER SET utf8mb4;
  USE shop;
  CREATE TABLE stores (store_id int PRIMARY KEY, name varchar(50) NOT NULL COMMENT 'As on the sign', opened date) COMMENT 'Where we sell';
  CREATE TABLE orders (order_id bigint unsigned PRIMARY KEY, store_id int NOT NULL, status varchar(20), total decimal(12, 2), at timestamp NULL,
    local datetime(3), paid boolean, raw varbinary(10), weight double, FOREIGN KEY (store_id) REFERENCES stores (store_id));
  INSERT INTO stores VALUES (1, 'York', '2020-01-02'), (2, 'Leeds', NULL);
  SET time_zone = '+00:00';
  INSERT INTO orders SELECT seq, 1 + seq % 2, IF(seq % 10 = 0, 'Cancelled', 'Delivered'), seq * 1.5,
    timestamp '2026-01-01 10:00:00' + INTERVAL seq HOUR, '2026-01-02 03:04:05.678', seq % 3 = 0, x'0102', seq / 4 FROM seq_1_to_1000;
  CREATE TABLE secrets (word varchar(20));
  INSERT INTO secrets VALUES ('hush');
  CREATE SEQUENCE s;
  CREATE TABLE \`Odd.Name-1\` (\`a b\` int, \`select\` text);
  INSERT INTO \`Odd.Name-1\` VALUES (1, 'x');
  CREATE VIEW shipped AS SELECT * FROM orders WHERE status = 'Delivered'`;

/** Questions of every form that people and models write. */
const QUESTIONS = [
  "SELECT count(*) FROM orders",
  "SELECT o.status, SUM(o.total) AS t FROM shop.orders AS o GROUP BY 1 ORDER BY t DESC LIMIT 5;",
  "SELECT s.`name`, count(DISTINCT o.order_id) n FROM orders o JOIN stores s USING (store_id) GROUP BY s.name HAVING n > 1",
  "SELECT orders.total FROM acme /* x */ . `shop` -- y\n . orders ORDER BY orders.total LIMIT 1",
  "SELECT orders.total FROM `acme.shop.orders` ORDER BY total DESC LIMIT 2, 1",
  "WITH orders AS (SELECT * FROM orders WHERE paid) SELECT count(*) FROM orders",
  "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5), u AS (SELECT n FROM t) SELECT * FROM u",
  "SELECT DATE_FORMAT(at, '%Y-%m-01') AS m, EXTRACT(YEAR FROM at), YEAR(at), TRIM(BOTH ' ' FROM status) FROM orders LIMIT 1",
  "SELECT * FROM (SELECT o.*, ROW_NUMBER() OVER (PARTITION BY store_id ORDER BY total DESC) AS k FROM orders o) ranked WHERE k <= 2",
  "SELECT SUM(total) OVER w, LAG(total, 1) OVER w FROM orders WINDOW w AS (ORDER BY order_id ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) LIMIT 2",
  "SELECT * FROM orders o WHERE EXISTS (SELECT 1 FROM stores s WHERE s.store_id = o.store_id AND s.name LIKE 'y%') LIMIT 1",
  "SELECT orders.* FROM orders, stores AS orders2 WHERE orders.store_id = orders2.store_id LIMIT 1",
  "SELECT a.order_id FROM (orders a LEFT JOIN orders b ON a.order_id = b.order_id + 1) CROSS JOIN stores LIMIT 1",
  "SELECT status, count(*) FROM orders GROUP BY status WITH ROLLUP",
  "SELECT CASE WHEN paid THEN \"y\" ELSE 'n' END, LEFT(status, 2), SUBSTRING(status, 1, 2), IF(paid, 1, 0) FROM orders LIMIT 1",
  "SELECT 'DROP TABLE orders; it''s \\' x', \"a \"\"quoted\"\" text\", 'back\\\\slash', 'new\\nline'",
  "SELECT 'a\\' FROM secrets -- '",
  "SELECT 'ünïcödé ☕' AS ü, order_id FROM orders WHERE status LIKE '%a\\_%' OR status LIKE '%a%' LIMIT 1",
  "(SELECT 1) UNION (SELECT 2) ORDER BY 1",
  "SELECT 1 EXCEPT SELECT 2 UNION ALL SELECT 3",
  "SELECT CURRENT_DATE, NOW(), CURDATE() - INTERVAL 1 DAY, CAST('2026-01-01' AS DATE), CAST(1.5 AS DECIMAL(10, 2)), CAST(total AS CHAR) FROM orders LIMIT 1",
  "SELECT TIMESTAMPDIFF(MONTH, '2026-01-01', at), DATE_ADD(at, INTERVAL 3 MONTH) FROM orders LIMIT 1",
  "SELECT GROUP_CONCAT(DISTINCT status ORDER BY status SEPARATOR '; ') FROM orders",
  "SELECT 5 - -1, 7 DIV 2, 7 MOD 2, 7 % 2, 1 <=> NULL, TRUE AND NOT FALSE, (SELECT MAX(total) FROM orders) > 1",
  "SELECT store_id IN (SELECT store_id FROM stores), total BETWEEN 1 AND 2, status IS NOT NULL FROM shipped LIMIT 1",
  "SELECT count(*) AS `select`, max(year) AS year FROM (SELECT YEAR(at) AS year FROM orders) AS t",
];

describe("a MariaDB database", { skip: withoutMariaDb() }, () => {
  const { signal } = new AbortController();
  let server: ThrowawayMariaDb;
  let warehouse: Warehouse;
  let owner: Connection;
  before(async () => {
    server = await startMariaDb();
    owner = await createConnection({ uri: server.url, multipleStatements: true });
    await owner.query(TABLES);
    warehouse = warehouseOf({
      remote: [
        { name: ["acme", "shop"], engine: "mysql", connectionString: () => server.url },
        { name: ["acme/eu/main", "crm"], engine: "mysql", connectionString: () => `${server.url}/shop` },
        { name: ["gone", "db"], engine: "mysql", connectionString: () => "mysql://x:hush-hush@127.0.0.1:1/db" },
        { name: ["bad", "db"], engine: "mysql", connectionString: () => "hush-hush" },
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
  const running = async () => {
    const sql = "SELECT count(*) AS n FROM information_schema.PROCESSLIST WHERE INFO LIKE 'SELECT COUNT( * ) FROM%'";
    const [rows] = await owner.query(sql);
    return (rows as unknown as readonly [{ readonly n: number }])[0].n;
  };
  const rowsOf = async (source: SqlSource, sql: string) => (await source.query({ sql, limits: LIMITS, signal })).rows;

  rejectsEffects(REJECTED_STATEMENTS, openBoth);

  acceptsQuestions(QUESTIONS, () => open("orders", "stores", "shipped"));

  it("reads texts as MySQL does", async () => {
    assert.deepEqual(await rowsOf(await openBoth(), QUESTIONS[15] ?? ""), [
      ["DROP TABLE orders; it's ' x", 'a "quoted" text', "back\\slash", "new\nline"],
    ]);
  });

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
      orders?.columns.map(({ name, type }) => `${name} ${type}`),
      [
        "order_id INT64",
        "store_id INT64",
        "status STRING",
        "total NUMERIC",
        "at TIMESTAMP",
        "local DATETIME",
        "paid BOOL",
        "raw BYTES",
        "weight FLOAT64",
      ],
    );
    assert.deepEqual(orders?.foreignKeys, [
      { columns: ["store_id"], table: ["acme", "shop", "stores"], referencedColumns: ["store_id"] },
    ]);
  });

  it("returns cells in the form of the API, and the values of a column", async () => {
    const source = await open("orders", "stores");
    const sql =
      "SELECT order_id, total, at, local, paid, raw, weight, NULL AS x, DATE '2026-01-02', total AS total FROM orders WHERE order_id = 3";
    const { columns, rows } = await source.query({ sql, limits: LIMITS, signal });
    assert.deepEqual(rows, [
      [
        "3",
        "4.50",
        "2026-01-01T13:00:00Z",
        "2026-01-02T03:04:05.678",
        "true",
        "AQI=",
        "0.75",
        null,
        "2026-01-02",
        "4.50",
      ],
    ]);
    assert.deepEqual([columns[1]?.name, columns[9]?.name], ["total", "total_1"]);
    const orders = ["acme", "shop", "orders"];
    assert.deepEqual(await source.distinctValues(orders, "status", 5, signal), ["Delivered", "Cancelled"]);
    assert.equal(await source.distinctValues(orders, "order_id", 5, signal), undefined);
  });

  it("takes values of parameters as values, whatever they contain", async () => {
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
    assert.deepEqual(await execute("x' OR 1=1 -- "), [["0"]]);
    assert.deepEqual(await execute("x\\' OR 1=1 -- "), [["0"]]);
  });

  it("explains a statement without running it, and no statement that it would not run", async () => {
    const source = await open("orders", "stores");
    const explain = (sql: string) => source.explain({ sql, limits: LIMITS, signal });
    assert.match(
      (await explain("SELECT count(*) FROM orders JOIN stores USING (store_id)")).plan,
      /stores.*\n.*orders.*rows/,
    );
    await assert.rejects(explain("DELETE FROM orders"), { kind: "rejected" });
  });

  it("says that a verified query is in another dialect", async () => {
    const source = await open("orders");
    const sql = "SELECT SAFE_CAST(order_id AS INT64) FROM orders";
    await assert.rejects(source.query({ sql, authored: true, limits: LIMITS, signal }), {
      kind: "rejected",
      message: /written in GoogleSQL, .* write it for MySQL/,
    });
  });

  it("observes limits of rows, bytes and time, and works afterwards", async () => {
    const source = await open("orders");
    const run = (sql: string, limits = {}) => source.query({ sql, limits: { ...LIMITS, ...limits }, signal });
    const endless = "SELECT count(*) FROM orders a, orders b, orders c, orders d";
    for (const more of ["", " LIMIT 500"]) {
      const { rows, truncated } = await run(`SELECT order_id FROM orders ORDER BY 1${more}`, { maxRows: 2 });
      assert.deepEqual([rows, truncated], [[["1"], ["2"]], true]);
    }
    const { rows, truncated } = await run("SELECT REPEAT('x', 1000) FROM orders", { maxBytes: 10_000 });
    assert.deepEqual([rows.length, truncated], [9, true]);
    await assert.rejects(run(endless, { timeoutMs: 200 }), { kind: "timeout" });
    await assert.rejects(run("SELECT REPEAT('x', 10000000) FROM orders", { timeoutMs: 30_000, maxBytes: 1e9 }), {
      kind: "failed",
      message: /more than/,
    });
    assert.deepEqual(await rowsOf(source, "SELECT count(*) FROM orders"), [["1000"]]);
  });

  it("does not take the rows of a recursion that was ended for all of them (CA-118)", async () => {
    const source = await open("orders");
    const endless = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t";
    await assert.rejects(source.query({ sql: endless, limits: LIMITS, signal }), {
      kind: "invalid",
      message: /recursi/i,
    });
    const days =
      "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 50000) SELECT count(*) FROM t";
    assert.deepEqual(await rowsOf(source, days), [["50000"]]);
  });

  endsStatements(openBoth, endlessJoin(running));

  readsInBoundedMemory("SELECT a.order_id, b.status FROM orders a, orders b", openBoth);

  it("finds a database by its instance and shows all of its tables where none is named", async () => {
    const source = await openInstanceTables(warehouse, [], 2);
    const tables = (await source.describe(signal)).map(({ path }) => path.join("|"));
    assert.deepEqual(
      tables,
      ["Odd.Name-1", "orders", "secrets", "shipped", "stores"].map((table) => `acme|crm|${table}`),
    );
    assert.deepEqual(await rowsOf(source, "SELECT `a b`, `select` FROM `Odd.Name-1`"), [["1", "x"]]);
    assert.equal(source.quoteTable(["acme", "crm", "Odd.Name-1"]), "`shop`.`Odd.Name-1`");
    await assert.rejects(openInstanceTables(warehouse, [], 1), { message: /engine says postgresql/ });
  });

  it("names what does not exist, and shows no password", async () => {
    await assert.rejects(open("nothing"), { message: /acme\.shop\.nothing/ });
    for (const [project, said] of [
      ["gone", /cannot be reached/],
      ["bad", /must be mysql:/],
    ] as const)
      await assertNoPassword(openTables(warehouse, [project, "db"], ["t"]), said);
  });
});
