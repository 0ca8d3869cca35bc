import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BIGQUERY_DIALECT } from "../../bigquery/dialect.ts";
import { CLICKHOUSE_DIALECT } from "../../clickhouse/dialect.ts";
import { DATABRICKS_DIALECT } from "../../databricks/dialect.ts";
import { MYSQL_DIALECT } from "../../mysql/dialect.ts";
import { REDSHIFT_DIALECT } from "../../redshift/dialect.ts";
import { SNOWFLAKE_DIALECT } from "../../snowflake/dialect.ts";
import { SQLSERVER_DIALECT } from "../../sqlserver/dialect.ts";
import { TRINO_DIALECT } from "../../trino/dialect.ts";
import { checkStatement } from "./check-statement.ts";

const scope = ["orders", "stores", "hidden"].map((table) => ({
  path: ["acme", "shop", table],
  origin: ["shop", table],
}));

const DIALECTS = [
  ...[MYSQL_DIALECT, CLICKHOUSE_DIALECT, TRINO_DIALECT, REDSHIFT_DIALECT],
  ...[SNOWFLAKE_DIALECT, DATABRICKS_DIALECT, SQLSERVER_DIALECT, BIGQUERY_DIALECT],
];

for (const dialect of DIALECTS)
  describe(`a table of which the caller sees a part, in ${dialect.title} (CA-49)`, () => {
    const q = dialect.quoteName;
    const select = `SELECT ${q("id")} FROM ${q("shop")}.${q("orders")} WHERE ${q("region")} = ${dialect.quoteText("North")}`;
    const views = [{ path: ["acme", "shop", "orders"], select }, { path: ["acme", "shop", "hidden"] }];
    const check = (sql: string) => checkStatement(sql, dialect, { scope, parameters: [], columns: ["id"], views });

    for (const sql of [
      "SELECT id FROM orders",
      "SELECT o.id FROM shop.orders AS o",
      "SELECT id FROM ORDERS",
      `SELECT id FROM ${q("orders")}`,
      "WITH orders AS (SELECT id FROM orders) SELECT id FROM orders",
      "SELECT id FROM stores UNION ALL SELECT id FROM orders",
      "SELECT id FROM stores WHERE id IN (SELECT id FROM orders)",
      "SELECT s.id FROM stores s JOIN (orders o JOIN stores t ON o.id = t.id) ON s.id = o.id",
    ])
      it(`is read through its SELECT alone: ${sql}`, () => {
        const checked = check(sql);
        assert.equal(checked.kind, "valid", JSON.stringify(checked));
        const written = checked.kind === "valid" ? checked.sql : "";
        assert.ok(written.includes(`(${select}) `), written);
        assert.ok(!written.replace(select, "").includes(`${q("shop")}.${q("orders")}`), written);
      });

    it("does not exist where the caller sees nothing of it", () => {
      assert.match(
        JSON.stringify(check("SELECT 1 FROM hidden")),
        /not among the tables of this context: shop\.orders, shop\.stores"/,
      );
    });
  });
