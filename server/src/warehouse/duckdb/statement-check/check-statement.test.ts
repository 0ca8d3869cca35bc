import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { DatasourceReferencesSchema } from "@frontdesk/protos/gda/datasource";
import type { SqlSource, Warehouse } from "../../contract.ts";
import { createWarehouse } from "../../create-warehouse.ts";
import { writeSample } from "../../sample/write-sample.ts";
import { REJECTED_STATEMENTS } from "../__fixtures__/rejected-statements.ts";

/** Questions of every form that people and models write. */
const QUESTIONS = [
  "SELECT count(*) FROM orders",
  "FROM orders LIMIT 3",
  "TABLE orders",
  "SELECT * EXCLUDE (status) REPLACE (upper(channel) AS channel) FROM orders LIMIT 1",
  "SELECT status, count(*) AS n FROM acme.shop.orders GROUP BY ALL ORDER BY ALL",
  "WITH orders AS (SELECT * FROM orders WHERE status = 'Cancelled') SELECT count(*) FROM orders",
  "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 5) SELECT * FROM t",
  "WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS x FROM a) SELECT * FROM a, b",
  "WITH RECURSIVE Ünter(n) AS (SELECT 1 UNION SELECT n + 1 FROM Ünter WHERE n < 3), b AS (FROM Ünter) SELECT * FROM B",
  "WITH RECURSIVE t AS (WITH s AS (SELECT 1 AS n) SELECT n FROM s UNION ALL SELECT n + 1 FROM T WHERE n < 3) FROM t",
  "SELECT 'a'::ENUM('a', 'b'), '{}'::JSON, [1]::BIGINT[], 1::DECIMAL(5, 2), {'a': 1}::STRUCT(a INT)",
  "SELECT o.order_id, row_number() OVER (PARTITION BY store_id ORDER BY ordered_at) AS k FROM orders o QUALIFY k = 1 LIMIT 5",
  "SELECT date_trunc('month', ordered_at)::DATE AS m, count(*) FROM \"orders\" GROUP BY m ORDER BY m",
  "SELECT * FROM unnest([1, 2, 3]) AS t(x)",
  "SELECT * FROM range(5) r, generate_series(1, 3) s",
  "SELECT list_transform([1, 2], lambda x: x + 1), struct_pack(a := 1), {'b': 2}, MAP {'k': 1}",
  "SELECT sum(order_id) FILTER (WHERE status = 'Delivered'), approx_count_distinct(customer_id), median(order_id) FROM orders",
  "SELECT strftime(ordered_at, '%Y'), extract(year FROM ordered_at), current_date, now(), today() FROM orders LIMIT 1",
  "SELECT * FROM orders o WHERE EXISTS (SELECT 1 FROM orders p WHERE p.customer_id = o.customer_id AND p.order_id <> o.order_id) LIMIT 1",
  "SELECT CASE WHEN 1 = 1 THEN 'a' ELSE 'b' END, coalesce(NULL, 1), nullif(1, 1), if(true, 1, 2)",
  "SELECT regexp_replace('a1', '\\d', ''), split_part('a-b', '-', 1), printf('%d', 1), md5('x'), hash(1), random() < 2",
  "SELECT 'DROP TABLE orders; read_csv(''/etc/passwd'')' AS text",
  "SELECT 1 -- ; DROP TABLE orders",
  "(SELECT 1) UNION (SELECT 2) EXCEPT (SELECT 3) INTERSECT (SELECT 1)",
  "SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v(n, t)",
  "SELECT order_id FROM orders TABLESAMPLE 10 ROWS",
  "SELECT 170141183460469231731687303715884105727 AS largest, 0.1 + 0.2, 1e3",
  "SELECT 'ünïcödé', order_id FROM orders LIMIT 1",
  "SELECT * FROM (SELECT status, channel FROM orders) PIVOT (count(*) FOR status IN ('Delivered', 'Cancelled'))",
  "PIVOT orders ON status IN ('Delivered', 'Cancelled') USING count(*) GROUP BY channel",
  "SELECT * FROM (SELECT order_id, customer_id FROM orders) UNPIVOT (v FOR k IN (order_id, customer_id))",
  "UNPIVOT (SELECT order_id, customer_id FROM orders) ON order_id, customer_id INTO NAME k VALUE v",
  "DESCRIBE orders",
  "DESCRIBE SELECT status FROM orders",
  "SUMMARIZE acme.shop.orders",
  "SELECT column_name FROM (SUMMARIZE orders)",
];

describe("the statement check", () => {
  const folder = mkdtempSync(join(tmpdir(), "statement-check-"));
  const { signal } = new AbortController();
  let warehouse: Warehouse;
  let source: SqlSource;
  before(async () => {
    await writeSample(join(folder, "shop.duckdb"), new Date("2026-06-30T00:00:00Z"));
    writeFileSync(join(folder, "shop.csv"), "a\n1\n");
    const sources = [
      { name: ["acme", "shop"] as const, path: join(folder, "shop.duckdb") },
      { name: ["acme", "files"] as const, path: folder },
    ];
    warehouse = createWarehouse({ sources, memory: "512MB", spillDir: join(folder, "spill") });
    const tableReferences = [{ projectId: "acme", datasetId: "shop", tableId: "orders" }];
    const references = create(DatasourceReferencesSchema, { references: { case: "bq", value: { tableReferences } } });
    const opened = await warehouse.open(references);
    assert.ok(opened.kind === "sql");
    source = opened;
  });
  after(async () => {
    await warehouse.close();
    rmSync(folder, { recursive: true });
  });

  const limits = { maxRows: 5, maxBytes: 100_000, timeoutMs: 5_000 };

  for (const [effect, statements] of Object.entries(REJECTED_STATEMENTS)) {
    it(`rejects statements that would ${effect} (${statements.length} tried)`, async () => {
      for (const sql of statements) {
        const { kind } = await source.check(sql, [], signal);
        assert.notEqual(kind, "accepted", sql);
        await assert.rejects(source.query({ sql, limits, signal }), { name: "QueryError" }, sql);
      }
    });
  }

  it("reads no file that has the name of a common table expression where that is not in scope (CA-100)", async () => {
    const file = join(folder, "shopk.csv");
    writeFileSync(file, "a\nsecret\n");
    for (const sql of [
      `WITH RECURSIVE "${file}" AS (SELECT * FROM "${file}" UNION ALL SELECT * FROM "${file}" WHERE false) SELECT * FROM "${file}"`,
      `WITH "${file.replace("shopk", "shop\u212A")}" AS (SELECT 1) SELECT * FROM "${file}"`,
      `WITH RECURSIVE x AS (WITH RECURSIVE "${file}" AS (FROM "${file}" UNION ALL FROM x) FROM "${file}" UNION ALL FROM x) FROM x`,
      `WITH "${file}" AS (SELECT 1) SELECT * FROM (WITH "other.csv" AS (FROM "${file}") FROM "other.csv")`,
    ])
      await assert.rejects(source.query({ sql, limits, signal }), /is not allowed/, sql);
  });

  it("accepts questions in every form", async () => {
    for (const sql of QUESTIONS) {
      const check = await source.check(sql, [], signal);
      assert.equal(check.kind, "accepted", `${sql}: ${JSON.stringify(check)}`);
      await source.query({ sql, limits, signal });
    }
  });

  it("leaves the text of the statement as it is: large numbers and special characters", async () => {
    const sql = "SELECT 170141183460469231731687303715884105727 AS n, 'ä ☕ ''' AS t FROM orders LIMIT 1";
    assert.deepEqual((await source.query({ sql, limits, signal })).rows, [
      ["170141183460469231731687303715884105727", "ä ☕ '"],
    ]);
  });
});
