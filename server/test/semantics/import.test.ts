import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { parse, stringify } from "yaml";
import {
  compileQuery,
  type ImportedModel,
  importModel,
  type ModelDefinition,
  type ModelQuery,
  modelDialect,
  modelQuery,
  readModelFile,
  validateModel,
  writeModelFile,
  writeOsi,
} from "#semantics";
import { SHOP } from "./shop-model.ts";

const FIXTURES = join(import.meta.dirname, "__fixtures__");

function importFixture(folder: string): ImportedModel {
  const paths = readdirSync(join(FIXTURES, folder), { recursive: true, encoding: "utf8" }).filter((path) =>
    /\.\w+$/.test(path),
  );
  return importModel(paths.sort().map((path) => ({ path, text: readFileSync(join(FIXTURES, folder, path), "utf8") })));
}

function told({ notes }: ImportedModel): readonly string[] {
  return notes.map(({ file, line, message }) => `${file}:${line}: ${message}`);
}

let connection: DuckDBConnection;

/** The rows of a query, in DuckDB. */
async function rowsOf(model: ModelDefinition, query: Partial<ModelQuery> & Pick<ModelQuery, "metrics">) {
  const dialect = modelDialect("duckdb");
  assert.ok(dialect);
  const { sql } = compileQuery(model, modelQuery(query), {
    dialect,
    tableOf: ({ table = "" }) => dialect.quote(table.split(".").at(-1) ?? ""),
  });
  return (await connection.runAndReadAll(sql)).getRowsJson();
}

/** The rows of a statement written by hand. */
async function byHand(sql: string) {
  return (await connection.runAndReadAll(sql)).getRowsJson();
}

before(async () => {
  connection = await (await DuckDBInstance.create(":memory:")).connect();
  await connection.run(`
    CREATE TABLE customer AS SELECT * FROM (VALUES (1, 'a@x', 'Ana', 'Lee', 'FR'), (2, 'b@x', 'Bo', 'Kim', 'DE'), (3, 'c@x', 'Cy', 'Ray', 'FR')) AS t(customer_key, email, first, last, country);
    CREATE TABLE store_sales AS SELECT * FROM (VALUES (1, 1, 1, DATE '2026-01-05', 12.0, 2.0), (2, 1, 1, DATE '2026-01-05', 24.0, 4.0), (1, 2, 2, DATE '2026-02-01', 11.0, 1.0)) AS t(item_key, ticket, customer_key, sold_on, paid, tax);
    CREATE TABLE dim_customers AS SELECT * FROM (VALUES (1, 'new'), (2, 'returning')) AS t(customer_id, customer_type);
    CREATE TABLE fct_orders AS SELECT * FROM (VALUES (1, 1, DATE '2026-01-05', true, 10.0), (2, 2, DATE '2026-01-20', false, 30.0), (3, 1, DATE '2026-02-03', true, 60.0)) AS t(order_id, customer_id, ordered_at, has_food, order_total);
  `);
});

describe("a model file", () => {
  it("is read as it was written", () => {
    assert.deepEqual(readModelFile({ path: "shop.yaml", text: writeModelFile(SHOP) }), SHOP);
  });

  it("is refused with file and line for each fault of its form (SEM-1)", () => {
    const text =
      "name: shop\ndatasets:\n  - name: orders\n    table: orders\n    dimensions:\n      - { name: day, type: time }\nmetric: []\n";
    assert.throws(
      () => readModelFile({ path: "shop.yaml", text }),
      /shop\.yaml:6: datasets\.0\.dimensions\.0\.type: [\s\S]*shop\.yaml:1: \(top\): Unrecognized key: "metric"/,
    );
    assert.throws(() => readModelFile({ path: "shop.yaml", text: "name: [" }), /shop\.yaml:1: /);
  });

  it("of the documentation is whole", () => {
    const page = readFileSync(join(import.meta.dirname, "../../../docs/semantic-model.md"), "utf8");
    const text = /```yml\n(.*?)```/s.exec(page)?.[1] ?? "";
    assert.deepEqual(validateModel(readModelFile({ path: "page", text })), []);
  });
});

describe("a document of Open Semantic Interchange (SEM-7)", () => {
  const found = importFixture("osi");

  it("is imported, and what is not carried is told with file and line", () => {
    assert.deepEqual(told(found), [
      "retail.yaml:23: field store_sales.net_paid: its expression in MDX is not carried",
      "retail.yaml:53: metric spread is left out: STDDEV(store_sales.net_paid) is more than arithmetic over sums, counts, averages, minima and maxima",
    ]);
  });

  it("answers as statements written by hand do", async () => {
    assert.deepEqual(
      await rowsOf(found.model, { metrics: ["total_sales"], groupBy: [{ dimension: "customer.country" }] }),
      await byHand(
        "SELECT country, sum(paid - tax) FROM store_sales JOIN customer USING (customer_key) GROUP BY 1 ORDER BY 2 DESC",
      ),
    );
    // The customer who bought nothing counts: customers are counted by themselves, sales by themselves.
    assert.deepEqual(await rowsOf(found.model, { metrics: ["sales_per_customer"] }), await byHand("SELECT 40.0 / 3"));
  });

  it("is a fixpoint of import and export", () => {
    const first = writeOsi(found.model).text;
    const again = importModel([{ path: "again.yaml", text: first }]);
    assert.deepEqual(again.model, found.model);
    assert.deepEqual(again.notes, []);
    assert.equal(writeOsi(again.model).text, first);
    assert.doesNotMatch(first, /FRONTDESK/);
  });

  it("has metrics over columns in their dataset, where others can read them", () => {
    const { text, unstated } = writeOsi(SHOP);
    const document = parse(text);
    delete document.semantic_model[0].custom_extensions;
    const { notes, model } = importModel([{ path: "shop.yaml", text: stringify(document) }]);
    assert.deepEqual(notes, []);
    assert.ok(model.metrics.some(({ name }) => name === "orders_orders"));
    // Counts of rows of two datasets have no place where both are known.
    assert.deepEqual([unstated.includes("orders"), unstated.includes("refund_rate")], [false, true]);
  });

  it("carries what the format has no words for in an extension, until somebody changes the document", () => {
    const { text, unstated } = writeOsi(SHOP);
    assert.deepEqual(importModel([{ path: "shop.yaml", text }]).model, SHOP);
    assert.ok(unstated.includes("revenue_so_far") && !unstated.includes("revenue"));
    const changed = importModel([{ path: "shop.yaml", text: text.replace("name: status", "name: state") }]);
    assert.match(told(changed).join("\n"), /was changed since it was exported/);
    assert.ok(!changed.model.metrics.some(({ name }) => name === "revenue_so_far"));
  });
});

describe("a model of MetricFlow (SEM-8)", () => {
  const found = importFixture("metricflow");

  it("is imported with keys and values of the tests, and what would be another number is left out, with file and line", () => {
    assert.deepEqual(told(found), [
      "models/orders.yml:18: measure orders.balance is left out: non_additive_dimension is not carried, and its sum would be another number",
      "models/orders.yml:49: metric final_balance is left out: its measure balance is missing",
      "models/orders.yml:55: metric visits_to_orders is left out: type conversion is not carried",
      "models/orders.yml:52: metric double_balance is left out: final_balance is missing",
    ]);
    const kind = found.model.datasets
      .find(({ name }) => name === "customers")
      ?.dimensions.find(({ name }) => name === "kind");
    assert.deepEqual(kind?.values, ["new", "returning"]);
    assert.deepEqual(
      found.model.metrics.map(({ name }) => name),
      [
        "order_count",
        "revenue",
        "food_revenue",
        "new_customer_revenue",
        "food_share",
        "revenue_growth",
        "revenue_to_date",
      ],
    );
  });

  const byMonth = [{ dimension: "metric_time", grain: "month" }] as const;
  const statements: readonly (readonly [string, Partial<ModelQuery> & Pick<ModelQuery, "metrics">, string])[] = [
    [
      "a simple metric by a joined dimension",
      { metrics: ["revenue", "order_count"], groupBy: [{ dimension: "customers.kind" }] },
      "SELECT customer_type, sum(order_total), count(*) FROM fct_orders JOIN dim_customers USING (customer_id) GROUP BY 1 ORDER BY 2 DESC",
    ],
    [
      "a filter on its own dataset, filled",
      { metrics: ["food_revenue"], groupBy: byMonth },
      "SELECT date_trunc('month', ordered_at)::DATE, sum(order_total) FROM fct_orders WHERE has_food GROUP BY 1 ORDER BY 1",
    ],
    [
      "a filter on a joined dataset",
      { metrics: ["new_customer_revenue"] },
      "SELECT sum(order_total) FROM fct_orders WHERE customer_id = 1",
    ],
    [
      "a ratio",
      { metrics: ["food_share"] },
      "SELECT sum(order_total) FILTER (has_food) / sum(order_total) FROM fct_orders",
    ],
    [
      "a growth",
      { metrics: ["revenue_growth"], groupBy: byMonth },
      "SELECT * FROM (VALUES (DATE '2026-01-01', NULL), (DATE '2026-02-01', 0.5::DOUBLE)) AS t",
    ],
    [
      "a total since the month began",
      { metrics: ["revenue_to_date"], groupBy: [{ dimension: "metric_time", grain: "week" }], limit: 3 },
      "SELECT * FROM (VALUES (DATE '2026-01-05', 10.0), (DATE '2026-01-12', 10.0), (DATE '2026-01-19', 40.0)) AS t",
    ],
  ];
  for (const [what, query, sql] of statements)
    it(`answers as a statement written by hand does: ${what}`, async () => {
      assert.deepEqual(await rowsOf(found.model, query), await byHand(sql));
    });

  it("is read from the manifests that dbt writes, with the tables that it built", () => {
    const { model, notes } = importFixture("metricflow-manifest");
    assert.deepEqual(notes, []);
    assert.equal(model.name, "acme_sales");
    const [orders] = model.datasets;
    assert.equal(orders?.table, "acme.sales.fct_orders");
    assert.deepEqual(orders?.dimensions.find(({ name }) => name === "status")?.values, ["paid", "open"]);
    assert.deepEqual(model.metrics[0]?.filter, ["${orders.status} = 'paid'"]);
  });
});

/** What each of these formats says of the same two tables. */
const BY_KIND =
  "SELECT customer_type, sum(order_total) FROM fct_orders JOIN dim_customers USING (customer_id) GROUP BY 1 ORDER BY 2 DESC";
const FOOD = "SELECT sum(order_total) FILTER (has_food) / sum(order_total) FROM fct_orders";

describe("a semantic view of Snowflake (SEM-11)", () => {
  const found = importFixture("snowflake");

  it("is imported with verified queries, and what is not carried is told", () => {
    assert.deepEqual(told(found), [
      "sales.yaml:33: relationship orders_to_customers: join_type inner is not carried; rows without a match are kept",
      "sales.yaml:20: metric SPREAD is left out: STDDEV(net) is more than arithmetic over sums, counts, averages, minima, maxima and metrics",
      "sales.yaml:21: metric BALANCE is left out: non_additive_dimensions is not carried, and its sum would be another number",
    ]);
    assert.deepEqual(
      found.model.verifiedQuestions.map(({ question }) => question),
      ["Which kind of customer buys most?"],
    );
    assert.equal(found.model.instruction, "Amounts are in euros.");
  });

  it("answers as statements written by hand do", async () => {
    assert.deepEqual(
      await rowsOf(found.model, { metrics: ["REVENUE"], groupBy: [{ dimension: "CUSTOMERS.KIND" }] }),
      await byHand(BY_KIND.replace("order_total", "order_total - 1")),
    );
    assert.deepEqual(
      await rowsOf(found.model, { metrics: ["BASKET"], filters: [{ name: "food_only" }] }),
      await byHand("SELECT sum(order_total - 1) / count(*) FROM fct_orders WHERE has_food"),
    );
    assert.deepEqual(await rowsOf(found.model, { metrics: ["REVENUE_PER_CUSTOMER"] }), await byHand("SELECT 97.0 / 2"));
  });
});

describe("a data model of Cube (SEM-12)", () => {
  const found = importFixture("cube");

  it("is imported, and what is not carried is told", () => {
    assert.deepEqual(told(found), [
      "shop.yml:28: cube orders: pre_aggregations is not carried",
      "shop.yml:17: dimension orders.place is left out: type geo is not carried",
      "shop.yml:25: measure orders.last_status is left out: type string is not carried",
    ]);
    assert.deepEqual(
      found.model.metrics.map(({ name }) => name),
      [
        "orders_count",
        "revenue",
        "food_revenue",
        "food_share",
        "revenue_per_customer",
        "revenue_so_far",
        "customers_count",
      ],
    );
  });

  it("answers as statements written by hand do", async () => {
    assert.deepEqual(
      await rowsOf(found.model, { metrics: ["revenue"], groupBy: [{ dimension: "customers.kind" }] }),
      await byHand(BY_KIND),
    );
    assert.deepEqual(await rowsOf(found.model, { metrics: ["food_share"] }), await byHand(FOOD));
    assert.deepEqual(
      await rowsOf(found.model, { metrics: ["revenue_per_customer"] }),
      await byHand("SELECT 100.0 / 2"),
    );
    assert.deepEqual(
      await rowsOf(found.model, {
        metrics: ["orders_count"],
        groupBy: [{ dimension: "orders.size" }],
        filters: [{ name: "food_only" }],
      }),
      await byHand("SELECT * FROM (VALUES ('large', 1::BIGINT), ('small', 1)) AS t"),
    );
    assert.deepEqual(
      await rowsOf(found.model, {
        metrics: ["revenue_so_far"],
        groupBy: [{ dimension: "metric_time", grain: "month" }],
      }),
      await byHand("SELECT * FROM (VALUES (DATE '2026-01-01', 40.0), (DATE '2026-02-01', 100.0)) AS t"),
    );
  });
});

describe("LookML (SEM-13)", () => {
  const found = importFixture("lookml");

  it("is imported with refinements, and views with restricted rows are left out", () => {
    assert.deepEqual(told(found), [
      "shop.view.lkml:14: view orders: parameter is not carried",
      "shop.view.lkml:8: dimension orders.bucket is left out: type tier is not carried",
      "shop.model.lkml:13: view salaries is left out: access_filter restricts its rows, and is not carried",
      "shop.view.lkml:12: measure orders.recent is left out: a filter is none of yes, no and plain values of its view",
    ]);
    assert.deepEqual(
      found.model.datasets.map(({ name }) => name),
      ["orders", "customers"],
    );
  });

  it("answers as statements written by hand do", async () => {
    assert.deepEqual(
      await rowsOf(found.model, { metrics: ["revenue"], groupBy: [{ dimension: "customers.kind" }] }),
      await byHand(BY_KIND),
    );
    assert.deepEqual(await rowsOf(found.model, { metrics: ["food_share"] }), await byHand(FOOD));
    assert.deepEqual(
      await rowsOf(found.model, { metrics: ["new_customers", "orders_count"] }),
      await byHand("SELECT 1::BIGINT, 3::BIGINT"),
    );
  });

  it("that cannot be read is refused with its line", () => {
    const text = "view: orders {\n  dimension: id {\n    sql: ${TABLE}.id\n  }\n}\n";
    assert.throws(() => importModel([{ path: "a.view.lkml", text }]), /a\.view\.lkml:3: there is no ;; behind it/);
    assert.throws(() => importModel([{ path: "a.view.lkml", text: "view: orders {" }]), /a\.view\.lkml:1: /);
  });
});

describe("an import", () => {
  it("refuses files of no format, of two, and YAML that cannot be read", () => {
    const file = (path: string, text: string) => ({ path, text });
    assert.throws(() => importModel([file("a.yml", "x: 1")]), /no file is a semantic model: a\.yml/);
    assert.throws(() => importModel([file("a.yml", "x: 1\ny: [\n")]), /a\.yml:\d: /);
    const two = [file("a.yml", "semantic_models: []"), file("b.yml", "semantic_model: []")];
    assert.throws(() => importModel(two), /several formats, a\.yml \(metricflow\) and b\.yml \(osi\)/);
  });
});
