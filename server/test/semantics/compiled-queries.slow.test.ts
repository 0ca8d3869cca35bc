import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { DatasourceReferencesSchema } from "@frontdesk/protos/gda/datasource";
import { createConnection } from "mysql2/promise";
import pg from "pg";
import { nonEmptyFields } from "#base";
import { compileQuery, ModelFault, type ModelQuery, modelDialect, modelQuery, validateModel } from "#semantics";
import { startMariaDb, startPostgres, type ThrowawayPostgres, withoutMariaDb, withoutPostgres } from "#testing";
import { createWarehouse } from "#warehouse";
import { bruteForce } from "./brute-force.ts";
import { randomQuery } from "./random-query.ts";
import { SHOP } from "./shop-model.ts";
import { randomFrom, shopRows, shopStatements } from "./shop-rows.ts";

describe("a compiled query gives what a loop over all rows gives (SEM-2, SEM-4, SEM-5)", () => {
  let connection: DuckDBConnection;
  before(async () => {
    connection = await (await DuckDBInstance.create(":memory:")).connect();
  });
  after(() => connection.closeSync());

  const onDuckdb = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson();

  for (let seed = 1; seed <= 30; seed++) {
    it(`in DuckDB, for random rows and queries ${seed}`, async () => {
      const random = randomFrom(seed);
      const rows = shopRows(random);
      for (const statement of shopStatements(rows)) await connection.run(statement);
      for (let count = 0; count < 8; count++) await agrees(randomQuery(random), rows, "duckdb", onDuckdb);
    });
  }

  it("in PostgreSQL", { skip: withoutPostgres() }, async () => {
    const server: ThrowawayPostgres = await startPostgres();
    const client = new pg.Client({ connectionString: server.url });
    try {
      await client.connect();
      const onPostgres = async (text: string) => (await client.query({ text, rowMode: "array", types: AS_TEXT })).rows;
      for (let seed = 31; seed <= 40; seed++) {
        const random = randomFrom(seed);
        const rows = shopRows(random);
        await client.query(shopStatements(rows).join(";"));
        for (let count = 0; count < 8; count++) await agrees(randomQuery(random), rows, "postgresql", onPostgres);
      }
    } finally {
      await client.end();
      await server.stop();
    }
  });

  it("in MariaDB, through the check of statements", { skip: withoutMariaDb() }, async () => {
    const server = await startMariaDb();
    const owner = await createConnection({ uri: server.url, multipleStatements: true });
    const warehouse = createWarehouse({
      sources: [],
      remote: [{ name: ["acme", "shop"], engine: "mysql", connectionString: () => server.url }],
      ...{ memory: "256MB", spillDir: "/nonexistent" },
    });
    try {
      await owner.query("CREATE DATABASE shop; USE shop");
      const limits = { maxRows: 10_000, maxBytes: 10_000_000, timeoutMs: 10_000 };
      const { signal } = new AbortController();
      for (let seed = 41; seed <= 50; seed++) {
        const random = randomFrom(seed);
        const rows = shopRows(random);
        await owner.query(mysqlStatements(shopStatements(rows)).join(";"));
        const references = ["customers", "orders", "items", "refunds"].map((tableId) => ({
          ...{ projectId: "acme", datasetId: "shop", tableId },
        }));
        const source = await warehouse.open(
          create(DatasourceReferencesSchema, { references: { case: "bq", value: { tableReferences: references } } }),
        );
        assert.ok(source.kind === "sql");
        const onMariaDb = async (sql: string) => (await source.query({ sql, limits, signal })).rows;
        for (let count = 0; count < 8; count++)
          await agrees(withoutMedian(randomQuery(random)), rows, "mysql", onMariaDb);
      }
    } finally {
      await owner.end();
      await warehouse.close();
      await server.stop();
    }
  });
});

/** Texts of MySQL have a length, and its timestamps a time zone. */
function mysqlStatements(statements: readonly string[]): readonly string[] {
  return statements.map((sql) =>
    sql.startsWith("CREATE") ? sql.replaceAll("VARCHAR", "VARCHAR(50)").replaceAll("TIMESTAMP", "DATETIME") : sql,
  );
}

/** MySQL has no median that groups. */
function withoutMedian(query: ModelQuery): ModelQuery {
  const metrics = query.metrics.filter((metric) => metric !== "typical_order");
  return { ...query, metrics: metrics.length > 0 ? metrics : ["orders"] };
}

const AS_TEXT = { getTypeParser: () => (value: string) => value } as unknown as pg.CustomTypesConfig;

async function agrees(
  query: ModelQuery,
  rows: ReturnType<typeof shopRows>,
  dialect: "duckdb" | "postgresql" | "mysql",
  run: (sql: string) => Promise<readonly (readonly unknown[])[]>,
): Promise<void> {
  const { sql } = compile(query, dialect);
  const found = await run(sql).catch((error) => assert.fail(`${error}\n${sql}`));
  const width = query.groupBy.length;
  // Truth that was grouped is a number in MySQL.
  const key = (values: readonly unknown[]) =>
    JSON.stringify(
      values.map(cell).map((one) => (dialect === "mysql" ? ({ true: 1, false: 0 }[String(one)] ?? one) : one)),
    );
  const got = found.map((row) => [key(row.slice(0, width)), row.slice(width).map(cell)] as const);
  const wanted = [...bruteForce(rows, query)].map(
    ([group, values]) => [key(JSON.parse(group)), values.map(cell)] as const,
  );
  const sorted = (groups: readonly (readonly [string, unknown])[]) =>
    groups.toSorted(([one], [other]) => (one < other ? -1 : 1));
  assert.deepEqual(sorted(got), sorted(wanted), `${JSON.stringify(query)}\n${sql}`);
}

/** Cells as both sides write them: numbers with nine digits, truth as a word. */
function cell(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  if (value === "t" || value === true) return "true";
  if (value === "f" || value === false) return "false";
  const number = Number(value);
  return String(value).trim() === "" || Number.isNaN(number) ? String(value) : Number(number.toPrecision(9));
}

function compile(query: ModelQuery, dialect: "duckdb" | "postgresql" | "googlesql" | "mysql" = "duckdb") {
  const target = modelDialect(dialect);
  assert.ok(target);
  return compileQuery(SHOP, query, { dialect: target, tableOf: ({ table = "" }) => target.quote(table) });
}

describe("a query that would count rows more than once, or that could mean two things (SEM-3)", () => {
  const refused: readonly (readonly [string, Partial<ModelQuery> & Pick<ModelQuery, "metrics">, RegExp])[] = [
    [
      "an order has several items",
      { metrics: ["revenue"], groupBy: [{ dimension: "items.product" }] },
      /items\.product cannot be combined with measures of orders: one row of orders has several of items.*fan-out/,
    ],
    [
      "a condition on items",
      { metrics: ["orders"], where: [{ dimension: "items.product", operator: "=", values: ["Tea"] }] },
      /fan-out/,
    ],
    [
      "one of two metrics cannot be grouped so",
      { metrics: ["units", "refunds"], groupBy: [{ dimension: "items.product" }] },
      /measures of refunds/,
    ],
    [
      "customers have no time",
      { metrics: ["customers"], groupBy: [{ dimension: "metric_time", grain: "day" }] },
      /customers\.customers has no time dimension/,
    ],
    [
      "a running total without a time",
      { metrics: ["revenue_so_far"] },
      /group by metric_time or orders\.placed_at once, with a grain/,
    ],
    [
      "a month before, by week",
      { metrics: ["revenue_growth"], groupBy: [{ dimension: "metric_time", grain: "week" }] },
      /1 months are no whole number of weeks/,
    ],
    [
      "a comparison of a part of a month",
      {
        metrics: ["revenue_growth"],
        groupBy: [{ dimension: "metric_time", grain: "month" }],
        where: [{ dimension: "metric_time", operator: ">=", values: ["2025-11-15"] }],
      },
      /begin and end with a whole month/,
    ],
    [
      "a join that leads elsewhere",
      { metrics: ["orders"], groupBy: [{ dimension: "customers.region", via: "item_order" }] },
      /customers\.region: relationship item_order does not lead from orders to customers$/,
    ],
    [
      "several faults at once",
      {
        metrics: ["profit"],
        groupBy: [{ dimension: "orders.placed_at" }, { dimension: "orders.status", grain: "day" }],
        limit: 0,
      },
      /is a time; say by which grain[\s\S]*is no time[\s\S]*profit does not exist[\s\S]*limit/,
    ],
    [
      "a value of another type",
      { metrics: ["orders"], where: [{ dimension: "orders.placed_at", operator: "=", values: ["soon"] }] },
      /"soon" is no timestamp/,
    ],
  ];
  for (const [what, query, message] of refused)
    it(`is refused by name: ${what}`, () => {
      assert.throws(
        () => compile(modelQuery(query)),
        (error) => error instanceof ModelFault && message.test(error.message),
      );
    });

  it("is refused where two joins lead to a dataset, until one is named", () => {
    const model = {
      ...SHOP,
      relationships: [
        ...SHOP.relationships,
        { name: "payer", from: "orders", to: "customers", columns: [["payer_id", "id"]], cardinality: "many_to_one" },
      ],
    } as const satisfies typeof SHOP;
    const dialect = modelDialect("duckdb");
    assert.ok(dialect);
    const sqlOf = (via?: string) =>
      compileQuery(
        model,
        modelQuery({ metrics: ["orders"], groupBy: [{ dimension: "customers.region", ...nonEmptyFields({ via }) }] }),
        {
          dialect,
          tableOf: ({ table = "" }) => table,
        },
      ).sql;
    assert.throws(
      () => sqlOf(),
      /several joins lead from orders to customers \(order_customer; payer\); say which by via/,
    );
    assert.match(sqlOf("payer"), /payer_id/);
  });
});

describe("the first rows of an order (SEM-9)", () => {
  it("are given with those that are equal to the last, and what has no value comes last", async () => {
    const connection = await (await DuckDBInstance.create(":memory:")).connect();
    const order = (id: number, customer_id: number, amount: number) => ({
      ...{ id, customer_id, placed_at: "2026-01-05 10:00:00", status: "paid" },
      ...{ amount, discount: 0 },
    });
    const customers = ["East", "West", "North", "South"].map((region, at) => ({ id: at + 1, region, vip: false }));
    const orders = [order(1, 1, 10), order(2, 2, 30), order(3, 3, 10), order(4, 4, 5)];
    for (const statement of shopStatements({ customers, orders, items: [], refunds: [] }))
      await connection.run(statement);
    const { sql } = compile(
      modelQuery({ metrics: ["revenue"], groupBy: [{ dimension: "customers.region" }], limit: 2 }),
    );
    const rows = (await connection.runAndReadAll(sql)).getRowsJson();
    assert.deepEqual(rows, [
      ["West", "30"],
      ["East", "10"],
      ["North", "10"],
    ]);
    connection.closeSync();
  });
});

describe("a compiled statement", () => {
  it("is the same for the same query, and quotes what comes from outside", () => {
    const query = modelQuery({
      metrics: ["orders"],
      where: [{ dimension: "orders.status", operator: "=", values: ["it's'; DROP TABLE x; --"] }],
    });
    assert.equal(compile(query).sql, compile(query).sql);
    assert.match(compile(query).sql, /'it''s''; DROP TABLE x; --'/);
  });

  it("is written in BigQuery's functions for BigQuery", () => {
    const { sql } = compile(
      modelQuery({ metrics: ["revenue_growth"], groupBy: [{ dimension: "metric_time", grain: "month" }] }),
      "googlesql",
    );
    assert.match(sql, /DATE_TRUNC\(DATE\(t\), MONTH\)/);
    assert.match(sql, /GENERATE_DATE_ARRAY\(a, b, INTERVAL 1 MONTH\)/);
    assert.match(sql, /`placed_at`/);
    assert.throws(
      () => compile(modelQuery({ metrics: ["typical_order"] }), "googlesql"),
      /googlesql has no exact percentile/,
    );
  });
});

describe("a model (SEM-1)", () => {
  it("that is whole has no faults", () => assert.deepEqual(validateModel(SHOP), []));

  it("is told everything that is wrong with it, by name", () => {
    const [customers, orders, ...others] = SHOP.datasets;
    assert.ok(customers && orders);
    const faults = validateModel({
      ...SHOP,
      datasets: [
        { ...customers, keys: [] },
        {
          ...orders,
          dimensions: [...orders.dimensions, { name: "loop", type: "text", expr: "${loop}" }],
          measures: [
            ...orders.measures,
            { name: "broken", aggregation: "sum", expr: "amount)" },
            { name: "bare", aggregation: "sum" },
          ],
        },
        ...others,
      ],
      metrics: [
        ...SHOP.metrics,
        { name: "orders", kind: "simple", measure: "orders.nothing" },
        { name: "ring", kind: "derived", expression: "ring + cost", inputs: [{ metric: "ring" }] },
        { name: "filtered", kind: "simple", measure: "orders.orders", filter: ["status = 'paid'"] },
      ],
    });
    assert.deepEqual(faults, [
      "metric orders is defined more than once",
      "dimension orders.loop is defined by itself",
      "measure orders.broken: its expression has parentheses that do not match",
      "measure orders.bare: sum needs an expr",
      "relationship order_customer: id is no key of customers, so a join could repeat rows; add it to its keys",
      "metric orders: measure orders.nothing does not exist",
      "metric ring is made of itself",
      "metric ring: cost in its expression is none of its inputs",
      "metric filtered, filter: write ${dataset.dimension} in place of status",
    ]);
  });
});
