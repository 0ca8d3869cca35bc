import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { TestServer } from "#testing";
import { callRest, LOCATION, ORDERS_REFERENCE, startDataServer } from "./data-server.ts";

const AGENT = `${LOCATION}/dataAgents/sales`;

describe("a statement of a person over the tables of an agent (CA-40)", () => {
  let server: TestServer;
  before(async () => {
    server = await startDataServer();
    const dataAnalyticsAgent = { publishedContext: { datasourceReferences: ORDERS_REFERENCE } };
    await callRest(server, "POST", `/v1beta/${LOCATION}/dataAgents:createSync?dataAgentId=sales`, {
      dataAnalyticsAgent,
    });
  });
  after(() => server[Symbol.asyncDispose]());

  const run = (sqlQuery: string, more: object = {}) =>
    callRest(server, "POST", `/v1beta/${AGENT}:runStatement`, { sqlQuery, ...more });

  it("answers its rows and how the engine found them, also in GoogleSQL", async () => {
    const sql = "SELECT region, sum(amount) AS total FROM acme.sales.orders GROUP BY 1 ORDER BY 1";
    const { status, json } = await run(sql);
    assert.equal(status, 200, JSON.stringify(json));
    assert.deepEqual(json.result.data, [
      { region: "North", total: "132.5" },
      { region: "South", total: "78" },
      { region: "West", total: "48.5" },
    ]);
    assert.deepEqual(
      [json.vegaConfig.mark.type ?? json.vegaConfig.mark, json.vegaConfig.data.values.length],
      ["bar", 3],
    );
    assert.match(json.queryPlan, /GROUP_BY[\s\S]*orders/i);
    assert.doesNotMatch(json.queryPlan, /frontdesk-data-|\.csv/);
    const google = await run("SELECT SAFE_CAST(count(*) AS STRING) AS n FROM `acme.sales.orders`");
    assert.deepEqual(google.json.result?.data, [{ n: "6" }], JSON.stringify(google.json));
  });

  it("is only explained where that is asked for", async () => {
    const { json } = await run("SELECT count(*) FROM acme.sales.orders", { explainOnly: true });
    assert.equal(json.result, undefined);
    assert.match(json.queryPlan, /AGGREGATE/i);
  });

  it("is refused like any other statement, with the field and the reason", async () => {
    for (const [sql, why] of [
      ["DROP TABLE acme.sales.orders", /SELECT|DROP/],
      ["SELECT * FROM acme.sales.secrets", /secrets/],
      ["SELECT * FROM read_csv('/etc/passwd')", /read_csv/],
      ["SELECT amout FROM acme.sales.orders", /amout/],
      ["EXPLAIN ANALYZE SELECT 1", /SELECT|EXPLAIN/],
    ] as const) {
      const { status, json } = await run(sql);
      assert.equal(status, 400, sql);
      assert.equal(json.error.details[0].fieldViolations[0].field, "sql_query");
      assert.match(json.error.message, why);
    }
    assert.equal(
      (await callRest(server, "POST", `/v1beta/${LOCATION}/dataAgents/none:runStatement`, { sqlQuery: "SELECT 1" }))
        .status,
      404,
    );
  });

  it("that cannot be run is answered in one sentence, also where the engine quotes a hundred thousand blank lines of it", async () => {
    for (const blank of ["\n", " ", "\n ", " \n"]) {
      const { status, json } = await run(`SELECT CAST('${blank.repeat(100_000 / blank.length)}x' AS INTEGER) AS n`);
      assert.equal(status, 400);
      assert.match(json.error.message, /^sql_query: The statement could not be run: Could not convert string '[^\n]*$/);
    }
  });
});
