import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { SemanticModel } from "#analytics";
import type { SqlSource } from "#warehouse";
import { interpretQuestion } from "../../src/offline/query-planner/interpret-question.ts";
import { CLICKHOUSE_DIALECT } from "../../src/warehouse/clickhouse/dialect.ts";
import { DATABRICKS_DIALECT } from "../../src/warehouse/databricks/dialect.ts";
import { MYSQL_DIALECT } from "../../src/warehouse/mysql/dialect.ts";
import { REDSHIFT_DIALECT } from "../../src/warehouse/redshift/dialect.ts";
import type { RemoteDialect } from "../../src/warehouse/remote/contract.ts";
import { checkStatement } from "../../src/warehouse/remote/statement/check-statement.ts";
import { SNOWFLAKE_DIALECT } from "../../src/warehouse/snowflake/dialect.ts";
import { SQLSERVER_DIALECT } from "../../src/warehouse/sqlserver/dialect.ts";
import { TRINO_DIALECT } from "../../src/warehouse/trino/dialect.ts";

const NOW = new Date("2026-07-01T00:00:00Z");
const COLUMNS = [
  { name: "id", type: "INT64" },
  { name: "shop", type: "STRING", values: ["Jo's", "Bar"] },
  { name: "kind", type: "STRING", values: ["A", "B"] },
  { name: "total", type: "INT64" },
  { name: "paid", type: "BOOL" },
  { name: "sold_at", type: "TIMESTAMP" },
];
const QUESTIONS = [
  ...["how many sales", "total by month in 2025 for Jo's", "total by week", "average total by kind"],
  ...["sales by weekday", "sales by hour", "top 2 shop per kind by total", "top 3 shop by total"],
  ...["growth of total by month in 2025", "running total by month", "share of total by kind"],
  ...["shops with above average total", "list the sales", "sales where shop contains jo", "total per sale by kind"],
  ...["total by quarter", "total by year", "sales between 2025-01-01 and 2025-02-01", "total of sales above 5 by shop"],
];

/** One table, as a source of this dialect describes it. */
function modelOf({ name, quoteName, quoteText }: RemoteDialect): SemanticModel {
  const unasked = () => Promise.reject(new Error("the rules ask nothing of the source"));
  const source: SqlSource = {
    ...{ kind: "sql", dialect: name, quoteName, quoteText },
    quoteTable: (path) => path.map(quoteName).join("."),
    ...{ describe: unasked, distinctValues: unasked, check: unasked, explain: unasked, query: unasked },
  };
  const columns = COLUMNS.map((column) => ({ ...column, description: "", synonyms: [], tags: [] }));
  const schema = {
    path: ["p", "d", "sales"],
    columns: COLUMNS.map(({ name, type }) => ({ name, type, mode: "NULLABLE" as const })),
    primaryKey: ["id"],
  };
  const tables = [{ schema, synonyms: [], tags: [], columns, measures: [] }];
  return { source, tables, relationships: [], glossary: [], instruction: "" };
}

describe("what the rules write passes the statement check of the engine (CA-42)", () => {
  for (const dialect of [
    ...[MYSQL_DIALECT, CLICKHOUSE_DIALECT, TRINO_DIALECT, REDSHIFT_DIALECT],
    ...[SNOWFLAKE_DIALECT, DATABRICKS_DIALECT, SQLSERVER_DIALECT],
  ])
    it(`for ${dialect.title}`, () => {
      const model = modelOf(dialect);
      const scope = [{ path: ["p", "d", "sales"], origin: ["d", "sales"] }];
      const written = QUESTIONS.flatMap((question) => {
        const interpretation = interpretQuestion([question], model, NOW);
        return interpretation.kind === "query" ? [{ question, sql: interpretation.query.sql }] : [];
      });
      assert.ok(written.length >= 15, `only ${written.map(({ question }) => question).join(", ")}`);
      for (const { question, sql } of written) {
        const columns = COLUMNS.map(({ name }) => name);
        const checked = checkStatement(sql, dialect, { scope, parameters: [], columns, views: [] });
        assert.ok(checked.kind === "valid", `${question}: ${JSON.stringify(checked)}\n${sql}`);
      }
    });
});
