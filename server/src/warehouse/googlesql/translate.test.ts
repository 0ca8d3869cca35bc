import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { translateGoogleSql } from "./translate.ts";

/** What BigQuery answers for a statement, as text. */
const ANSWERS: readonly (readonly [sql: string, answer: string])[] = [
  ["SELECT 'it''s' IS NULL, \"double\", r'\\d', 'a\\'b', '''tri'ple'''", "false,double,\\d,a'b,tri'ple"],
  [
    "SELECT SAFE_CAST('x' AS INT64), CAST(1 AS STRING), CAST('2' AS FLOAT64), CAST('1.5' AS NUMERIC)",
    ",1,2.0,1.500000000",
  ],
  ["SELECT * EXCEPT (a) FROM (SELECT 1 AS a, 2 AS b)", "2"],
  ["SELECT x FROM (SELECT 1 AS x UNION ALL SELECT 2) EXCEPT DISTINCT SELECT 2", "1"],
  [
    "SELECT DATE_TRUNC(DATE '2025-03-19', MONTH), DATE_TRUNC(DATE '2025-03-19', WEEK), DATE_TRUNC(DATE '2025-03-19', ISOWEEK)",
    "2025-03-01,2025-03-16,2025-03-17",
  ],
  [
    "SELECT DATE_DIFF(DATE '2025-03-01', DATE '2025-02-01', DAY), TIMESTAMP_DIFF(TIMESTAMP '2025-01-01 10:59:00+00', TIMESTAMP '2025-01-01 09:00:00+00', HOUR)",
    "28,1",
  ],
  [
    "SELECT DATE_ADD(DATE '2025-01-31', INTERVAL 1 MONTH), DATE_SUB(DATE '2025-01-01', INTERVAL 2 WEEK), DATE_ADD(DATE '2025-01-01', INTERVAL 1 + 1 DAY)",
    "2025-02-28,2024-12-18,2025-01-03",
  ],
  [
    "SELECT EXTRACT(DAYOFWEEK FROM DATE '2025-03-16'), EXTRACT(YEAR FROM DATE '2025-03-16'), EXTRACT(DATE FROM TIMESTAMP '2025-03-16 10:00:00+00')",
    "1,2025,2025-03-16",
  ],
  [
    "SELECT FORMAT_DATE('%Y/%m', DATE '2025-03-16'), PARSE_DATE('%d.%m.%Y', '16.03.2025'), DATE(2025, 1, 2)",
    "2025/03,2025-03-16,2025-01-02",
  ],
  [
    "SELECT SAFE_DIVIDE(1, 0), SAFE_DIVIDE(1, 4), DIV(7, 2), COUNTIF(x > 1), LOGICAL_OR(x > 1) FROM UNNEST([1, 2, 3]) AS x",
    ",0.25,3,2,true",
  ],
  [
    "SELECT REGEXP_CONTAINS('abc', r'^a'), REGEXP_EXTRACT('a1b22', r'b(\\d+)'), REGEXP_EXTRACT('a1', r'x'), REGEXP_REPLACE('aXbX', 'X', '-')",
    "true,22,,a-b-",
  ],
  [
    "SELECT ARRAY_LENGTH(SPLIT('a,b')), SPLIT('a-b', '-')[OFFSET(0)], [1, 2][ORDINAL(2)], ARRAY<INT64>[7][SAFE_OFFSET(0)]",
    "2,a,2,7",
  ],
  ["SELECT s.y FROM (SELECT STRUCT(1 AS x, 'b' AS y) AS s)", "b"],
  [
    "SELECT COUNT(d) FROM UNNEST(GENERATE_DATE_ARRAY(DATE '2025-01-01', DATE '2025-01-10')) AS d WHERE d > DATE '2025-01-05'",
    "5",
  ],
  ["SELECT SUM(n) FROM UNNEST(GENERATE_ARRAY(1, 4)) n", "10"],
  [
    "SELECT IF(TRUE, 'a', 'b'), IFNULL(NULL, 1), CONTAINS_SUBSTR('Tea Pot', 'pot'), STARTS_WITH('ab', 'a') # comment",
    "a,1,true,true",
  ],
  [
    "SELECT JSON_VALUE('{\"a\": \"b\"}', '$.a'), FORMAT('%d of %s', 1, 'x'), b'ab' = CAST('ab' AS BYTES)",
    "b,1 of x,true",
  ],
  ["SELECT `t`.`a b` FROM (SELECT 1 AS `a b`) AS `t`", "1"],
];

/** Statements with a part that has no counterpart. */
const UNTRANSLATABLE: readonly (readonly [sql: string, construct: string])[] = [
  ["SELECT ML.PREDICT(x)", "ML"],
  ["SELECT SAFE.SUBSTR('a', 1)", "SAFE."],
  ["SELECT ST_DISTANCE(a, b) FROM t", "ST_DISTANCE"],
  ["SELECT DATE_DIFF(a, b, WEEK) FROM t", "DIFF with WEEK"],
  ["SELECT * FROM t FOR SYSTEM_TIME AS OF CURRENT_TIMESTAMP()", "FOR SYSTEM_TIME AS OF"],
  ["SELECT * FROM UNNEST([1]) WITH OFFSET", "WITH OFFSET"],
  ["SELECT AS STRUCT 1", "SELECT AS STRUCT"],
  ["SELECT * FROM t PIVOT (SUM(x) FOR y IN ('a'))", "PIVOT"],
  ["SELECT CAST(a AS GEOGRAPHY) FROM t", "GEOGRAPHY"],
  ["SELECT (1", "("],
  ["SELECT 'open", "'"],
];

describe("SQL written for BigQuery", () => {
  let connection: DuckDBConnection;
  before(async () => {
    connection = await (await DuckDBInstance.create(":memory:")).connect();
    await connection.run("SET TimeZone = 'UTC'");
  });
  after(() => connection.closeSync());

  for (const [sql, answer] of ANSWERS) {
    it(`returns the same: ${sql}`, async () => {
      const translation = translateGoogleSql(sql);
      assert.ok(translation.kind === "translated", JSON.stringify(translation));
      const [row = []] = (await connection.runAndReadAll(translation.sql)).getRows();
      assert.equal(
        row.map((value) => (value === null ? "" : String(value))).join(","),
        answer.replace("2.0", "2"),
        translation.sql,
      );
    });
  }

  for (const [sql, construct] of UNTRANSLATABLE) {
    it(`rejects a construct without a counterpart, by its name: ${construct}`, () => {
      const translation = translateGoogleSql(sql);
      assert.deepEqual(
        translation.kind === "rejected" && translation.construct,
        construct,
        JSON.stringify(translation),
      );
    });
  }

  it("keeps names and parameters", () => {
    assert.deepEqual(
      translateGoogleSql("SELECT `my-project.shop.orders`.x FROM `my-project`.shop.orders WHERE city = @city"),
      {
        kind: "translated",
        sql: 'SELECT "my-project"."shop"."orders".x FROM "my-project".shop.orders WHERE city = $city',
      },
    );
  });
});
