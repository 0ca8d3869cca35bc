import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { compileQuery, modelDialect, modelQuery } from "#semantics";
import { DATABRICKS_DIALECT } from "../../src/warehouse/databricks/dialect.ts";
import { REDSHIFT_DIALECT } from "../../src/warehouse/redshift/dialect.ts";
import type { RemoteDialect } from "../../src/warehouse/remote/contract.ts";
import { checkStatement } from "../../src/warehouse/remote/statement/check-statement.ts";
import { SNOWFLAKE_DIALECT } from "../../src/warehouse/snowflake/dialect.ts";
import { SQLSERVER_DIALECT } from "../../src/warehouse/sqlserver/dialect.ts";
import { SHOP } from "./shop-model.ts";

const DIALECTS: readonly RemoteDialect[] = [
  ...[REDSHIFT_DIALECT, SNOWFLAKE_DIALECT, DATABRICKS_DIALECT, SQLSERVER_DIALECT],
];
const METRICS = [
  ...[
    "revenue",
    "orders",
    "buyers",
    "largest_order",
    "first_order",
    "typical_order",
    "refund_rate",
    "orders_per_buyer",
  ],
  ...["revenue_so_far", "buyers_in_60_days", "revenue_this_year", "revenue_growth", "orders_since_quarter_began"],
];
const GRAINS = ["day", "week", "month", "quarter", "year"] as const;
const CASES = [
  ...METRICS.map((metric) => ({ metric, grain: "month" as const })),
  ...GRAINS.flatMap((grain) => ["revenue", "revenue_so_far"].map((metric) => ({ metric, grain }))),
];
const TABLES = ["customers", "orders", "items", "refunds"];

describe("what a semantic model compiles to passes the statement check of the engine (CA-42)", () => {
  for (const dialect of DIALECTS)
    it(`for ${dialect.title}`, () => {
      const target = modelDialect(dialect.name);
      assert.ok(target);
      const scope = TABLES.map((table) => ({ path: ["p", "d", table], origin: ["s", table] }));
      // A median is refused by name where the dialect has none.
      const cases = CASES.filter(({ metric }) => target.percentile || metric !== "typical_order");
      for (const { metric, grain } of cases) {
        const query = modelQuery({
          metrics: [metric],
          groupBy: [{ dimension: "metric_time", grain }, { dimension: "customers.region" }],
          where: [
            { dimension: "customers.region", operator: "contains", values: ["o'r\\t"] },
            { dimension: "metric_time", operator: ">=", values: ["2024-01-01"] },
          ],
        });
        const { sql } = compileQuery(SHOP, query, {
          dialect: target,
          tableOf: ({ table = "" }) => target.quote(table),
        });
        const checked = checkStatement(sql, dialect, { scope, parameters: [], columns: [], views: [] });
        assert.ok(checked.kind === "valid", `${metric} by ${grain}: ${JSON.stringify(checked)}\n${sql}`);
        // A text that ends earlier, or a name that is none, would be another statement.
        assert.equal(
          checkStatement(checked.sql, dialect, { scope, parameters: [], columns: [], views: [] }).kind,
          "valid",
        );
      }
    });
});
