import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ScriptedModel, say } from "#testing";
import { askAll, inlineQuestion, ORDERS_REFERENCE, startDataServer } from "./data-server.ts";
import type { Element } from "./line-clients.ts";

const json = (value: object) => say(JSON.stringify(value));

const GOOD_SQL = "SELECT region, SUM(amount) AS total FROM acme.sales.orders GROUP BY 1 ORDER BY 2 DESC";
const BAD_SQL = "SELECT regio, SUM(amount) AS total FROM acme.sales.orders GROUP BY 1";
const BAD_CODE = "def analyze(results):\n  return results['nothing']";
const GOOD_CODE = `def analyze(results):
  rows = results['amount_by_region']
  print(len(rows), 'rows')
  return {'text': 'North has the largest share.', 'csv': rows[:1], 'vega': {'mark': 'point', 'data': {'values': rows}}}`;

const plan = {
  kind: "query",
  reasoning: "Sum the amounts of each region.",
  name: "Amount by region",
  chart: { mark: "bar", title: "Amount by region" },
  analysis: "Say which share the largest has.",
};
const EXAMPLE = {
  naturalLanguageQuestion: "Which orders came from @region?",
  sqlQuery: "SELECT order_id, amount FROM acme.sales.orders WHERE region = @region ORDER BY 1",
  parameters: [{ name: "region", dataType: "STRING" }],
};
const TERM = { displayName: "North", description: "Everything above York", labels: ["upland"] };
const INLINE = {
  datasourceReferences: ORDERS_REFERENCE,
  options: { analysis: { python: { enabled: true } }, chart: { image: { svg: {} } } },
  glossaryTerms: [TERM],
  exampleQueries: [EXAMPLE],
};

const field = (name: string, type: string) => ({ name, type, mode: "NULLABLE" });
const DATASOURCES = [
  {
    bigqueryTableReference: { projectId: "acme", datasetId: "sales", tableId: "orders" },
    schema: {
      fields: [
        field("order_id", "INT64"),
        field("ordered_on", "DATE"),
        field("region", "STRING"),
        field("product", "STRING"),
        field("quantity", "INT64"),
        field("amount", "FLOAT64"),
      ],
    },
  },
];
const ROWS = [
  { region: "North", total: 132.5 },
  { region: "South", total: 78 },
  { region: "West", total: 48.5 },
];

/** An element as everything but its time and id, which each must have. */
function withoutStamps(element: Element): object {
  const { timestamp, messageId, ...rest } = element;
  assert.match(timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/);
  assert.match(messageId, /^[0-9a-f-]{36}$/);
  return rest;
}

const inGroup = (groupId: number, kind: object) => ({ systemMessage: { ...kind, groupId } });
const text = (groupId: number, textType: string, ...parts: string[]) => inGroup(groupId, { text: { parts, textType } });
const data = (groupId: number, kind: object) => inGroup(groupId, { data: kind });
const event = (kind: object) => inGroup(3, { analysis: { progressEvent: kind } });

describe("the messages of an answer", () => {
  it("have the documented shapes: schema, query, SQL, error, rows, analysis, chart, texts, citation", async () => {
    const model = new ScriptedModel(
      json({ ...plan, sql: BAD_SQL }),
      json({ ...plan, sql: GOOD_SQL }),
      json({ code: BAD_CODE }),
      json({ code: GOOD_CODE }),
      json({
        text: "Größe: **North** sold most, 132.50, before South with 78.",
        follow_ups: ["And by product?", "And in May?"],
      }),
    );
    await using server = await startDataServer({ model });
    const question = "Which region sold most?";
    const answered = await askAll(server, inlineQuestion(question, { inlineContext: INLINE }));
    // A slow machine is told how long the analysis has taken.
    const elements = answered.map(withoutStamps).filter((element) => !JSON.stringify(element).includes(" s so far)"));
    // The labels of a term mean what it means.
    const prompt = JSON.stringify(model.requests[0]);
    assert.ok(prompt.includes("North: Everything above York\\nupland: Everything above York"), prompt);
    const drawn = elements.findIndex((element) => (element as Element).systemMessage.chart?.result);
    const [chart] = elements.splice(drawn, 1) as [Element];
    const failed = elements.findIndex((element) => (element as Element).systemMessage.error);
    const [error] = elements.splice(failed, 1) as [Element];
    // `origin` is ours: the definitions do not have it (SEM-14).
    const query = { question, name: "amount_by_region", origin: "LANGUAGE_MODEL", datasources: DATASOURCES };
    const analysed = { question, dataResultNames: ["amount_by_region"] };
    assert.deepEqual(elements, [
      inGroup(0, { schema: { query: { question } } }),
      inGroup(0, { schema: { result: { datasources: DATASOURCES } } }),
      inGroup(0, { exampleQueries: { exampleQueries: [EXAMPLE] } }),
      text(0, "THOUGHT", "Reading the context", "Found 1 table to answer from."),
      text(0, "PROGRESS", "Writing the query"),
      text(1, "THOUGHT", "Planning the query", plan.reasoning),
      data(1, { query }),
      data(1, { generatedSql: BAD_SQL }),
      text(2, "THOUGHT", "Planning the query", plan.reasoning),
      data(2, { query }),
      data(2, { generatedSql: GOOD_SQL }),
      data(2, {
        result: {
          name: "amount_by_region",
          schema: { fields: [field("region", "STRING"), field("total", "FLOAT")] },
          data: ROWS.map(({ region, total }) => ({ region, total: String(total) })),
        },
      }),
      inGroup(3, { analysis: { query: analysed } }),
      event({ plannerReasoning: `The question needs more than SQL: ${plan.analysis}` }),
      event({ coderInstruction: plan.analysis }),
      event({ code: BAD_CODE }),
      event({ executionError: "KeyError: 'nothing' (line 2: return results['nothing'])" }),
      event({ code: GOOD_CODE }),
      event({ executionOutput: "3 rows" }),
      event({ resultCsvData: "region,total\r\nNorth,132.5" }),
      event({ resultVegaChartJson: JSON.stringify({ mark: "point", data: { values: ROWS } }) }),
      event({ resultNaturalLanguage: "North has the largest share." }),
      inGroup(3, {
        chart: { query: { instructions: "bar chart of total by region", dataResultName: "amount_by_region" } },
      }),
      inGroup(4, {
        text: {
          parts: ["Größe: **North** sold most, 132.50, before South with 78.\n\nNorth has the largest share."],
          textType: "FINAL_RESPONSE",
        },
        citation: {
          sources: [{ id: "1", title: "North", glossaryTerm: TERM }],
          // Bytes of UTF-8: ö and ß are two each.
          anchors: [{ textMessageAnchor: { startOffsetBytes: 11, endOffsetBytes: 16, sourceIds: ["1"] } }],
        },
      }),
      text(4, "FOLLOWUP_QUESTIONS", "And by product?", "And in May?"),
    ]);
    assert.match(error.systemMessage.error.text, /"regio" not found.*"region"/s);
    assert.equal(error.systemMessage.groupId, 1);
    const { vegaConfig, image } = chart.systemMessage.chart.result;
    assert.deepEqual(
      [vegaConfig.title, vegaConfig.mark.type, vegaConfig.data.values],
      ["Amount by region", "bar", ROWS],
    );
    assert.equal(vegaConfig.$schema, undefined);
    assert.deepEqual(
      [image.mimeType, Buffer.from(image.data, "base64").toString().slice(0, 4)],
      ["image/svg+xml", "<svg"],
    );
    model.assertDone();
  });

  it("name the matched query, with the values of its parameters", async () => {
    const model = new ScriptedModel(json({ text: "Two orders.", follow_ups: [] }));
    await using server = await startDataServer({ model });
    const { options: _, ...inlineContext } = INLINE;
    const elements = await askAll(server, inlineQuestion("Which orders came from South?", { inlineContext }));
    const found = elements.flatMap(({ systemMessage }) => systemMessage.data ?? []);
    assert.deepEqual(found[0].matchedQuery, {
      exampleQuery: EXAMPLE,
      queryParameterValues: [{ name: "region", value: "South" }],
    });
    assert.deepEqual(found.at(-1).result.data, [
      { order_id: "2", amount: "60" },
      { order_id: "5", amount: "18" },
    ]);
    const charts = elements.flatMap(({ systemMessage }) => systemMessage.chart?.result ?? []);
    assert.ok(charts.every(({ image }) => JSON.stringify(image) === "{}"));
    const cited = elements.flatMap(({ systemMessage }) => systemMessage.citation?.sources ?? []);
    assert.ok(
      cited.some(({ exampleQuery }) => exampleQuery?.naturalLanguageQuestion === EXAMPLE.naturalLanguageQuestion),
    );
  });

  it("are at most three corrections of a statement, and then an answer with the error", async () => {
    const model = new ScriptedModel(
      ...Array.from({ length: 4 }, () => json({ kind: "query", name: "x", sql: BAD_SQL })),
    );
    await using server = await startDataServer({ model });
    const elements = await askAll(server, inlineQuestion("Which region sold most?"));
    const kinds = elements.map(({ systemMessage }) => Object.keys(systemMessage).find((key) => key !== "groupId"));
    assert.equal(kinds.filter((kind) => kind === "error").length, 4);
    assert.match(elements.at(-1)?.systemMessage.text.parts.join(""), /regio/);
    model.assertDone();
  });
});
