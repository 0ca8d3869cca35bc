import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { SemanticModel } from "#analytics";
import type { SqlDialect, SqlSource } from "#warehouse";
import { interpretQuestion } from "../interpret-question.ts";

const NOW = new Date("2026-07-01T00:00:00Z");
const unasked = () => Promise.reject(new Error("the rules ask nothing of the source"));

/** One table, as a source of this dialect describes it. */
function modelOf(dialect: SqlDialect): SemanticModel {
  const quoteName = (name: string) => (dialect === "googlesql" || dialect === "mysql" ? `\`${name}\`` : `"${name}"`);
  const quoteTable = (path: readonly string[]) => path.map(quoteName).join(".");
  const source: SqlSource = {
    ...{ kind: "sql", dialect, quoteName, quoteTable, quoteText: (text: string) => `'${text}'` },
    ...{ describe: unasked, distinctValues: unasked, check: unasked, explain: unasked, query: unasked },
  };
  const columns = [
    { name: "id", type: "INT64", description: "", synonyms: [], tags: [] },
    { name: "shop", type: "STRING", description: "", synonyms: [], tags: [], values: ["Jo's", "Bar"] },
    { name: "kind", type: "STRING", description: "", synonyms: [], tags: [], values: ["A", "B"] },
    { name: "total", type: "INT64", description: "", synonyms: [], tags: [] },
    { name: "sold_at", type: "TIMESTAMP", description: "", synonyms: [], tags: [] },
    { name: "paid_at", type: "TIMESTAMP", description: "", synonyms: [], tags: [] },
    { name: "birth_date", type: "DATE", description: "", synonyms: [], tags: [] },
  ];
  const schema = {
    path: ["p", "d", "sales"],
    columns: columns.map(({ name, type }) => ({ name, type, mode: "NULLABLE" as const })),
    primaryKey: ["id"],
  };
  return {
    source,
    tables: [{ schema, synonyms: [], tags: [], columns, measures: [] }],
    relationships: [],
    glossary: [],
    instruction: "",
  };
}

function sqlOf(question: string, dialect: SqlDialect): string {
  const interpretation = interpretQuestion([question], modelOf(dialect), NOW);
  assert.ok(interpretation.kind === "query", JSON.stringify(interpretation));
  return interpretation.query.sql;
}

describe("SQL by rules for other engines", () => {
  it("names times and literals as each engine does", () => {
    const question = "total by month in 2025 for Jo's";
    assert.match(
      sqlOf(question, "postgresql"),
      /date_trunc\('month', "sales"\."sold_at"\)::date[\s\S]*>= DATE '2025-01-01'[\s\S]*= 'Jo''s'/,
    );
    assert.match(
      sqlOf(question, "googlesql"),
      /DATE_TRUNC\(DATE\(`sales`\.`sold_at`\), MONTH\)[\s\S]*>= TIMESTAMP '2025-01-01'[\s\S]*= 'Jo\\'s'/,
    );
    assert.match(sqlOf(question, "mysql"), /DATE_FORMAT\(`sales`\.`sold_at`, '%Y-%m-01'\)/);
    assert.match(
      sqlOf("sales by weekday", "postgresql"),
      /to_char\("sales"\."sold_at", 'FMDay'\)[\s\S]*ORDER BY extract\(isodow/,
    );
    assert.match(sqlOf("sales by hour", "googlesql"), /EXTRACT\(HOUR FROM `sales`\.`sold_at`\)/);
    assert.match(sqlOf("median total by kind", "postgresql"), /percentile_cont\(0\.5\) WITHIN GROUP/);
    assert.match(sqlOf("share of total by kind", "postgresql"), /round\(\(100\.0 \* [\s\S]*\)::numeric, 2\)/);
  });

  it("names them as Redshift does, whose texts have escapes", () => {
    const question = "total by month in 2025 for Jo's";
    assert.match(
      sqlOf(question, "redshift"),
      /CAST\(date_trunc\('month', "sales"\."sold_at"\) AS DATE\)[\s\S]*>= DATE '2025-01-01'[\s\S]*= 'Jo\\'s'/,
    );
    assert.match(
      sqlOf("sales by weekday", "redshift"),
      /TO_CHAR\([^,]*, 'Day'\)[\s\S]*ORDER BY MOD\(CAST\(DATE_PART\(dow/,
    );
    assert.match(sqlOf("median total by kind", "redshift"), /MEDIAN\(/);
  });

  it("names them as Databricks does, whose names are in backticks", () => {
    assert.match(
      sqlOf("total by month in 2025 for Jo's", "databricks"),
      /CAST\(date_trunc\('month', [\s\S]*>= DATE '2025-01-01'[\s\S]*= 'Jo\\'s'/,
    );
    assert.match(sqlOf("sales by weekday", "databricks"), /date_format\([^,]*, 'EEEE'\)[\s\S]*ORDER BY weekday\(/);
  });

  it("names them as SQL Server does, where whole numbers stay whole and rows are limited behind an order", () => {
    assert.match(
      sqlOf("total by month in 2025 for Jo's", "sqlserver"),
      /DATEFROMPARTS\(YEAR\([\s\S]*sum\(CAST\([^)]*total" AS BIGINT\)\)[\s\S]*>= CAST\('2025-01-01' AS DATE\)[\s\S]*= 'Jo''s'[\s\S]*FETCH NEXT 1000 ROWS ONLY$/,
    );
    assert.match(sqlOf("average total by kind", "sqlserver"), /avg\(CAST\([^)]* AS FLOAT\)\)/);
    assert.match(sqlOf("average total by kind", "redshift"), /avg\(CAST\([^)]* AS DOUBLE PRECISION\)\)/);
    assert.match(sqlOf("sales by weekday", "sqlserver"), /DATENAME\(weekday, [\s\S]*ORDER BY \(\(DATEDIFF\(day/);
    assert.doesNotMatch(sqlOf("top 2 shop per kind by total", "sqlserver"), /LIMIT|NULLS LAST|QUALIFY/);
  });

  it("computes times that pass, ages, days of the week and moving averages as each engine does", () => {
    const hours = "average hours from sold to paid";
    assert.match(
      sqlOf(hours, "postgresql"),
      /EXTRACT\(EPOCH FROM \("sales"\."paid_at" - "sales"\."sold_at"\)\) \/ 3600\.0/,
    );
    assert.match(
      sqlOf(hours, "googlesql"),
      /TIMESTAMP_DIFF\(`sales`\.`paid_at`, `sales`\.`sold_at`, SECOND\) \/ 3600\.0/,
    );
    assert.match(sqlOf(hours, "sqlserver"), /DATEDIFF\(second, "sales"\."sold_at", "sales"\."paid_at"\) \/ 3600\.0/);
    assert.match(sqlOf("average age", "sqlserver"), /20260701 - \(10000 \* YEAR\("sales"\."birth_date"\)/);
    assert.match(sqlOf("sales on weekends", "mysql"), /WEEKDAY\(`sales`\.`sold_at`\) IN \(5, 6\)/);
    assert.match(sqlOf("sales on weekends", "snowflake"), /DAYOFWEEKISO\([^)]*\) IN \(6, 7\)/);
    const moving = "3-month moving average of sales";
    assert.match(
      sqlOf(moving, "duckdb"),
      /count\(\*\) OVER \(ORDER BY [\s\S]*RANGE BETWEEN 2 PRECEDING AND CURRENT ROW\) = 3/,
    );
    assert.match(sqlOf(moving, "redshift"), /lag\([\s\S]*, 2\) OVER [\s\S]* = 2 THEN avg\(CAST/);
  });

  it("filters groups in an outer statement without QUALIFY", () => {
    const sql = sqlOf("top 2 shop per kind by total", "postgresql");
    assert.doesNotMatch(sql, /QUALIFY/);
    assert.match(
      sql,
      /row_number\(\) OVER[\s\S]* AS "chosen_by"[\s\S]*\) AS ranked\nWHERE "chosen_by" <= 2\nORDER BY "kind", "total_total" DESC NULLS LAST, "shop"/,
    );
    assert.match(sqlOf("top 2 shop per kind by total", "duckdb"), /QUALIFY row_number/);
  });

  it("reports that an engine has no median rather than guessing one", () => {
    const interpretation = interpretQuestion(["median total by kind"], modelOf("mysql"), NOW);
    assert.match(interpretation.kind === "reply" ? interpretation.text : "", /computes no median/);
  });
});
