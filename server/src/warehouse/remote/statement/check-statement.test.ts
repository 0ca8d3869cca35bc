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

for (const dialect of DIALECTS)
  describe(`common table expressions in ${dialect.title} (CA-100)`, () => {
    const q = dialect.quoteName;
    const check = (sql: string) => checkStatement(sql, dialect, { scope, parameters: [], columns: ["id"], views: [] });
    const written = (sql: string) => {
      const checked = check(sql);
      assert.equal(checked.kind, "valid", JSON.stringify(checked));
      return checked.kind === "valid" ? checked.sql : "";
    };

    for (const [defined, named] of [
      ["Salaries", "salaries"],
      ["ban\u212A", "bank"],
    ] as const)
      it(`are written by the name of their definition: ${named}`, () => {
        const text = written(`WITH ${q(defined)} AS (SELECT 1 AS id) SELECT id FROM ${q(named)}`);
        assert.ok(text.includes(`FROM ${q(defined)}`) && !text.includes(q(named)), text);
      });

    it("are no tables within themselves before a set operation", () => {
      assert.equal(
        check("WITH RECURSIVE salaries AS (SELECT id FROM salaries) SELECT id FROM salaries").kind,
        "rejected",
      );
      const anchored =
        "WITH RECURSIVE salaries AS (SELECT id FROM salaries UNION ALL SELECT id FROM salaries) SELECT id FROM salaries";
      assert.equal(check(anchored).kind, "rejected");
      const text = written("WITH RECURSIVE n AS (SELECT 1 AS id UNION ALL SELECT id + 1 FROM n) SELECT id FROM n");
      assert.ok(!text.includes(q("shop")), text);
    });
  });

it("a name behind IN of ClickHouse, where it would be read as a table, is refused in whatever parentheses (CA-101)", () => {
  const check = (sql: string) =>
    checkStatement(sql, CLICKHOUSE_DIALECT, { scope, parameters: [], columns: ["id"], views: [] }).kind;
  for (const condition of [
    "1 IN (salaries)",
    "1 IN ((salaries))",
    "1 NOT IN (((`salaries`)))",
    "in(1, salaries)",
    "NOT in(1, (shop.salaries))",
  ])
    assert.equal(check(`SELECT id FROM orders WHERE ${condition}`), "rejected", condition);
  for (const condition of ["id IN (1, 2)", "(id, 1) IN ((1, 2), (id + 1, 3))", "id IN ((SELECT id FROM stores))"])
    assert.equal(check(`SELECT id FROM orders WHERE ${condition}`), "valid", condition);
});
