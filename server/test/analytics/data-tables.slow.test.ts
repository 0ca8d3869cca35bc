import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import pg from "pg";
import { readCondition } from "#analytics";
import { startPostgres, startTestServer, type TestServer, type ThrowawayPostgres, withoutPostgres } from "#testing";
import { startBigQuery } from "#testing/google";
import { openCommandLine } from "../command-line.ts";
import { callRest, LOCATION } from "./data-server.ts";

const TABLES = `
  CREATE TABLE orders (id int PRIMARY KEY, total numeric(9, 2));
  COMMENT ON TABLE orders IS 'What was sold';
  CREATE SCHEMA crm; CREATE TABLE crm.salaries (id int, pay int); CREATE TABLE crm.stores (id int)`;
const identities = ["ann", "boss", "guest"].map((name) => ({
  principal: `user:${name}@example.com`,
  token: `token-of-${name}-0123456789`,
  roles: name === "guest" ? [] : ["roles/geminidataanalytics.admin"],
}));
const rule = (table: string, name: string, more: object = {}) => ({
  ...{ name: "analytics.rules[0]", table: ["acme", "crm", table] as const, hiddenColumns: [] },
  ...{ members: [`user:${name}@example.com`], ...more },
});
const RULES = [
  rule("salaries", "boss"),
  rule("stores", "boss"),
  rule("stores", "ann", { rows: readCondition("id > 1"), hiddenColumns: ["id"] }),
];

describe("the tables that questions may name (CA-55)", { skip: withoutPostgres() }, () => {
  let folder: string;
  let postgres: ThrowawayPostgres;
  let bigquery: Awaited<ReturnType<typeof startBigQuery>>;
  let server: TestServer;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "frontdesk-tables-"));
    mkdirSync(join(folder, "sales"));
    writeFileSync(join(folder, "sales", "refunds.csv"), "day,amount\n2026-01-05,1.5\n");
    postgres = await startPostgres();
    const owner = new pg.Client({ connectionString: postgres.url });
    await owner.connect();
    await owner.query(TABLES);
    await owner.end();
    const tables = ["visits", "clicks"].map((tableId) => ({
      tableReference: { projectId: "web", datasetId: "logs", tableId },
      schema: { fields: [{ name: "at", type: "TIMESTAMP" }] },
    }));
    bigquery = await startBigQuery({ tables, answers: [] });
    const access = { endpoint: bigquery.address, accessToken: async () => "token-1" };
    const warehouse = {
      sources: [{ name: ["*", "sales"] as const, path: join(folder, "sales") }],
      postgres: [
        { name: ["acme", "shop"] as const, connectionString: () => postgres.url, schema: "public" },
        { name: ["acme", "crm"] as const, connectionString: () => postgres.url },
        { name: ["gone", "db"] as const, connectionString: () => "postgresql://x:hush-hush@127.0.0.1:1/db" },
      ],
      bigquery: [{ name: ["web"] as const, access }],
      ...{ memory: "256MB", spillDir: join(folder, "spill") },
    };
    const analytics = { definedModels: new Map(), budgets: { byAgent: new Map() }, rules: RULES };
    server = await startTestServer({ config: { warehouse, identities, analytics } });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await bigquery[Symbol.asyncDispose]();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const list = (query: string, name = "boss") =>
    callRest(server, "GET", `/v1beta/${LOCATION}/dataTables?${query}`, undefined, {
      authorization: `Bearer token-of-${name}-0123456789`,
    });
  const namesOf = ({ json }: Awaited<ReturnType<typeof list>>) =>
    (json.dataTables ?? []).map(({ bigqueryTableReference: at }: { bigqueryTableReference: Record<string, string> }) =>
      [at.projectId, at.datasetId, at.tableId].join("."),
    );

  it("are listed of every engine by name, with columns, and what does not answer beside them", async () => {
    const listed = await list("");
    assert.deepEqual(namesOf(listed), [
      ...["acme.crm.salaries", "acme.crm.stores", "acme.shop.orders"],
      ...["p.sales.refunds", "web.logs.clicks", "web.logs.visits"],
    ]);
    const [, , orders, refunds, visits] = listed.json.dataTables;
    assert.deepEqual(orders.schema, {
      description: "What was sold",
      fields: [
        { name: "id", type: "INT64", mode: "REQUIRED" },
        { name: "total", type: "NUMERIC", mode: "NULLABLE" },
      ],
    });
    assert.deepEqual(
      [...refunds.schema.fields, ...visits.schema.fields].map(({ name, type }) => `${name} ${type}`),
      ["day DATE", "amount FLOAT64", "at TIMESTAMP"],
    );
    const [gone, ...more] = listed.json.unreachableSources;
    assert.deepEqual([gone.source, more], ["gone.db", []]);
    assert.match(gone.message, /cannot be reached/);
    assert.doesNotMatch(JSON.stringify(listed.json), /hush-hush/);
  });

  it("come in pages, and are found by words of their names", async () => {
    const first = await list("pageSize=2&query=acme");
    assert.deepEqual(namesOf(first), ["acme.crm.salaries", "acme.crm.stores"]);
    const { nextPageToken } = first.json;
    const second = await list(`pageSize=2&query=acme&pageToken=${nextPageToken}`);
    assert.deepEqual([namesOf(second), second.json.nextPageToken], [["acme.shop.orders"], undefined]);
    assert.equal((await list(`pageSize=2&query=shop&pageToken=${nextPageToken}`)).status, 400);
    assert.deepEqual(namesOf(await list("query=ORD%20shop")), ["acme.shop.orders"]);
    assert.deepEqual(namesOf(await list("query=nothing")), []);
  });

  it("are shown as rules show them, to whom may ask any table", async () => {
    const listed = await list("query=crm", "ann");
    assert.deepEqual(namesOf(listed), ["acme.crm.stores"]);
    assert.doesNotMatch(JSON.stringify(listed.json.dataTables), /"id"/);
    const { status, json } = await list("", "guest");
    assert.deepEqual([status, json.dataTables], [403, undefined]);
  });

  it("are lines of the command line", async () => {
    await using commands = openCommandLine();
    const place = [
      "--server",
      server.address,
      "--project",
      "p",
      "--location",
      "global",
      "--token",
      identities[1]?.token ?? "",
    ];
    const { code, stdout, stderr } = await commands.run(["data", "tables", "shop", ...place]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^acme\.shop\.orders +id INT64, total NUMERIC +What was sold\n$/);
    assert.match(stderr, /^gone\.db: .*cannot be reached/);
  });
});
