import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { DuckDBInstance } from "@duckdb/node-api";
import pg from "pg";
import { readCondition } from "#analytics";
import { startPostgres, startTestServer, type TestServer, withoutPostgres } from "#testing";
import { callRest, LOCATION } from "./data-server.ts";

const TABLES = [
  "CREATE TABLE orders (order_id int, region varchar, seller varchar, product varchar, amount int, margin int, placed date)",
  `INSERT INTO orders VALUES (1, 'North', 'ann@example.com', 'Kettle', 10, 901, '2026-01-05'), (2, 'North', 'ann@example.com', 'Mug', 20, 902, '2026-01-06'),
    (3, 'South', 'bo@example.com', 'Teapot', 40, 903, '2026-01-07'), (4, 'South', 'bo@example.com', 'Samovar', 80, 904, '2026-02-07')`,
  "CREATE VIEW all_orders AS SELECT * FROM orders",
  "CREATE VIEW more_orders AS SELECT * FROM all_orders",
  "CREATE TABLE stores (store_id int, city varchar)",
  "INSERT INTO stores VALUES (1, 'York')",
] as const;

const ROLES = ["roles/geminidataanalytics.admin", "roles/cloudaicompanion.user"];
const identities = ["ann", "bo", "cy", "boss"].map((name) => ({
  principal: `user:${name}@example.com`,
  token: `token-of-${name}-0123456789`,
  roles: ROLES,
}));

const rule = (members: readonly string[], more: object = {}) => ({
  name: "analytics.rules[0]",
  table: ["acme", "crm", "orders"] as const,
  members: members.map((name) => `user:${name}@example.com`),
  hiddenColumns: [],
  ...more,
});
/** It takes longer than a condition of a question, so that an engine would try that first. */
const NORTH =
  "region = 'North' OR order_id < 0 OR order_id = -1 OR amount < 0 OR amount = -1 OR margin < 0 OR margin = -1 OR placed < '1900-01-01' OR seller = ''";
const RULES = [
  rule(["boss"]),
  rule(["ann"], { rows: readCondition(NORTH) }),
  rule(["bo"], { rows: readCondition("seller = @email AND NOT placed >= '2026-02-01'"), hiddenColumns: ["margin"] }),
];
const analytics = { definedModels: new Map(), budgets: { byAgent: new Map() }, rules: RULES };
const AGENT = `${LOCATION}/dataAgents/orders`;
const reference = (tableId: string) => ({ projectId: "acme", datasetId: "crm", tableId });
const references = (...tables: string[]) => ({ bq: { tableReferences: tables.map(reference) } });

/** Starts a server over the tables in one engine. */
type Start = () => Promise<{ readonly server: TestServer; readonly stop: () => Promise<void> }>;

const startDuckdb: Start = async () => {
  const folder = await mkdtemp(join(tmpdir(), "frontdesk-rules-"));
  const path = join(folder, "crm.duckdb");
  const instance = await DuckDBInstance.create(path);
  const connection = await instance.connect();
  for (const sql of TABLES) await connection.run(sql);
  connection.closeSync();
  instance.closeSync();
  const sources = [{ name: ["acme", "crm"] as const, path, schema: "main" }];
  const warehouse = { sources, memory: "256MB", spillDir: join(folder, "spill") };
  const server = await startTestServer({ config: { warehouse, identities, analytics } });
  return { server, stop: () => rm(folder, { recursive: true, force: true }) };
};

const startOverPostgres: Start = async () => {
  const postgres = await startPostgres();
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  for (const sql of TABLES) await client.query(sql);
  await client.end();
  const mapping = { name: ["acme"] as const, connectionString: () => postgres.url };
  const warehouse = { sources: [], postgres: [mapping], memory: "256MB", spillDir: "/tmp/none" };
  const server = await startTestServer({ config: { warehouse, identities, analytics } });
  return { server, stop: () => postgres.stop() };
};

for (const [engine, start, skip] of [
  ["DuckDB", startDuckdb, false],
  ["PostgreSQL", startOverPostgres, withoutPostgres()],
] as const)
  describe(`rules of rows and columns over ${engine} (CA-49)`, { skip }, () => {
    let server: TestServer;
    let stop: () => Promise<void>;
    before(async () => {
      ({ server, stop } = await start());
      const publishedContext = { datasourceReferences: references("orders", "stores", "all_orders", "more_orders") };
      await as("boss", `${LOCATION}/dataAgents:createSync?dataAgentId=orders`, {
        dataAnalyticsAgent: { publishedContext },
      });
    });
    after(async () => {
      await server[Symbol.asyncDispose]();
      await stop();
    });

    const as = (name: string, path: string, body: object) =>
      callRest(server, "POST", `/v1beta/${path}`, body, { authorization: `Bearer token-of-${name}-0123456789` });
    const run = (name: string, sqlQuery: string) => as(name, `${AGENT}:runStatement`, { sqlQuery });
    const ask = (name: string, prompt: string, ...tables: string[]) =>
      as(name, `${LOCATION}:queryData`, {
        prompt,
        context: { datasourceReferences: references(...(tables.length > 0 ? tables : ["orders"])) },
        generationOptions: { generateQueryResult: true },
      });
    const cells = ({ json }: Awaited<ReturnType<typeof ask>>) =>
      json.queryResult?.rows?.map((row: { values: { value: string }[] }) => row.values.map(({ value }) => value)) ??
      json.error?.message;

    it("answers the same question with the rows of each person", async () => {
      const prompt = "total amount by product";
      assert.deepEqual(cells(await ask("ann", prompt)).toSorted(), [
        ["Kettle", "10"],
        ["Mug", "20"],
      ]);
      assert.deepEqual(cells(await ask("bo", prompt)), [["Teapot", "40"]]);
      assert.equal(cells(await ask("boss", prompt)).length, 4);
    });

    it("shows nothing to whom no rule names, and says so in words that tell nothing", async () => {
      const { status, json } = await run("cy", "SELECT count(*) FROM orders");
      assert.deepEqual([status, json.result], [400, undefined]);
      assert.match(json.error.message, /not among the tables/);
      assert.doesNotMatch(
        JSON.stringify([json, (await ask("cy", "total amount by product")).json]),
        /Kettle|North|region|margin/,
      );
      assert.equal((await run("cy", "SELECT city FROM stores")).json.result?.data[0].city, "York");
    });

    it("shows no row and no hidden column to any statement", async () => {
      for (const sql of [
        "SELECT count(*) AS n FROM orders",
        "SELECT count(*) AS n FROM orders AS o",
        "SELECT count(*) AS n FROM orders o WHERE o.seller <> 'x' OR true",
        "SELECT count(*) AS n FROM ORDERS",
        'SELECT count(*) AS n FROM "orders"',
        "SELECT count(*) AS n FROM /* FROM orders */ acme . crm -- orders\n . orders",
        "SELECT count(orders.order_id) AS n FROM crm.orders",
        "WITH orders AS (SELECT * FROM orders) SELECT count(*) AS n FROM orders",
        "WITH x AS (SELECT * FROM orders o) SELECT count(*) AS n FROM x",
        "SELECT (SELECT count(*) FROM orders) AS n FROM stores",
        "SELECT count(*) AS n FROM (SELECT * FROM stores UNION ALL SELECT order_id, product FROM orders) t WHERE city <> 'York'",
        "SELECT count(*) AS n FROM stores s, LATERAL (SELECT * FROM orders) l",
        "SELECT count(*) AS n FROM orders a JOIN orders b ON a.order_id = b.order_id",
      ]) {
        const { json } = await run("bo", sql);
        assert.deepEqual(json.result?.data, [{ n: "1" }], `${sql}: ${JSON.stringify(json)}`);
      }
      for (const sql of [
        "SELECT margin FROM orders",
        "SELECT o.margin FROM orders o",
        'SELECT o."margin" FROM orders o',
        "SELECT MARGIN FROM orders",
        "SELECT count(*) FROM orders WHERE margin > 0",
        "SELECT order_id FROM orders ORDER BY margin",
        "SELECT a.order_id FROM orders a JOIN orders b USING (margin)",
      ]) {
        const { status, json } = await run("bo", sql);
        assert.deepEqual([status, json.result], [400, undefined], sql);
        assert.doesNotMatch(JSON.stringify(json), /90\d|Samovar/, sql);
      }
      for (const sql of ["SELECT * FROM orders", "SELECT orders AS o FROM orders", "SELECT o.* FROM orders o"]) {
        const { json } = await run("bo", sql);
        assert.match(JSON.stringify(json), /Teapot/, sql);
        assert.doesNotMatch(JSON.stringify(json), /90\d|margin|Samovar|Kettle/, sql);
      }
      assert.match(JSON.stringify((await run("ann", "SELECT margin FROM orders")).json.result.data), /901/);
    });

    it("shows no row through views, other names of the table, or an error about a row", async () => {
      for (const view of ["all_orders", "more_orders"]) {
        assert.equal((await run("bo", `SELECT count(*) FROM ${view}`)).status, 400);
        assert.doesNotMatch(JSON.stringify((await ask("bo", `how many ${view}`, view)).json), /"4"/);
      }
      for (const tableId of ["public.orders", "main.orders", "ORDERS"]) {
        const own = await ask("cy", "how many orders are there", tableId);
        assert.equal(own.json.queryResult, undefined, tableId);
      }
      const other = { bq: { tableReferences: [{ projectId: "acme", datasetId: "elsewhere", tableId: "orders" }] } };
      const { json } = await as("cy", `${LOCATION}:queryData`, {
        prompt: "how many orders are there",
        context: { datasourceReferences: other },
        generationOptions: { generateQueryResult: true },
      });
      assert.equal(json.queryResult, undefined);
      const cast =
        "SELECT count(*) AS n FROM orders WHERE CASE WHEN order_id > 2 THEN CAST(product AS int) ELSE 1 END = 1";
      assert.deepEqual((await run("ann", cast)).json.result?.data, [{ n: "2" }]);
    });

    it("keeps values of columns for who may see them, and plans for nobody", async () => {
      const boss = await ask("boss", "total amount of Samovar");
      assert.match(boss.json.generatedQuery, /'Samovar'/);
      const bo = await ask("bo", "total amount of Samovar");
      assert.doesNotMatch(JSON.stringify(bo.json), /'Samovar'|product is/i);
      const explained = await run("bo", "SELECT count(*) FROM orders");
      assert.equal(explained.json.queryPlan, undefined);
      const chat = await as("bo", `${LOCATION}:chat`, {
        messages: [{ userMessage: { text: "total amount by product" } }],
        dataAgentContext: { dataAgent: AGENT },
      });
      assert.match(JSON.stringify(chat.json), /Teapot/);
      assert.match(JSON.stringify(chat.json), /Access rules apply to this data/);
      assert.doesNotMatch(JSON.stringify(chat.json), /margin|Kettle|Samovar|all_orders/);
    });
  });
