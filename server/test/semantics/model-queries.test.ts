import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { readModelFile } from "#semantics";
import { ScriptedModel, say, type TestServer } from "#testing";
import { askAll, callRest, LOCATION, ORDERS_REFERENCE, startDataServer } from "../analytics/data-server.ts";

const TEXT = `
name: sales
datasets:
  - name: orders
    table: warehouse.sales.orders
    keys: [[order_id]]
    timeDimension: ordered_on
    dimensions:
      - { name: ordered_on, type: date }
      - { name: region, type: text, synonyms: [area] }
      - { name: product, type: text, hidden: true }
    measures:
      - { name: orders, aggregation: count }
      - { name: revenue, aggregation: sum, expr: amount }
metrics:
  - { name: orders, kind: simple, measure: orders.orders, label: number of orders }
  - { name: revenue, kind: simple, measure: orders.revenue }
filters:
  - { name: kettles, expr: "\${orders.product} = 'Kettle'" }
`;
const MODEL = readModelFile({ path: "sales.model.yaml", text: TEXT });
const AGENT = `${LOCATION}/dataAgents/sales`;
const analytics = { definedModels: new Map([["sales", MODEL]]), budgets: { byAgent: new Map() } };

/** A data agent with the model, and one without. */
async function withAgents(server: TestServer): Promise<TestServer> {
  for (const id of ["sales", "plain"])
    await callRest(server, "POST", `/v1beta/${LOCATION}/dataAgents:createSync?dataAgentId=${id}`, {
      dataAnalyticsAgent: { publishedContext: { datasourceReferences: ORDERS_REFERENCE } },
    });
  return server;
}

/** The `data.query` message of an answer, and its rows. */
async function ask(server: TestServer, text: string, agent = AGENT) {
  const elements = await askAll(server, {
    messages: [{ userMessage: { text } }],
    dataAgentContext: { dataAgent: agent },
  });
  const data = elements.flatMap(({ systemMessage }) => (systemMessage?.data ? [systemMessage.data] : []));
  const final = elements.findLast(({ systemMessage }) => systemMessage?.text?.textType === "FINAL_RESPONSE");
  return {
    query: data.findLast(({ query }) => query)?.query,
    rows: data.findLast(({ result }) => result)?.result.data,
    text: final?.systemMessage.text.parts.join("") ?? "",
  };
}

const BY_REGION = { metrics: ["orders"], groupBy: [{ dimension: "orders.region" }] };

describe("a query of the semantic model (SEM-14)", () => {
  let server: TestServer;
  before(async () => {
    server = await withAgents(await startDataServer({ config: { analytics } }));
  });
  after(() => server[Symbol.asyncDispose]());

  const run = (body: object, agent = AGENT) => callRest(server, "POST", `/v1beta/${agent}:runStatement`, body);

  it("is what a question became, in parts and in words", async () => {
    const { query } = await ask(server, "top 2 regions by orders without kettles");
    assert.equal(query.origin, "SEMANTIC_MODEL");
    assert.equal(query.words, "number of orders by region, without kettles, highest number of orders first, first 2");
    assert.deepEqual(query.modelQuery, {
      ...BY_REGION,
      filters: [{ name: "kettles", negated: true }],
      orderBy: [{ by: "orders", descending: true }],
      limit: 2,
    });
  });

  it("is run again after somebody changed a part of it", async () => {
    const { query } = await ask(server, "orders by region without kettles");
    const changed = {
      ...query.modelQuery,
      filters: [{ name: "kettles" }],
      where: [{ dimension: "orders.region", operator: "in", values: ["North", "West"] }],
    };
    const { status, json } = await run({ modelQuery: changed });
    assert.equal(status, 200, JSON.stringify(json));
    assert.equal(json.words, "number of orders by region, where region is one of North, West, only kettles");
    assert.deepEqual(json.result.data, [
      { region: "North", orders: "1" },
      { region: "West", orders: "1" },
    ]);
    assert.match(json.sqlQuery, /SELECT/);
    assert.ok(json.vegaConfig);
  });

  it("is compiled and explained without being run", async () => {
    const { json } = await run({ modelQuery: BY_REGION, explainOnly: true });
    assert.equal(json.words, "number of orders by region");
    assert.equal(json.result, undefined);
  });

  const refused: readonly (readonly [string, object, RegExp])[] = [
    [
      "names that the model has not",
      { modelQuery: { metrics: ["profit"] } },
      /model_query: metric profit does not exist/,
    ],
    [
      "words that no query has",
      { modelQuery: { ...BY_REGION, where: [{ dimension: "orders.region", operator: "like", values: ["N"] }] } },
      /operator like is none of =/,
    ],
    [
      "both ways to ask",
      { modelQuery: BY_REGION, sqlQuery: "SELECT 1" },
      /Give exactly one of sql_query and model_query/,
    ],
    ["neither", {}, /Give exactly one of sql_query and model_query/],
  ];
  for (const [what, body, message] of refused)
    it(`is refused with the field for ${what}`, async () => {
      const { status, json } = await run(body);
      assert.equal(status, 400, JSON.stringify(json));
      assert.match(json.error.message, message);
    });

  it("is refused where the agent has no semantic model", async () => {
    const { status, json } = await run({ modelQuery: BY_REGION }, `${LOCATION}/dataAgents/plain`);
    assert.equal(status, 400);
    assert.match(json.error.message, /has no semantic model/);
    assert.equal(json.error.details[0].reason, "NO_SEMANTIC_MODEL");
  });

  it("is made of what the model shows: metrics, dimensions with grains and values, filters", async () => {
    const { json } = await callRest(server, "GET", `/v1beta/${AGENT}:retrieveModelVocabulary`);
    assert.equal(json.modelName, "sales");
    assert.deepEqual(json.metrics, [
      { name: "orders", label: "number of orders" },
      { name: "revenue", label: "revenue" },
    ]);
    assert.deepEqual(
      json.dimensions.map(({ name, grains, values }: { name: string; grains?: string[]; values?: string[] }) => [
        name,
        grains?.length ?? 0,
        values?.toSorted(),
      ]),
      [
        ["metric_time", 6, undefined],
        ["orders.ordered_on", 5, undefined],
        ["orders.region", 0, ["North", "South", "West"]],
      ],
    );
    assert.deepEqual(json.filters, [{ name: "kettles", label: "kettles" }]);
  });

  it("is kept on the board as it is, not as SQL", async () => {
    const path = `/v1beta/${AGENT}:updateSync?updateMask=pinnedQuestions`;
    const pin = { question: "Orders by region", modelQuery: BY_REGION };
    const { status, json } = await callRest(server, "PATCH", path, { pinnedQuestions: [pin] });
    assert.equal(status, 200, JSON.stringify(json));
    assert.deepEqual(json.pinnedQuestions, [pin]);
    const both = await callRest(server, "PATCH", path, { pinnedQuestions: [{ ...pin, sqlQuery: "SELECT 1" }] });
    assert.match(both.json.error.message, /pinned_questions\[0\]\.sql_query: Give exactly one/);
  });

  it("is verified as it is, with the values of its question as parameters (CA-39)", async () => {
    const modelQuery = {
      metrics: ["revenue"],
      where: [{ dimension: "orders.region", operator: "=", values: ["North"] }],
    };
    const verified = await callRest(server, "POST", `/v1beta/${AGENT}:verifyAnswer`, {
      question: "What do we earn in North?",
      modelQuery,
    });
    assert.equal(verified.status, 200, JSON.stringify(verified.json));
    assert.equal(verified.json.naturalLanguageQuestion, "What do we earn in @region?");
    assert.deepEqual(verified.json.verification.modelQuery.where[0].values, ["@region"]);
    const { query, rows, text } = await ask(server, "What do we earn in South?");
    assert.equal(query.origin, "VERIFIED_QUERY");
    assert.equal(query.words, "revenue, where region is South");
    assert.deepEqual(query.modelQuery.where[0].values, ["South"]);
    assert.equal(Number(rows[0].revenue), 78);
    assert.match(text, /Answered by the verified query for “What do we earn in @region\?”/);
  });

  it("says that rules wrote the SQL where the model does not define what is asked", async () => {
    const { query } = await ask(server, "list the last 2 orders");
    assert.equal(query.origin, "RULES");
    assert.equal(query.modelQuery, undefined);
  });
});

describe("SQL of a language model beside the semantic model (SEM-14)", () => {
  it("is marked as such", async () => {
    const sql = JSON.stringify({
      kind: "query",
      name: "n",
      sql: "SELECT count(*) AS n FROM acme.sales.orders",
      reasoning: "Counts.",
    });
    const answer = JSON.stringify({ text: "See the rows.", follow_ups: [] });
    using model = new ScriptedModel(say(sql), say(answer));
    await using server = await withAgents(await startDataServer({ model, config: { analytics } }));
    const { query, text } = await ask(server, "How many did we sell?");
    assert.equal(query.origin, "LANGUAGE_MODEL");
    assert.match(text, /Unverified: a language model wrote this SQL/);
  });
});
