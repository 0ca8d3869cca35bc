import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { DatasourceReferencesSchema } from "@frontdesk/protos/gda/datasource";
import type { SemanticModel, SemanticTable } from "#analytics";
import { definedFields } from "#base";
import { createWarehouse, type SqlSource, type TableSchema, type Warehouse, writeSample } from "#warehouse";
import { interpretQuestion } from "./interpret-question.ts";
import type { InterpretedQuery } from "./interpretation.ts";
import { describeResult } from "./responses/describe-result.ts";

const NOW = new Date("2026-07-01T09:00:00Z");
const LIMITS = { maxRows: 1000, maxBytes: 1_000_000, timeoutMs: 10_000 };
const { signal } = new AbortController();

const MEASURES: Readonly<Record<string, SemanticTable["measures"]>> = {
  order_items: [
    { name: "revenue", expression: "SUM(quantity * unit_price - discount)", synonyms: ["sales"] },
    { name: "units sold", expression: "SUM(quantity)", synonyms: ["units"] },
  ],
};

/** A question, and the same asked in SQL by hand; columns go by position. */
const CASES: readonly (readonly [question: string, sql: string])[] = [
  [
    "How many orders were there last month?",
    "SELECT count(*) FROM orders WHERE ordered_at >= DATE '2026-06-01' AND ordered_at < DATE '2026-07-01'",
  ],
  [
    "revenue by category",
    "SELECT category, sum(quantity * unit_price - discount) r FROM order_items JOIN products USING (product_id) GROUP BY 1 ORDER BY r DESC",
  ],
  [
    "What was the total revenue in 2025?",
    "SELECT sum(quantity * unit_price - discount) FROM order_items JOIN orders USING (order_id) WHERE year(ordered_at) = 2025",
  ],
  [
    "top 5 products by units sold",
    "SELECT name, sum(quantity) u FROM order_items JOIN products USING (product_id) GROUP BY product_id, name ORDER BY u DESC, name LIMIT 5",
  ],
  [
    "Which store had the highest revenue in Q1 2026?",
    "SELECT s.name, sum(quantity * unit_price - discount) r FROM order_items JOIN orders USING (order_id) JOIN stores s USING (store_id) WHERE ordered_at >= DATE '2026-01-01' AND ordered_at < DATE '2026-04-01' GROUP BY 1 ORDER BY r DESC LIMIT 1",
  ],
  [
    "How many customers have more than 10 orders?",
    "SELECT count(*) FROM (SELECT customer_id FROM orders GROUP BY 1 HAVING count(*) > 10)",
  ],
  [
    "What percentage of orders were returned?",
    "SELECT round(100.0 * count(*) FILTER (status = 'Returned') / count(*), 2) FROM orders",
  ],
  [
    "how many different customers bought Tea in 2025?",
    "SELECT count(DISTINCT customer_id) FROM order_items JOIN orders USING (order_id) JOIN products USING (product_id) WHERE category = 'Tea' AND year(ordered_at) = 2025",
  ],
  [
    "monthly revenue in 2025 for Tea and Coffee",
    "SELECT date_trunc('month', ordered_at)::DATE m, sum(quantity * unit_price - discount) FROM order_items JOIN orders USING (order_id) JOIN products USING (product_id) WHERE category IN ('Tea', 'Coffee') AND year(ordered_at) = 2025 GROUP BY 1 ORDER BY 1",
  ],
  ["average price by category", "SELECT category, avg(price) p FROM products GROUP BY 1 ORDER BY p DESC"],
  [
    "average revenue per order",
    "SELECT sum(quantity * unit_price - discount) / count(DISTINCT order_id) FROM order_items",
  ],
  ["what is the most expensive product?", "SELECT name, price FROM products ORDER BY price DESC LIMIT 1"],
  ["when was the first order", "SELECT min(ordered_at) FROM orders"],
  [
    "number of cancelled orders per store in 2026",
    "SELECT s.name, count(*) n FROM orders JOIN stores s USING (store_id) WHERE status = 'Cancelled' AND year(ordered_at) = 2026 GROUP BY s.store_id, s.name ORDER BY n DESC, s.name",
  ],
  [
    "revenue growth by month in 2026",
    "SELECT * FROM (SELECT date_trunc('month', ordered_at)::DATE m, sum(quantity * unit_price - discount) r, round(100.0 * (r - lag(r) OVER (ORDER BY m)) / lag(r) OVER (ORDER BY m), 2) FROM order_items JOIN orders USING (order_id) GROUP BY 1) WHERE year(m) = 2026 ORDER BY m",
  ],
  [
    "revenue last month compared with the month before",
    "SELECT * FROM (SELECT date_trunc('month', ordered_at)::DATE m, sum(quantity * unit_price - discount) r, round(100.0 * (r - lag(r) OVER (ORDER BY m)) / lag(r) OVER (ORDER BY m), 2) FROM order_items JOIN orders USING (order_id) GROUP BY 1) WHERE m = DATE '2026-06-01'",
  ],
  [
    "compare revenue in Leeds and York by store city",
    "SELECT city, sum(quantity * unit_price - discount) r FROM order_items JOIN orders USING (order_id) JOIN stores USING (store_id) WHERE city IN ('Leeds', 'York') GROUP BY 1 ORDER BY r DESC",
  ],
];

const PRODUCTS = "SELECT count(*) FROM products WHERE";
const CUSTOMERS = "SELECT count(*) FROM customers WHERE";
const ORDERS = "SELECT count(*) FROM orders WHERE";
const BY_CATEGORY =
  "SELECT category, sum(quantity * unit_price - discount) r FROM order_items JOIN products USING (product_id) GROUP BY 1";

/** Questions whose conditions are written as signs, ranges or quotes, with the same in SQL. */
const WRITTEN_COMPARISONS: readonly (readonly [question: string, sql: string])[] = [
  ["how many products with price > 20", `${PRODUCTS} price > 20`],
  ["how many products with price>20", `${PRODUCTS} price > 20`],
  ["how many products with price >= 15.95", `${PRODUCTS} price >= 15.95`],
  ["how many products with price>=15.95", `${PRODUCTS} price >= 15.95`],
  ["how many products with price => 15.95", `${PRODUCTS} price >= 15.95`],
  ["how many products with price ≥ 15.95", `${PRODUCTS} price >= 15.95`],
  ["how many products with price < 15.95", `${PRODUCTS} price < 15.95`],
  ["how many products with price <= 15.95", `${PRODUCTS} price <= 15.95`],
  ["how many products with price ≤ 15.95", `${PRODUCTS} price <= 15.95`],
  ["how many products with price = 15.95", `${PRODUCTS} price = 15.95`],
  ["how many products with price == 15.95", `${PRODUCTS} price = 15.95`],
  ["how many products with price != 15.95", `${PRODUCTS} price <> 15.95`],
  ["how many products with price <> 15.95", `${PRODUCTS} price <> 15.95`],
  ["how many products with price ≠ 15.95", `${PRODUCTS} price <> 15.95`],
  ["how many products with price not equal to 15.95", `${PRODUCTS} price <> 15.95`],
  ["how many products with price more than or equal to 15.95", `${PRODUCTS} price >= 15.95`],
  ["how many products with price less than or equal to 15.95", `${PRODUCTS} price <= 15.95`],
  ["how many products with price above or equal to 15.95", `${PRODUCTS} price >= 15.95`],
  ["how many products with price no less than 15.95", `${PRODUCTS} price >= 15.95`],
  ["how many products with price 20 or above", `${PRODUCTS} price >= 20`],
  ["how many products with price 20+", `${PRODUCTS} price >= 20`],
  ["how many products with price: > 20", `${PRODUCTS} price > 20`],
  ["how many products with price > $20", `${PRODUCTS} price > 20`],
  ["how many products with price > 1,000", `${PRODUCTS} price > 1000`],
  ["how many products with price > -5", `${PRODUCTS} price > -5`],
  ["how many products with price > 20, cost < 15", `${PRODUCTS} price > 20 AND cost < 15`],
  ["how many products with price > 10 and < 20", `${PRODUCTS} price > 10 AND price < 20`],
  ["how many products with price between 10-20", `${PRODUCTS} price BETWEEN 10 AND 20`],
  ["how many products with price 10-20", `${PRODUCTS} price BETWEEN 10 AND 20`],
  ["how many products with price 10 – 20", `${PRODUCTS} price BETWEEN 10 AND 20`],
  ["how many products with price from 10 to 20", `${PRODUCTS} price BETWEEN 10 AND 20`],
  ["how many products with category = Tea and price > 10", `${PRODUCTS} category = 'Tea' AND price > 10`],
  ["how many products with price > average", `${PRODUCTS} price > (SELECT avg(price) FROM products)`],
  ["how many products with name = 'A > B'", `${PRODUCTS} name = 'A > B'`],
  ["how many orders with status = shipped", `${ORDERS} status = 'Shipped'`],
  ["how many orders with status != Shipped", `${ORDERS} status <> 'Shipped'`],
  ["how many orders with status <> 'shipped'", `${ORDERS} status <> 'Shipped'`],
  ["how many orders with order id > 100", `${ORDERS} order_id > 100`],
  ["how many customers with city != London and segment = Trade", `${CUSTOMERS} city <> 'London' AND segment = 'Trade'`],
  ["how many customers with segment not equal to Trade", `${CUSTOMERS} segment <> 'Trade'`],
  [
    "how many customers joined 2024-01-01 - 2024-01-31",
    `${CUSTOMERS} joined_on >= '2024-01-01' AND joined_on < '2024-02-01'`,
  ],
  ["how many customers not in London with segment Trade", `${CUSTOMERS} city <> 'London' AND segment = 'Trade'`],
  ["how many customers joined > 2024-01-01", `${CUSTOMERS} joined_on > '2024-01-01'`],
  ["how many customers joined >= 2024-01-01", `${CUSTOMERS} joined_on >= '2024-01-01'`],
  ["how many customers joined < 2024-01-01", `${CUSTOMERS} joined_on < '2024-01-01'`],
  ["how many customers joined <= 2024-01-01", `${CUSTOMERS} joined_on <= '2024-01-01'`],
  ["how many customers joined = 2024-01-01", `${CUSTOMERS} joined_on = '2024-01-01'`],
  ["how many customers joined > 2023", `${CUSTOMERS} joined_on >= '2024-01-01'`],
  ["how many customers joined later than 2024-01-01", `${CUSTOMERS} joined_on > '2024-01-01'`],
  [
    "how many customers joined >= 2024-01-01 and joined < 2024-02-01",
    `${CUSTOMERS} joined_on >= '2024-01-01' AND joined_on < '2024-02-01'`,
  ],
  [
    "how many customers with > 10 orders",
    "SELECT count(*) FROM (SELECT customer_id FROM orders GROUP BY 1 HAVING count(*) > 10)",
  ],
  [
    "how many orders with >=3 order items",
    "SELECT count(*) FROM (SELECT order_id FROM order_items GROUP BY 1 HAVING count(*) >= 3)",
  ],
  ["categories with revenue > 400000", `${BY_CATEGORY} HAVING r > 400000 ORDER BY r DESC`],
  ["categories with revenue >400k", `${BY_CATEGORY} HAVING r > 400000 ORDER BY r DESC`],
];

/** Questions with a comparison that cannot be computed, or a date that does not exist, and what is said of it. */
const IMPOSSIBLE: readonly (readonly [question: string, words: RegExp])[] = [
  ["median order value by month by store", /“median”/],
  ["median revenue by store", /“median”/],
  ["maximum revenue by store", /“maximum”/],
  ["revenue in the first 10 days of October", /“first 10 days”/],
  ["revenue last weekend", /“last”, “weekend”/],
  ["revenue on Black Friday", /“Friday”/],
  ["revenue Mondays in October 2025", /“Mondays”/],
  ["how many customers ordered in both April and May", /“both”/],
  ["revenue share by store last month vs previous month", /shares and growth/],
  ["how many products with price > cost", /“> cost”/],
  ["how many products with 10 < price", /“< price”/],
  ["products with price > 20% of cost", /“20%”/],
  ["how many products with price ~ 20", /“20”/],
  ["how many products with price > 1,5", /“1”/],
  ["how many orders with channel = Fax", /“= Fax”/],
  ["how many customers joined != 2024-01-01", /“<> 2024”/],
  ["how many customers joined > 'x'", /“> x”/],
  ["order id > 99999999999999999999999", /“99999999999999999999999” has more digits than I can compare/],
  ["how many orders with order id = 9007199254740993", /“9007199254740993” has more digits/],
  ["orders 5 and 6", /order id cannot be 5 and 6 at once/],
  ["revenue on 30 February 2026", /There is no 30 February 2026 in the calendar/],
  ["revenue on February 30, 2026", /There is no February 30 2026 in the calendar/],
  ["revenue on 30th of February 2026", /There is no 30th of February 2026 in the calendar/],
  ["revenue since 31 April 2026 by store", /There is no 31 April 2026 in the calendar/],
  ["revenue on 31 April", /There is no 31 April in the calendar/],
  ["revenue on 29 February 2025", /There is no 29 February 2025 in the calendar/],
  ["revenue on 2026-13-01", /There is no 2026-13-01 in the calendar/],
  ["revenue on 2026-00-10", /There is no 2026-00-10 in the calendar/],
  ["orders > 2026-02-30", /There is no 2026-02-30 in the calendar/],
  ["revenue from 1 February 2026 to 30 February 2026", /There is no 30 February 2026 in the calendar/],
  ["revenue in 2026-13", /There is no 2026-13 in the calendar/],
  ["revenue in week 54", /There is no week 54 in the calendar/],
  ["revenue in week 53 of 2025", /There is no week 53 of 2025 in the calendar/],
  ["revenue in Q5 2026", /There is no Q5 2026 in the calendar/],
];

describe("the rules for questions to data", () => {
  const folder = mkdtempSync(join(tmpdir(), "interpreter-"));
  let warehouse: Warehouse;
  let model: SemanticModel;
  before(async () => {
    await writeSample(join(folder, "shop.duckdb"), new Date("2026-06-30T00:00:00Z"));
    const sources = [{ name: ["acme", "shop"] as const, path: join(folder, "shop.duckdb") }];
    warehouse = createWarehouse({ sources, memory: "512MB", spillDir: join(folder, "spill") });
    model = await modelOf(await openShop(warehouse));
  });
  after(async () => {
    await warehouse.close();
    rmSync(folder, { recursive: true });
  });

  function parsed(...questions: readonly string[]): InterpretedQuery {
    const interpretation = interpretQuestion(questions, model, NOW);
    assert.ok(interpretation.kind === "query", JSON.stringify(interpretation));
    return interpretation.query;
  }

  const rowsOf = async (sql: string, maxRows = LIMITS.maxRows) =>
    (await model.source.query({ sql, limits: { ...LIMITS, maxRows }, signal })).rows;

  for (const [question, sql] of [...CASES, ...WRITTEN_COMPARISONS]) {
    it(`answers “${question}” as SQL written by hand does`, async () => {
      assert.deepEqual(await rowsOf(parsed(question).sql), await rowsOf(sql));
    });
  }

  for (const [question, words] of IMPOSSIBLE) {
    it(`refuses “${question}” and says why`, () => {
      const interpretation = interpretQuestion([question], model, NOW);
      assert.equal(interpretation.kind, "reply", JSON.stringify(interpretation));
      assert.match(interpretation.kind === "reply" ? interpretation.text : "", words);
    });
  }

  for (const [question, other] of [
    ["revenue last 7 days vs previous 7 days", "from 2026-06-17 to 2026-06-23"],
    ["compare revenue in the last 2 weeks with the past 2 weeks", "from 2026-06-01 to 2026-06-14"],
    ["revenue last 3 months vs previous 3 months", "from 2026-01-01 to 2026-03-31"],
  ] as const) {
    it(`refuses “${question}”, whose times are one, and says how to name the other`, () => {
      const interpretation = interpretQuestion([question], model, NOW);
      assert.equal(interpretation.kind, "reply", JSON.stringify(interpretation));
      assert.ok(
        interpretation.kind === "reply" && interpretation.text.includes(`“${other}”`),
        JSON.stringify(interpretation),
      );
    });
  }

  // Weeks would mix the days of both, and years would show a month as one.
  for (const [question, unit, times] of [
    ["revenue from 2026-06-17 to 2026-06-23 vs last 7 days", "day", "d >= DATE '2026-06-17' AND d < DATE '2026-07-01'"],
    ["revenue last month vs 2025", "month", "year(d) = 2025 OR (year(d) = 2026 AND month(d) = 6)"],
    ["revenue last 2 weeks vs 2026-05-04 to 2026-05-10", "week", "week(d) IN (19, 25, 26) AND year(d) = 2026"],
    ["revenue in Q1 2025 vs Q2 2026", "quarter", "(year(d), quarter(d)) IN ((2025, 1), (2026, 2))"],
    ["revenue last year vs year to date", "year", "year(d) IN (2025, 2026)"],
  ] as const) {
    it(`compares by ${unit}, which both times are made of: “${question}”`, async () => {
      const sql = `SELECT date_trunc('${unit}', d)::DATE u, sum(r)
        FROM (SELECT ordered_at d, quantity * unit_price - discount r FROM order_items JOIN orders USING (order_id))
        WHERE ${times} GROUP BY u ORDER BY u`;
      assert.deepEqual(await rowsOf(parsed(question).sql), await rowsOf(sql));
    });
  }

  for (const [question, unit, ago] of [
    ["revenue growth by store by day in June 2026", "day", "1 DAY"],
    ["revenue growth by product by week in 2026", "week", "7 DAYS"],
    ["revenue by product by month in 2026 year over year", "month", "1 YEAR"],
    ["revenue by store by day in June 2026 year over year", "day", "365 DAYS"],
  ] as const) {
    it(`measures growth against the ${unit} that it says, not the last one that has rows: “${question}”`, async () => {
      const rows = await rowsOf(parsed(question).sql);
      const of = question.includes("store") ? "stores.name" : "products.name";
      const before = await rowsOf(
        `SELECT date_trunc('${unit}', ordered_at)::DATE + INTERVAL ${ago}, ${of}, sum(quantity * unit_price - discount)
          FROM order_items JOIN orders USING (order_id) JOIN stores USING (store_id) JOIN products USING (product_id)
          GROUP BY 1, 2`,
        100_000,
      );
      const earlier = new Map(
        before.map(([day, name, revenue]) => [`${String(day).slice(0, 10)} ${name}`, Number(revenue)]),
      );
      assert.ok(rows.some(([, , , growth]) => growth !== null));
      for (const [day, name, revenue, growth] of rows) {
        const base = earlier.get(`${day} ${name}`);
        if (growth === null) continue;
        assert.ok(base !== undefined, `${day} ${name}: grown by ${growth} from nothing`);
        assert.ok(Math.abs(Number(growth) - (100 * (Number(revenue) - base)) / base) < 0.01, `${day} ${name}`);
      }
    });
  }

  it("measures growth of a month against the same month of the year before", async () => {
    const sql = `SELECT DATE '2026-05-01', r26, round(100 * (r26 - r25) / r25, 2) FROM (SELECT
      sum(r) FILTER (d >= DATE '2026-05-01' AND d < DATE '2026-06-01') r26,
      sum(r) FILTER (d >= DATE '2025-05-01' AND d < DATE '2025-06-01') r25
      FROM (SELECT ordered_at d, quantity * unit_price - discount r FROM order_items JOIN orders USING (order_id)))`;
    assert.deepEqual(await rowsOf(parsed("revenue in May 2026 vs last year").sql), await rowsOf(sql));
  });

  it("does not go on from a question that was refused for its date", () => {
    const asked = ["revenue by store in 2025", "revenue on 30 February 2026", "only Web orders"];
    assert.equal(parsed(...asked).sql, parsed("only Web orders").sql);
  });

  it("knows the days of leap years, weeks and months that there are", () => {
    assert.match(parsed("revenue on 29 February 2028").sql, /2028-02-29/);
    assert.match(parsed("revenue in 2026-03").sql, /2026-03-01.*2026-04-01/s);
    assert.match(parsed("revenue in week 53 of 2026").warnings.join(), /“week”/);
  });

  it("changes only the parts of a follow-up", async () => {
    const asked = ["revenue by month in 2025", "only Web orders", "and by category"];
    const sql = `SELECT date_trunc('month', ordered_at)::DATE m, category, sum(quantity * unit_price - discount)
      FROM order_items JOIN orders USING (order_id) JOIN products USING (product_id)
      WHERE channel = 'Web' AND year(ordered_at) = 2025 GROUP BY 1, 2 ORDER BY 1, 2`;
    assert.deepEqual(await rowsOf(parsed(...asked).sql), await rowsOf(sql));
  });

  it("redraws the last rows when only the chart changes", () => {
    assert.deepEqual(interpretQuestion(["revenue by category", "make that a pie chart"], model, NOW), {
      kind: "redraw",
      chart: { mark: "pie" },
    });
  });

  it("reports ignored words and resolved ambiguities", () => {
    assert.deepEqual(parsed("revenue of Unobtainium by store").warnings, [
      "I did not understand “Unobtainium” and left it out.",
    ]);
    assert.match(parsed("revenue in London").warnings.join(), /“London” is read as a city of stores/);
  });

  it("offers suggestions where it understands nothing", () => {
    const interpretation = interpretQuestion(["What is the weather in Paris?"], model, NOW);
    assert.equal(interpretation.kind, "reply");
    assert.match(interpretation.kind === "reply" ? interpretation.text : "", /“weather”, “Paris”/);
    for (const question of interpretation.kind === "reply" ? interpretation.followUps : []) parsed(question);
  });

  it("refuses where it understands a value but not what is asked of it", () => {
    for (const word of ["weather", "colour"]) {
      const interpretation = interpretQuestion([`What is the ${word} in London?`], model, NOW);
      assert.equal(interpretation.kind, "reply");
      assert.match(interpretation.kind === "reply" ? interpretation.text : "", new RegExp(`“${word}”`));
    }
  });

  it("describes numbers that are cells of the rows", async () => {
    const query = parsed("revenue by category");
    const result = await model.source.query({ sql: query.sql, limits: LIMITS, signal });
    const [first] = result.rows;
    const shown = Number(first?.[1]).toLocaleString("en-US", { maximumFractionDigits: 2 });
    assert.ok(describeResult(query, result).includes(`${first?.[0]}: revenue **${shown}**`));
  });
});

async function openShop(warehouse: Warehouse): Promise<SqlSource> {
  const tableReferences = ["orders", "order_items", "products", "stores", "customers"].map((tableId) => ({
    projectId: "acme",
    datasetId: "shop",
    tableId,
  }));
  const references = create(DatasourceReferencesSchema, { references: { case: "bq", value: { tableReferences } } });
  const source = await warehouse.open(references);
  assert.ok(source.kind === "sql");
  return source;
}

async function modelOf(source: SqlSource): Promise<SemanticModel> {
  const schemas = await source.describe(signal);
  const tables = await Promise.all(schemas.map((schema) => tableOf(schema, source)));
  const relationships = schemas.flatMap(({ path, foreignKeys = [] }) =>
    foreignKeys.map(({ columns, table, referencedColumns }) => ({
      left: path,
      leftColumns: columns,
      right: table,
      rightColumns: referencedColumns,
    })),
  );
  return { source, tables, relationships, glossary: [], instruction: "" };
}

async function tableOf(schema: TableSchema, source: SqlSource): Promise<SemanticTable> {
  const columns = await Promise.all(
    schema.columns.map(async ({ name, type, description = "" }) => {
      const values = type === "STRING" ? await source.distinctValues(schema.path, name, 100, signal) : undefined;
      return { name, type, description, synonyms: [], tags: [], ...definedFields({ values }) };
    }),
  );
  return { schema, synonyms: [], tags: [], columns, measures: MEASURES[schema.path.at(-1) ?? ""] ?? [] };
}
