import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import pg from "pg";
import { startPostgres, startTestServer, type TestServer, type ThrowawayPostgres, withoutPostgres } from "#testing";
import { callRest, LOCATION } from "./data-server.ts";

const TABLES = `
  CREATE TABLE sales (id int PRIMARY KEY, tenant text, product text, amount int);
  INSERT INTO sales VALUES (1, 'red', 'Kettle', 10), (2, 'red', 'Teapot', 5), (3, 'blue', 'Samovar', 700);
  CREATE VIEW my_sales WITH (security_barrier) AS SELECT id, product, amount FROM sales WHERE tenant = current_setting('psv.tenant', true);
  CREATE VIEW my_totals AS SELECT product, sum(amount) AS amount FROM my_sales GROUP BY 1;
  CREATE TABLE stores (id int PRIMARY KEY, city text);
  INSERT INTO stores VALUES (1, 'York');`;

describe("QueryData over parameterized secure views of PostgreSQL", { skip: withoutPostgres() }, () => {
  let postgres: ThrowawayPostgres;
  let server: TestServer;
  before(async () => {
    postgres = await startPostgres();
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    await client.query(TABLES);
    await client.end();
    const mapping = { name: ["acme", "crm"] as const, connectionString: () => postgres.url, schema: "public" };
    const warehouse = { sources: [], postgres: [mapping], memory: "256MB", spillDir: "/tmp/none" };
    server = await startTestServer({ config: { warehouse } });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await postgres.stop();
  });

  function ask(tableIds: readonly string[], parameters: object | undefined, prompt = "total amount by product") {
    const databaseReference = { projectId: "acme", region: "eu", clusterId: "c", instanceId: "i", databaseId: "crm" };
    const context = {
      datasourceReferences: { alloydb: { databaseReference: { ...databaseReference, tableIds } } },
      ...(parameters && { parameterizedSecureViewParameters: { parameters } }),
    };
    const generationOptions = { generateQueryResult: true, generateExplanation: true };
    return callRest(server, "POST", `/v1beta/${LOCATION}:queryData`, { prompt, context, generationOptions });
  }

  const cells = ({ json }: Awaited<ReturnType<typeof ask>>) =>
    (json.queryResult.rows ?? []).map((row: { values: { value: string }[] }) => row.values.map(({ value }) => value));

  it("shows each caller the rows that their parameters open, as a map and as a list", async () => {
    const red = [
      ["Kettle", "10"],
      ["Teapot", "5"],
    ];
    assert.deepEqual(cells(await ask(["my_sales"], { tenant: "red" })), red);
    assert.deepEqual(cells(await ask(["my_sales"], [{ key: "tenant", value: "blue" }])), [["Samovar", "700"]]);
    assert.deepEqual(cells(await ask(["my_sales"], [{ key: "tenant", value: "red" }])), red);
    assert.deepEqual(cells(await ask(["my_totals"], { tenant: "red" })), red);
    assert.deepEqual(cells(await ask(["my_sales"], { tenant: "' OR true --" })), []);
  });

  it("remembers the values of a column for the caller who may see them, and for no other", async () => {
    const prompt = "total amount of Samovar";
    const blue = await ask(["my_sales"], { tenant: "blue" }, prompt);
    assert.match(blue.json.generatedQuery, /'Samovar'/);
    const red = await ask(["my_sales"], { tenant: "red" }, prompt);
    assert.doesNotMatch(JSON.stringify(red.json), /'Samovar'|product is/i);
  });

  it("leaves out tables under a secure view, and rejects them where they are named", async () => {
    assert.deepEqual(cells(await ask([], { tenant: "red" }, "how many sales")), [["2"]]);
    const { json } = await ask(["my_sales", "sales"], { tenant: "red" });
    const [{ reason, metadata }] = json.error.details;
    assert.deepEqual(
      [json.error.status, reason, metadata],
      ["FAILED_PRECONDITION", "SECURE_VIEWS_BYPASSED", { tables: "sales" }],
    );
  });

  it("rejects parameters that no view reads, and invalid setting names", async () => {
    const unread = await ask(["stores"], { tenant: "red" });
    assert.equal(unread.json.error.details[0].reason, "SECURE_VIEWS_NOT_SUPPORTED");
    assert.match(unread.json.error.message, /context\.parameterized_secure_view_parameters/);
    const odd = await ask(["my_sales"], { "a.b": "red" });
    assert.equal(odd.json.error.status, "INVALID_ARGUMENT");
    assert.match(odd.json.error.message, /'a\.b' must consist of/);
  });
});
