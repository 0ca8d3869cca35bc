import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { nonEmptyFields } from "#base";
import { unavailable } from "#status";
import { ScriptedModel, say, type TestServer } from "#testing";
import { askAll } from "./data-server.ts";
import { type FakeLooker, startFakeLooker } from "./fake-looker.ts";
import type { Element } from "./line-clients.ts";
import { answerOf, lookerQuestion, startLookerServer } from "./looker-questions.ts";

let looker: FakeLooker;
let server: TestServer;
before(async () => {
  looker = await startFakeLooker();
  server = await startLookerServer(looker);
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await looker[Symbol.asyncDispose]();
});
beforeEach(() => looker.calls.splice(0));

const question = (text: string, more: object = {}, explore: object = {}) => lookerQuestion(looker, text, more, explore);

const kindsOf = (elements: readonly Element[]) =>
  elements.map(({ systemMessage: said }) => {
    const [kind = ""] = Object.keys(said ?? {}).filter((key) => key !== "groupId" && key !== "citation");
    return kind === "text" ? said.text.textType : `${kind}.${Object.keys(said?.[kind] ?? {})[0]}`;
  });
const dataOf = (elements: readonly Element[], kind: string) =>
  elements.map(({ systemMessage }) => systemMessage?.data?.[kind]).filter(Boolean);
const chartOf = (elements: readonly Element[]) =>
  elements.map(({ systemMessage }) => systemMessage?.chart?.result?.vegaConfig).find(Boolean);
const sourceOf = (elements: readonly Element[]) =>
  elements.map(({ systemMessage }) => systemMessage?.schema?.result?.datasources[0]).find(Boolean);

const query = (more: object) =>
  say(JSON.stringify({ kind: "query", name: "sales", reasoning: "Sales.", model: "shop", explore: "orders", ...more }));

describe("a question to Looker explores without a language model", () => {
  it("becomes a Looker query, its rows plain and formatted, a chart and an answer", async () => {
    const told = await askAll(server, question("total revenue by region"));
    assert.deepEqual(kindsOf(told), [
      "schema.query",
      "schema.result",
      "PROGRESS",
      "THOUGHT",
      "data.query",
      "data.result",
      "chart.query",
      "chart.result",
      "FINAL_RESPONSE",
      "FOLLOWUP_QUESTIONS",
    ]);
    const [asked] = dataOf(told, "query");
    assert.deepEqual(asked.looker, {
      model: "shop",
      explore: "orders",
      fields: ["orders.region", "orders.revenue"],
      filters: [{ field: "orders.is_test", value: "No" }],
      sorts: ["orders.revenue desc"],
      queryId: "42",
      clientId: "AbC123",
    });
    const [result] = dataOf(told, "result");
    assert.deepEqual(result.data[0], { "orders.region": "North", "orders.revenue": "1500.5" });
    assert.deepEqual(
      result.formattedData.map((row: Element) => row["orders.revenue"]),
      ["$1,500.50", "$900.00", "$120.25"],
    );
    const [, revenue] = result.schema.fields;
    assert.deepEqual(
      [revenue.name, revenue.type, revenue.category, revenue.valueFormat],
      ["orders.revenue", "FLOAT", "MEASURE", "$#,##0.00"],
    );
    assert.deepEqual(chartOf(told).data.values[0], { orders_region: "North", orders_revenue: 1500.5 });
    assert.match(answerOf(told), /\| North \| \$1,500\.50 \|/);
  });

  it("sends the query and the rows in full", async () => {
    const told = await askAll(server, question("top 1 region by revenue"));
    const lookerExploreReference = { lookerInstanceUri: looker.origin, lookmlModel: "shop", explore: "orders" };
    const { datasources, ...asked } = dataOf(told, "query")[0];
    assert.deepEqual(datasources[0].lookerExploreReference, lookerExploreReference);
    assert.deepEqual(asked, {
      question: "top 1 region by revenue",
      name: "region_total_revenue",
      looker: {
        model: "shop",
        explore: "orders",
        fields: ["orders.region", "orders.revenue"],
        filters: [{ field: "orders.is_test", value: "No" }],
        sorts: ["orders.revenue desc"],
        limit: "1",
        queryId: "42",
        clientId: "AbC123",
      },
    });
    const region = { name: "orders.region", type: "STRING", mode: "NULLABLE", displayName: "Region" };
    const revenue = { name: "orders.revenue", type: "FLOAT", mode: "NULLABLE", displayName: "Total Revenue" };
    assert.deepEqual(dataOf(told, "result"), [
      {
        name: "region_total_revenue",
        schema: {
          fields: [
            { ...region, category: "DIMENSION" },
            { ...revenue, category: "MEASURE", valueFormat: "$#,##0.00" },
          ],
        },
        data: [{ "orders.region": "North", "orders.revenue": "1500.5" }],
        formattedData: [{ "orders.region": "North", "orders.revenue": "$1,500.50" }],
      },
    ]);
  });

  it("sends the fields of the explore, except hidden ones, and its filters", async () => {
    const told = await askAll(server, question("revenue"));
    const source = sourceOf(told);
    assert.deepEqual(source.lookerExploreReference, {
      lookerInstanceUri: looker.origin,
      lookmlModel: "shop",
      explore: "orders",
    });
    assert.deepEqual(
      source.schema.fields.map(({ name }: { name: string }) => name),
      [
        "orders.region",
        "orders.created_month",
        "orders.is_test",
        "users.name",
        "products.name",
        "orders.count",
        "orders.revenue",
      ],
    );
    assert.deepEqual(source.schema.filters, [{ field: "orders.is_test", value: "No", type: "ALWAYS_FILTER" }]);
    assert.equal(source.structSchema.id, "shop::orders");
  });

  it("asks the instance with a token of its login, at most 5,000 rows", async () => {
    await askAll(server, question("how many orders where region is far west"));
    const [login, explore, kept, run, ...rest] = looker.calls;
    assert.deepEqual(
      [login, explore, kept, run].map((call) => call?.path.replace("/api/4.0/", "")),
      ["login", "lookml_models/shop/explores/orders", "queries", "queries/run/json?apply_formatting=false"],
    );
    assert.deepEqual(rest, []);
    assert.equal(login?.body, "client_id=id&client_secret=secret");
    assert.deepEqual(JSON.parse(run?.body ?? ""), {
      model: "shop",
      view: "orders",
      fields: ["orders.count"],
      filters: { "orders.region": "Far West", "orders.is_test": "No" },
      sorts: [],
      limit: "5000",
    });
  });

  it("reads top n as sort and limit", async () => {
    const told = await askAll(server, question("top 2 regions by revenue"));
    const [asked] = dataOf(told, "query");
    assert.deepEqual([asked.looker.sorts, asked.looker.limit], [["orders.revenue desc"], "2"]);
    assert.equal(dataOf(told, "result")[0].data.length, 2);
  });

  const unread = [
    ["revenue by region last month", /do not understand "last", so/],
    ["revenue where region is not North", /do not understand/],
    ["revenue where region is North or South", /do not understand/],
    ["revenue where region != North", /do not understand "!="/],
    ["revenue where region <> North", /do not understand "<>"/],
    ["revenue > 1000 by region", /do not understand ">"/],
    ["revenue by name", /Users Name or Products Name/],
    ["average revenue", /do not understand "average"/],
    ["how many regions", /cannot make one query/],
    [
      "hello",
      /do not understand "hello".*In Orders you may ask for Orders Count, Orders Total Revenue, by Orders Region/,
    ],
  ] as const;
  for (const [text, expected] of unread) {
    it(`runs no query and says why: ${text}`, async () => {
      const told = await askAll(server, question(text));
      assert.deepEqual(dataOf(told, "query"), []);
      assert.match(answerOf(told), expected);
    });
  }

  it("takes the author's verified query for its question", async () => {
    const body = question("How is business?");
    const lookerQuery = { model: "shop", explore: "orders", fields: ["orders.count"], limit: "1" };
    const lookerGoldenQueries = [{ naturalLanguageQuestions: ["how is business"], lookerQuery }];
    const told = await askAll(server, { ...body, inlineContext: { ...body.inlineContext, lookerGoldenQueries } });
    assert.deepEqual(dataOf(told, "query")[0].looker.fields, ["orders.count"]);
    assert.match(answerOf(told), /Count: \*\*7\*\*/);
  });

  it("returns the error of the database", async () => {
    const told = await askAll(server, question("revenue by users name"));
    assert.match(answerOf(told), /relation users does not exist/);
    assert.ok(kindsOf(told).includes("error.text"));
  });
});

describe("a conversation about Looker explores", () => {
  /** What was asked and answered, as a client sends it back, and the next question. */
  async function conversation(asked: readonly string[], at = server, more: object = {}) {
    const messages: object[] = [];
    let told: Element[] = [];
    for (const text of asked) {
      messages.push({ userMessage: { text } });
      told = await askAll(at, question(text, { messages, ...more }));
      messages.push(...told);
    }
    return told;
  }

  const followUps: readonly (readonly [string, object])[] = [
    [
      "only North",
      { filters: [{ field: "orders.region", value: "North" }], fields: ["orders.region", "orders.revenue"] },
    ],
    ["and by created month?", { filters: [], fields: ["orders.created_month", "orders.revenue"] }],
    ["now the top 1", { filters: [], fields: ["orders.region", "orders.revenue"], limit: "1" }],
    ["what about the count?", { filters: [], fields: ["orders.region", "orders.count"] }],
  ];
  for (const [text, expected] of followUps) {
    it(`goes on with one part changed: ${text}`, async () => {
      const told = await conversation(["total revenue by region", text]);
      const [asked] = dataOf(told, "query");
      const { fields, filters, limit } = asked?.looker ?? {};
      const own = filters?.filter(({ field }: { field: string }) => field !== "orders.is_test");
      assert.deepEqual({ fields, filters: own, ...nonEmptyFields({ limit }) }, expected, answerOf(told));
    });
  }

  it("keeps the filters of the previous query", async () => {
    const told = await conversation(["revenue where region is North", "and the count"]);
    assert.match(answerOf(told), /Count: \*\*7\*\*.*Region is North/s);
  });

  it("draws the rows again without asking Looker", async () => {
    const told = await conversation(["total revenue by region", "show that as a pie chart"]);
    assert.deepEqual(dataOf(told, "query"), []);
    assert.equal(chartOf(told).mark.type, "arc");
    assert.equal(answerOf(told), "Here is region total revenue drawn again.");
  });

  it("shows a language model the query before, whose rows it may draw or compute from", async () => {
    const analysis = "Say how many regions there are.";
    const model = new ScriptedModel(
      query({ fields: ["orders.region", "orders.revenue"] }),
      say(JSON.stringify({ text: "Three rows." })),
      say(JSON.stringify({ kind: "redraw", result: "sales", analysis })),
      say(JSON.stringify({ code: "def analyze(results):\n  return {'text': f\"{len(results['sales'])} regions\"}" })),
    );
    await using scripted = await startLookerServer(looker, model);
    const { inlineContext } = question("");
    const options = { analysis: { python: { enabled: true } } };
    const told = await conversation(["sales?", "how many regions is that?"], scripted, {
      inlineContext: { ...inlineContext, options },
    });
    assert.match(JSON.stringify(model.requests[2]?.messages), /Its result sales: .*orders\.revenue/);
    assert.equal(answerOf(told), "3 regions");
    model.assertDone();
  });

  it("computes from the rows of a new query in the sealed interpreter", async () => {
    const model = new ScriptedModel(
      query({ fields: ["orders.region", "orders.revenue"], analysis: "Count the rows." }),
      say(JSON.stringify({ code: "def analyze(results):\n  return {'text': f\"{len(results['sales'])} rows\"}" })),
      say(JSON.stringify({ text: "Here they are." })),
    );
    await using scripted = await startLookerServer(looker, model);
    const { inlineContext } = question("");
    const options = { analysis: { python: { enabled: true } } };
    const told = await askAll(scripted, question("count", { inlineContext: { ...inlineContext, options } }));
    assert.equal(answerOf(told), "Here they are.\n\n3 rows");
    model.assertDone();
  });
});

describe("metadata of the author for explores", () => {
  it("is sent with them, understood in questions, and read by a language model", async () => {
    const schema = {
      description: "Only paid orders.",
      synonyms: ["sales"],
      tags: ["money"],
      fields: [{ name: "orders.revenue", description: "Net of tax", synonyms: ["turnover"], tags: ["kpi"] }],
    };
    const told = await askAll(server, question("turnover by region", {}, { schema }));
    assert.deepEqual(dataOf(told, "query")[0].looker.fields, ["orders.region", "orders.revenue"]);
    const { schema: shown } = sourceOf(told);
    assert.deepEqual([shown.description, shown.synonyms, shown.tags], ["Only paid orders.", ["sales"], ["money"]]);
    const revenue = shown.fields.find(({ name }: { name: string }) => name === "orders.revenue");
    assert.deepEqual(
      [revenue.description, revenue.synonyms, revenue.tags, revenue.displayName],
      ["Net of tax", ["turnover"], ["kpi"], "Total Revenue"],
    );
    const model = new ScriptedModel(say(JSON.stringify({ kind: "reply", text: "Which?" })));
    await using scripted = await startLookerServer(looker, model);
    await askAll(scripted, question("x", {}, { schema }));
    assert.match(model.requests[0]?.system ?? "", /Net of tax; also called turnover; tags kpi/);
  });

  it("may be verified queries in an instruction of YAML", async () => {
    const systemInstruction = `
- system_instruction: Be brief.
- golden_queries:
    - golden_query:
        natural_language_query: How is the north?
        looker_query:
          model: shop
          view: orders
          fields: [orders.count]
          filters: { orders.region: North }
          sorts: [orders.count desc]
          limit: 1
          query_timezone: UTC`;
    const { inlineContext } = question("");
    const body = question("how is the north", { inlineContext: { ...inlineContext, systemInstruction } });
    const [asked] = dataOf(await askAll(server, body), "query");
    const { fields, filters, limit } = asked.looker;
    assert.deepEqual([fields, filters[0], limit], [["orders.count"], { field: "orders.region", value: "North" }, "1"]);
  });
});

describe("a question to Looker explores with a language model", () => {
  it("goes back to the model with what is wrong, three times at most", async () => {
    const wrong = query({ fields: ["orders.profit"] });
    const model = new ScriptedModel(wrong, wrong, wrong, wrong);
    await using scripted = await startLookerServer(looker, model);
    const told = await askAll(scripted, question("profit?", { thinkingMode: "THINKING" }));
    assert.equal(model.requests.length, 4);
    assert.match(JSON.stringify(model.requests[1]?.messages), /orders has no field orders.profit/);
    assert.match(answerOf(told), /orders has no field orders.profit/);
    assert.deepEqual(dataOf(told, "query"), []);
  });

  it("is repaired after errors of Looker, and invented numbers are left out", async () => {
    const model = new ScriptedModel(
      query({ fields: ["products.name", "orders.revenue"] }),
      query({ fields: ["orders.region", "orders.revenue"], filters: [{ field: "orders.region", value: "South" }] }),
      say(JSON.stringify({ text: "South made $900.00. That is 47 more than planned." })),
    );
    await using scripted = await startLookerServer(looker, model);
    const told = await askAll(scripted, question("what did the South make?", { thinkingMode: "THINKING" }));
    assert.match(JSON.stringify(model.requests[1]?.messages), /products is not joined/);
    assert.equal(answerOf(told), "South made $900.00.");
    assert.ok(!JSON.stringify(model.requests).includes("looker-token"), "no secret is in a prompt");
  });

  it("is answered by the rules when the model is away", async () => {
    const model = new ScriptedModel(unavailable("down"));
    await using scripted = await startLookerServer(looker, model);
    const told = await askAll(scripted, question("revenue by region"));
    assert.match(
      answerOf(told),
      /\| North \| \$1,500\.50 \|.*\*The language model could not be asked\. The built-in rules answer instead/s,
    );
    assert.equal(model.requests.length, 1);
  });
});
