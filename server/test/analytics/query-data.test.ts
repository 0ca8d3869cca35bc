import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { ScriptedModel, say, type TestServer } from "#testing";
import { callRest, DATABASE_REFERENCE, LOCATION, startDataServer } from "./data-server.ts";

let server: TestServer;
before(async () => {
  server = await startDataServer();
});
after(() => server[Symbol.asyncDispose]());

const PROMPT = "total amount by region";

function query(
  generationOptions: object,
  more: object = {},
  at: Pick<TestServer, "address"> = server,
  revision = "v1beta",
) {
  const body = { prompt: PROMPT, context: { datasourceReferences: DATABASE_REFERENCE }, generationOptions, ...more };
  return callRest(at, "POST", `/${revision}/${LOCATION}:queryData`, body);
}

describe("QueryData", () => {
  it("without options answers the query alone", async () => {
    for (const revision of ["v1beta", "v1alpha"]) {
      const { status, json } = await query({}, {}, server, revision);
      assert.deepEqual([status, Object.keys(json)], [200, ["generatedQuery"]]);
      assert.match(json.generatedQuery, /GROUP BY/i);
    }
    assert.equal((await query({}, {}, server, "v1")).status, 404);
  });

  it("is served under the spelling of the documentation's overview too", async () => {
    const body = { prompt: PROMPT, context: { datasourceReferences: DATABASE_REFERENCE } };
    for (const revision of ["v1beta", "v1alpha"]) {
      const { json } = await callRest(server, "POST", `/${revision}/${LOCATION}/conversations:queryData`, body);
      assert.match(json.generatedQuery, /GROUP BY/i);
    }
  });

  it("with all of them explains, runs and answers", async () => {
    const { json } = await query({
      generateQueryResult: true,
      generateNaturalLanguageAnswer: true,
      generateExplanation: true,
      generateDisambiguationQuestion: true,
    });
    assert.match(json.intentExplanation, /amount/i);
    assert.deepEqual(
      json.queryResult.rows.map(({ values }: { values: readonly { value: string }[] }) =>
        values.map(({ value }) => value),
      ),
      [
        ["North", "132.5"],
        ["South", "78"],
        ["West", "48.5"],
      ],
    );
    assert.deepEqual(
      json.queryResult.columns.map(({ type }: { type: string }) => type),
      ["STRING", "FLOAT64"],
    );
    assert.deepEqual([json.queryResult.totalRowCount, json.queryResult.partialResult], ["3", undefined]);
    assert.match(json.naturalLanguageAnswer, /132\.5/);
    assert.equal(json.disambiguationQuestion, undefined);
  });

  it("takes the tables that are named, one database at a time", async () => {
    const named = (table: object) => ({
      alloydb: { databaseReference: { ...DATABASE_REFERENCE.alloydb.databaseReference, ...table } },
    });
    const ask = (references: object) => query({}, { context: { datasourceReferences: references } });
    assert.equal((await ask(named({ tableIds: ["orders"] }))).status, 200);
    assert.equal((await ask(named({ databaseTableReferences: [{ tableId: "orders" }] }))).status, 200);
    const missing = await ask(named({ tableIds: ["orders", "salaries"] }));
    assert.deepEqual(
      [missing.json.error.details[0].reason, missing.json.error.details[0].metadata],
      ["TABLE_NOT_MAPPED", { tables: "acme.sales.salaries" }],
    );
    const sql = { engine: 1, projectId: "acme", region: "us", instanceId: "i", databaseId: "sales" };
    assert.equal((await ask({ cloudSqlReference: { databaseReference: sql } })).status, 200);
    const spanner = { engine: "GOOGLE_SQL", projectId: "acme", instanceId: "i", databaseId: "sales" };
    assert.equal((await ask({ spannerReference: { databaseReference: spanner } })).status, 200);
  });

  it("returns the error of a failed query inside the response, and NULL as an empty value", async () => {
    const planned = (sql: string) => say(JSON.stringify({ kind: "query", name: "x", sql }));
    const failing = "SELECT CAST(region AS INTEGER) AS n FROM acme.sales.orders";
    const nulls = "SELECT NULLIF(quantity, 1) AS n, '' AS empty FROM acme.sales.orders ORDER BY order_id LIMIT 2";
    const model = new ScriptedModel(planned(failing), planned(nulls));
    await using scripted = await startDataServer({ model });
    const failed = await query({ generateQueryResult: true, generateNaturalLanguageAnswer: true }, {}, scripted);
    assert.equal(failed.status, 200);
    assert.match(failed.json.queryResult.queryExecutionError, /Conversion Error/);
    assert.equal(failed.json.naturalLanguageAnswer, undefined);
    const { json } = await query({ generateQueryResult: true }, {}, scripted);
    assert.deepEqual(json.queryResult.rows[0].values[0], {});
    assert.deepEqual(json.queryResult.rows[1].values[0], { value: "2" });
  });

  it("repairs a statement before it returns it, and asks back only where allowed", async () => {
    const bad = say(JSON.stringify({ kind: "query", name: "x", sql: "SELECT regio FROM acme.sales.orders" }));
    const good = say(JSON.stringify({ kind: "query", name: "x", sql: "SELECT region FROM acme.sales.orders" }));
    const unclear = say(JSON.stringify({ kind: "reply", text: "Which amount do you mean?" }));
    const model = new ScriptedModel(bad, good, unclear, unclear);
    await using scripted = await startDataServer({ model });
    const repaired = await query({}, {}, scripted);
    assert.equal(repaired.json.generatedQuery, "SELECT region FROM acme.sales.orders");
    const back = await query({ generateDisambiguationQuestion: true }, {}, scripted);
    assert.deepEqual(back.json, { disambiguationQuestion: ["Which amount do you mean?"] });
    const refused = await query({}, {}, scripted);
    assert.equal(refused.json.error.details[0].reason, "PROMPT_NOT_UNDERSTOOD");
  });

  it("reads parameters of secure views as a map and as a list, and rejects them where they would be ignored", async () => {
    const ask = (parameters: object) =>
      query(
        {},
        { context: { datasourceReferences: DATABASE_REFERENCE, parameterizedSecureViewParameters: { parameters } } },
      );
    for (const parameters of [
      { app_user: "303", tenant: "7" },
      [
        { key: "app_user", value: "303" },
        { key: "tenant", value: "7" },
      ],
    ]) {
      const { json } = await ask(parameters);
      assert.deepEqual(
        [json.error.details[0].reason, json.error.details[0].metadata],
        ["SECURE_VIEWS_NOT_SUPPORTED", { parameters: "app_user,tenant" }],
      );
    }
    const twice = await ask([
      { key: "a", value: "1" },
      { key: "a", value: "2" },
    ]);
    assert.equal(twice.json.error.status, "INVALID_ARGUMENT");
  });

  it("knows no context sets", async () => {
    const { alloydb } = DATABASE_REFERENCE;
    const datasourceReferences = { alloydb: { ...alloydb, agentContextReference: { contextSetId: "verified" } } };
    const { json } = await query({}, { context: { datasourceReferences } });
    assert.deepEqual([json.error.status, json.error.details[0].resourceName], ["NOT_FOUND", "verified"]);
  });
});
