import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { JsonObject } from "#base";
import { type ModelDefinition, readModelFile } from "#semantics";
import { ScriptedModel, say, type TestServer } from "#testing";
import { askAll, callRest, LOCATION, ORDERS_REFERENCE, startDataServer } from "../analytics/data-server.ts";
import type { Element } from "../analytics/line-clients.ts";

const MODEL: ModelDefinition = readModelFile({
  path: "sales.model.yaml",
  text: `
name: sales
datasets:
  - name: orders
    table: warehouse.sales.orders
    keys: [[order_id]]
    timeDimension: ordered_on
    dimensions:
      - { name: ordered_on, type: date, synonyms: [order date] }
      - { name: region, type: text, synonyms: [area] }
      - { name: product, type: text }
    measures:
      - { name: orders, aggregation: count }
      - { name: revenue, aggregation: sum, expr: amount }
      - { name: units, aggregation: sum, expr: quantity }
      - { name: average_price, aggregation: average, expr: amount / quantity }
metrics:
  - { name: orders, kind: simple, measure: orders.orders }
  - { name: revenue, kind: simple, measure: orders.revenue, synonyms: [turnover], filter: ["\${orders.product} <> 'Mug'"] }
  - { name: units, kind: simple, measure: orders.units }
  - { name: average_price, kind: simple, measure: orders.average_price }
  - { name: basket, kind: ratio, numerator: { metric: revenue }, denominator: { metric: orders } }
  - { name: revenue_so_far, kind: cumulative, measure: orders.revenue }
filters:
  - { name: kettles, expr: "\${orders.product} = 'Kettle'" }
`,
});

const AGENT = `${LOCATION}/dataAgents/sales`;
const analytics = { definedModels: new Map([["sales", MODEL]]), budgets: { byAgent: new Map() } };

async function withAgent(server: TestServer): Promise<TestServer> {
  await callRest(server, "POST", `/v1beta/${LOCATION}/dataAgents:createSync?dataAgentId=sales`, {
    dataAnalyticsAgent: { publishedContext: { datasourceReferences: ORDERS_REFERENCE } },
  });
  return server;
}

interface Answer {
  readonly text: string;
  readonly warnings: readonly string[];
  readonly sql: string | undefined;
  readonly rows: readonly JsonObject[];
}

/** Asks questions one after the other in a conversation that the client keeps; the last answer. */
async function ask(server: TestServer, ...questions: readonly string[]): Promise<Answer> {
  let elements: Element[] = [];
  let messages: object[] = [];
  for (const text of questions) {
    messages = [...messages, ...elements, { userMessage: { text } }];
    elements = await askAll(server, { messages, dataAgentContext: { dataAgent: AGENT } });
  }
  // biome-ignore lint/suspicious/noExplicitAny: JSON of the stream, asserted by each test
  const found = elements.map(({ systemMessage }: any) => systemMessage ?? {});
  const last = found.find(({ text }) => text?.textType === "FINAL_RESPONSE")?.text;
  return {
    text: last?.parts.join("\n") ?? JSON.stringify(elements),
    warnings: last?.warnings ?? [],
    sql: found.findLast(({ data }) => data?.generatedSql)?.data.generatedSql,
    rows: found.findLast(({ data }) => data?.result)?.data.result.data ?? [],
  };
}

describe("a question to a data agent with a semantic model, by the rules (SEM-10)", () => {
  let server: TestServer;
  before(async () => {
    server = await withAgent(await startDataServer({ config: { analytics } }));
  });
  after(() => server[Symbol.asyncDispose]());

  const answered: readonly (readonly [string | readonly string[], string, readonly JsonObject[]])[] = [
    [
      "revenue by month",
      "Revenue by month.",
      [
        { month: "2026-01-01", revenue: "108.5" },
        { month: "2026-02-01", revenue: "48.5" },
        { month: "2026-03-01", revenue: "30" },
      ],
    ],
    [
      "What was the turnover in February 2026?",
      "Revenue, from 2026-02-01 until before 2026-03-01.",
      [{ revenue: "48.5" }],
    ],
    [
      "how many orders by region",
      "Orders by region.",
      [
        { region: "North", orders: "3" },
        { region: "South", orders: "2" },
        { region: "West", orders: "1" },
      ],
    ],
    ["orders and units in the area North", "Orders and units, where region is North.", [{ orders: "3", units: "8" }]],
    [
      "orders not in North by product",
      "Orders by product, where region is not North.",
      [
        { product: "Kettle", orders: "1" },
        { product: "Mug", orders: "1" },
        { product: "Teapot", orders: "1" },
      ],
    ],
    ["orders without kettles", "Orders, without kettles.", [{ orders: "4" }]],
    ["top 1 region by orders", "Orders by region, highest orders first, first 1.", [{ region: "North", orders: "3" }]],
    [
      "which product has the fewest orders?",
      "Orders by product, lowest orders first, first 1.",
      [
        { product: "Kettle", orders: "2" },
        { product: "Mug", orders: "2" },
        { product: "Teapot", orders: "2" },
      ],
    ],
    ["revenue so far by quarter", "Revenue so far by quarter.", [{ quarter: "2026-01-01", revenue_so_far: "259" }]],
    [["orders by region", "only North and by product"], "Orders by region and product, where region is North.", []],
    [["revenue by region", "and in February 2026"], "Revenue by region, from 2026-02-01 until before 2026-03-01.", []],
  ];
  for (const [questions, words, rows] of answered)
    it(`says what is answered: ${[questions].flat().join(" / ")}`, async () => {
      const { text, rows: found, warnings } = await ask(server, ...[questions].flat());
      assert.ok(text.startsWith(words), text);
      assert.deepEqual(
        warnings.filter((warning) => !warning.includes("equal numbers")),
        [],
      );
      if (rows.length > 0) assert.deepEqual(found.map(comparable), rows.map(comparable));
    });

  const refused: readonly (readonly [string, RegExp])[] = [
    ["revenue by flavour", /did not understand “flavour”.*leaving it out would answer another question/],
    ["average revenue by month", /did not understand “average”/],
    ["how many revenue", /revenue is no number of things/],
    ["total average price", /average price is no total/],
    ["orders with revenue", /did not understand “with”/],
    ["orders in North or without kettles", /did not understand “or”/],
    ["revenue per order", /did not understand “per”/],
    ["the highest revenue", /I do not know of what to find the highest/],
    ["revenue so far", /cannot answer that: revenue_so_far compares times: group by metric_time/],
    ["revenue growth by month", /did not understand “growth”/],
    ["revenue in North and orders in South", /did not understand “orders”/],
    ["revenue by region and orders by product", /did not understand “orders”/],
    ["regions by revenue", /did not understand “by”, “regions”/],
    ["best region by revenue", /did not understand “best”/],
    ["which region has more orders than South?", /did not understand “more”, “than”/],
    ["revenue by", /did not understand “by”/],
    ["orders in 2025 and 2026", /did not understand “2026”/],
    ["orders / units", /did not understand “\/”/],
    ["orders neither in North nor South", /do not understand which values of region are left out/],
  ];
  for (const [question, message] of refused)
    it(`refuses by name what the model does not say: ${question}`, async () => {
      const { text, sql } = await ask(server, question);
      assert.match(text, message);
      assert.equal(sql, undefined);
    });

  for (const question of ["list the last 2 orders", "list the orders in North", "how many products are there"])
    it(`says that an answer from the tables alone is not verified: ${question}`, async () => {
      const { warnings, text } = await ask(server, question);
      assert.match(warnings.join(), /Unverified: this was read from the tables/);
      assert.match(text, /Unverified/);
    });
});

/** Numbers as numbers. */
function comparable(row: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(row).map(([key, value]) => [key, Number.isNaN(Number(value)) ? value : Number(value)]),
  );
}

describe("a question to a data agent with a semantic model, by a language model (SEM-10)", () => {
  const json = (value: JsonObject) => say(JSON.stringify(value));
  const answer = json({ text: "See the rows.", follow_ups: [] });
  const byRegion = json({
    kind: "metrics",
    metrics: ["revenue"],
    group_by: [{ dimension: "orders.region" }],
    where: [{ dimension: "orders.ordered_on", operator: "<", values: ["2026-03-01"] }],
  });
  const wrong = json({ kind: "metrics", metrics: ["profit"], group_by: [{ dimension: "orders.ordered_on" }] });
  const right = json({ kind: "metrics", metrics: ["orders"] });
  const beside = json({
    kind: "query",
    name: "n",
    sql: "SELECT count(*) AS n FROM acme.sales.orders",
    reasoning: "Counts.",
  });
  let server: TestServer;
  let model: ScriptedModel;
  before(async () => {
    model = new ScriptedModel(
      ...[byRegion, answer],
      ...[wrong, right, answer],
      ...[wrong, wrong, wrong],
      ...[beside, answer],
    );
    server = await withAgent(await startDataServer({ model, config: { analytics } }));
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    model[Symbol.dispose]();
  });

  it("gets a query of the model, told in words and compiled", async () => {
    const { text, rows, warnings } = await ask(server, "What did we sell?");
    assert.deepEqual(rows.map(comparable), [
      { region: "South", revenue: 60 },
      { region: "North", revenue: 48.5 },
      { region: "West", revenue: 48.5 },
    ]);
    assert.match(text, /From the semantic model: revenue by region, where ordered on < 2026-03-01\./);
    assert.deepEqual(warnings, []);
    const read = model.requests[0]?.system ?? "";
    assert.match(read, /revenue: also turnover[\s\S]*orders\.region text: also area; values: "North"/);
  });

  it("hears what is wrong with its query", async () => {
    const { rows } = await ask(server, "What did we sell?");
    assert.deepEqual(rows, [{ orders: "6" }]);
    const heard = JSON.stringify(model.requests[3]?.messages);
    assert.match(heard, /orders\.ordered_on is a time; say by which grain.*metric profit does not exist/);
  });

  it("is refused after three queries that the model does not have", async () => {
    const { text, sql } = await ask(server, "What did we sell?");
    assert.match(text, /The semantic model cannot answer that: .*metric profit does not exist/);
    assert.equal(sql, undefined);
  });

  it("is told to be unverified where it writes SQL beside the model", async () => {
    const { warnings } = await ask(server, "What did we sell?");
    assert.match(warnings.join(), /Unverified: a language model wrote this SQL/);
  });
});
