import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";
import { askAll, callRest, LOCATION } from "./data-server.ts";

const ORDERS = `order_id,ordered_on,region,product,quantity,amount
1,2026-01-05,North,Kettle,1,48.50
2,2026-01-09,South,Teapot,2,60.00
3,2026-02-11,North,Mug,6,54.00
4,2026-02-20,West,Kettle,1,48.50
5,2026-03-02,South,Mug,2,18.00
6,2026-03-15,North,Teapot,1,30.00
`;
const AGENT = `${LOCATION}/dataAgents/sales`;
const TABLE = { projectId: "acme", datasetId: "sales", tableId: "orders" };
const SYNONYMS = { fields: [{ name: "amount", synonyms: ["revenue", "turnover"] }] };
const publishedContext = {
  datasourceReferences: { bq: { tableReferences: [{ ...TABLE, schema: SYNONYMS }] } },
};

describe("an answer that somebody verified (CA-17, CA-39)", () => {
  const folder = mkdtempSync(join(tmpdir(), "verified-"));
  const file = join(folder, "sales", "orders.csv");
  let server: TestServer;
  before(async () => {
    mkdirSync(join(folder, "sales"));
    writeFileSync(file, ORDERS);
    const sources = [{ name: ["acme", "sales"] as const, path: join(folder, "sales") }];
    server = await startTestServer({
      config: { warehouse: { sources, memory: "256MB", spillDir: join(folder, "spill") } },
    });
    const created = await callRest(server, "POST", `/v1beta/${LOCATION}/dataAgents:createSync?dataAgentId=sales`, {
      displayName: "Sales",
      dataAnalyticsAgent: { publishedContext, stagingContext: publishedContext },
    });
    assert.equal(created.status, 200, JSON.stringify(created.json));
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true });
  });

  const verify = (question: string, sqlQuery: string) =>
    callRest(server, "POST", `/v1beta/${AGENT}:verifyAnswer`, { question, sqlQuery });

  /** What was matched, the rows, and the last text with its warnings. */
  async function ask(...questions: readonly string[]) {
    const elements = await askAll(server, {
      messages: questions.map((text) => ({ userMessage: { text } })),
      dataAgentContext: { dataAgent: AGENT },
    });
    const data = elements.flatMap(({ systemMessage }) => (systemMessage?.data ? [systemMessage.data] : []));
    const final = elements.findLast(({ systemMessage }) => systemMessage?.text?.textType === "FINAL_RESPONSE");
    const matched = data.find(({ matchedQuery }) => matchedQuery)?.matchedQuery;
    return {
      values: matched?.queryParameterValues?.map(({ value }: { value: string }) => value) ?? (matched ? [] : undefined),
      rows: data.flatMap(({ result }) => result?.data?.map((row: object) => Object.values(row).join("|")) ?? []),
      text: final?.systemMessage.text.parts.join("") ?? JSON.stringify(elements),
      warnings: final?.systemMessage.text.warnings ?? [],
    };
  }

  const TOP =
    "SELECT product, sum(amount) AS revenue FROM acme.sales.orders WHERE region = 'North' GROUP BY 1 ORDER BY 2 DESC LIMIT 2";

  it("becomes an example query of each context, its values parameters, with the columns that it reads", async () => {
    const { status, json } = await verify("top 2 products by revenue in North", TOP);
    assert.equal(status, 200, JSON.stringify(json));
    assert.equal(json.naturalLanguageQuestion, "top @top products by revenue in @region");
    assert.match(json.sqlQuery, /region = @region .* LIMIT CAST\(@top AS BIGINT\)$/);
    assert.deepEqual(
      json.verification.columns.map(({ column, type }: { column: string; type: string }) => `${column} ${type}`),
      ["region STRING", "product STRING", "amount FLOAT64"],
    );
    const agent = await callRest(server, "GET", `/v1beta/${AGENT}`);
    const { publishedContext: published, stagingContext: staging } = agent.json.dataAnalyticsAgent;
    for (const context of [published, staging]) assert.deepEqual(context.exampleQueries, [json]);
  });

  /** Questions that ask the same as the verified one, and the values that they give. */
  const SAME: readonly (readonly [question: string, values: readonly string[], rows: readonly string[]])[] = [
    ["Top 2 products by revenue in North?", ["2", "North"], ["Mug|54", "Kettle|48.5"]],
    ["the best two products by turnover in south", ["2", "South"], ["Teapot|60", "Mug|18"]],
    ["In West, which are the top 1 products by amount?", ["1", "West"], ["Kettle|48.5"]],
  ];
  for (const [question, values, rows] of SAME) {
    it(`answers the same question in other words: ${question}`, async () => {
      const answer = await ask(question);
      assert.deepEqual([answer.values?.toSorted(), answer.rows], [values, rows], answer.text);
      assert.match(answer.text, /Answered by the verified query for “top @top products by revenue in @region”\.$/);
    });
  }

  for (const question of [
    "top 2 products by quantity in North",
    "top 2 products by revenue in the last month",
    "top 2 regions by revenue",
    "top 2 products by revenue outside of North",
  ]) {
    it(`does not answer another question: ${question}`, async () => {
      assert.equal((await ask(question)).values, undefined);
    });
  }

  it("answers what the rules compile to the same query, also as a follow-up", async () => {
    const sql = "SELECT region, round(sum(amount)) AS euros FROM acme.sales.orders GROUP BY 1 ORDER BY 1";
    assert.equal((await verify("total amount by region", sql)).status, 200);
    for (const questions of [["total revenue for each region"], ["total amount", "and by region?"]]) {
      const answer = await ask(...questions);
      assert.deepEqual(answer.rows, ["North|133", "South|78", "West|49"], answer.text);
    }
  });

  it("replaces one for the same question, and is refused with the error of its statement where it does not run", async () => {
    assert.equal((await verify("total amount by region", "SELECT 1 AS one")).status, 200);
    assert.deepEqual((await ask("total amount by region")).rows, ["1"]);
    const { status, json } = await verify("total", "SELECT sum(amout) FROM acme.sales.orders");
    assert.equal(status, 400);
    assert.match(JSON.stringify(json), /sql_query.*amout/);
    const missing = await callRest(server, "POST", `/v1beta/${LOCATION}/dataAgents/none:verifyAnswer`, {
      question: "x",
      sqlQuery: "SELECT 1",
    });
    assert.equal(missing.status, 404);
  });

  it("is not used once a column that it reads has changed, and the answer says so", async () => {
    writeFileSync(file, ORDERS.replace("product", "article"));
    // The schema is read again for another context.
    assert.equal(
      (await verify("how many orders are there?", "SELECT count(*) AS orders FROM acme.sales.orders")).status,
      200,
    );
    const { values, warnings } = await ask("top 2 products by revenue in North");
    assert.equal(values, undefined);
    assert.match(warnings[0] ?? "", /was not used, because .*: the column acme\.sales\.orders\.product is gone\.$/);
  });
});
