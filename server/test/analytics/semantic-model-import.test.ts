import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { TestServer } from "#testing";
import { askAll, callRest, LOCATION, ORDERS_REFERENCE, startDataServer } from "./data-server.ts";

const AGENT = `${LOCATION}/dataAgents/sales`;

/** A model of Cube with a segment, and a join that nothing can carry. */
const CUBE = `cubes:
  - name: orders
    sql_table: sales.orders
    pre_aggregations:
      - name: main
    dimensions:
      - name: order_id
        sql: order_id
        type: number
        primary_key: true
      - name: region
        sql: region
        type: string
      - name: ordered_on
        sql: ordered_on
        type: time
    measures:
      - name: turnover
        sql: amount
        type: sum
`;

describe("a semantic model that is imported into a data agent (CA-48)", () => {
  let server: TestServer;
  before(async () => {
    server = await startDataServer();
    const dataAnalyticsAgent = { publishedContext: { datasourceReferences: ORDERS_REFERENCE } };
    const body = { displayName: "Sales", dataAnalyticsAgent };
    await callRest(server, "POST", `/v1beta/${LOCATION}/dataAgents:createSync?dataAgentId=sales`, body);
  });
  after(() => server[Symbol.asyncDispose]());

  const load = (text: string, more: object = {}) =>
    callRest(server, "POST", `/v1beta/${AGENT}:importSemanticModel`, {
      files: [{ path: "orders.yml", text }],
      ...more,
    });
  const modelOf = async () => (await callRest(server, "GET", `/v1beta/${AGENT}`)).json.semanticModel;

  it("answers by it from then on, and what was not carried is told with file and line", async () => {
    const tried = await load(CUBE, { validateOnly: true });
    assert.equal(tried.status, 200, JSON.stringify(tried.json));
    assert.equal(await modelOf(), undefined);
    const { json } = await load(CUBE);
    assert.deepEqual(json, tried.json);
    assert.equal(json.format, "cube");
    assert.deepEqual(
      json.losses.map(({ file, line }: { readonly file: string; readonly line: number }) => `${file}:${line}`),
      ["orders.yml:4"],
    );
    assert.equal(await modelOf(), json.semanticModel);
    const elements = await askAll(server, {
      messages: [{ userMessage: { text: "turnover by region" } }],
      dataAgentContext: { dataAgent: AGENT },
    });
    // biome-ignore lint/suspicious/noExplicitAny: JSON of the API
    const messages = elements.map(({ systemMessage }: any) => systemMessage);
    const { data } = messages.find((message) => message?.data?.result).data.result;
    assert.deepEqual(data.map((row: object) => Object.values(row).join(" ")).toSorted(), [
      "North 132.5",
      "South 78",
      "West 48.5",
    ]);
    assert.match(JSON.stringify(messages), /Turnover by region/);
  });

  it("is refused with the place of the fault, and the agent keeps the one that it has", async () => {
    const before = await modelOf();
    for (const [text, message] of [
      ["cubes: [", /files: orders\.yml:\d+: /],
      ["just: text", /no file is a semantic model/],
    ] as const) {
      const { status, json } = await load(text);
      assert.deepEqual([status, json.error.details[0].fieldViolations[0].field], [400, "files"]);
      assert.match(json.error.message, message);
    }
    const patched = await callRest(server, "PATCH", `/v1beta/${AGENT}:updateSync?updateMask=semanticModel`, {
      semanticModel: "datasets: 7",
    });
    assert.equal(
      patched.json.error?.details[0].fieldViolations[0].field,
      "data_agent.semantic_model",
      JSON.stringify(patched.json),
    );
    assert.equal(await modelOf(), before);
  });
});
