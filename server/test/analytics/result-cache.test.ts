import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { readCondition } from "#analytics";
import { startTestServer, type TestServer } from "#testing";
import { callRest, LOCATION } from "./data-server.ts";

const table = ["acme", "sales", "orders"] as const;
const rule = (name: string, region: string) => ({
  name,
  table,
  members: [`user:${name}@example.com`],
  rows: readCondition(`region = '${region}'`),
  hiddenColumns: [],
});
const analytics = {
  definedModels: new Map(),
  budgets: { byAgent: new Map() },
  rules: [rule("ann", "North"), rule("al", "North"), rule("bo", "South")],
  cache: { maxAgeMs: 60_000, maxBytes: 1_000_000, maxEntries: 3 },
};
const identities = ["ann", "al", "bo"].map((name) => ({
  principal: `user:${name}@example.com`,
  token: `token-of-${name}-0123456789`,
  roles: ["roles/geminidataanalytics.admin", "roles/monitoring.viewer"],
}));
const datasourceReferences = {
  bq: { tableReferences: [{ projectId: "acme", datasetId: "sales", tableId: "orders" }] },
};
const SUM = "SELECT sum(amount) AS total FROM orders";

describe("results that are kept (CA-54)", () => {
  let folder: string;
  let server: TestServer;
  const write = (north: number) =>
    writeFile(join(folder, "orders.csv"), `order_id,region,amount\n1,North,${north}\n2,South,5\n3,South,7\n`);
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "frontdesk-cache-"));
    await write(10);
    const warehouse = {
      sources: [{ name: ["acme", "sales"] as const, path: folder }],
      memory: "256MB",
      spillDir: join(folder, "spill"),
    };
    server = await startTestServer({ config: { warehouse, identities, analytics } });
    await as("ann", "dataAgents:createSync?dataAgentId=orders", {
      dataAnalyticsAgent: { publishedContext: { datasourceReferences } },
    });
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const headers = (name: string) => ({ authorization: `Bearer token-of-${name}-0123456789` });
  const as = (name: string, path: string, body: object) =>
    callRest(server, "POST", `/v1beta/${LOCATION}/${path}`, body, headers(name));
  async function total(name: string, sqlQuery = SUM) {
    const { json } = await as(name, "dataAgents/orders:runStatement", { sqlQuery });
    assert.ok(json.result, JSON.stringify(json));
    return { total: json.result.data[0].total, cached: json.result.cachedTime !== undefined };
  }
  async function counted(outcome: string) {
    const text = await (await fetch(`${server.address}/metrics`, { headers: headers("ann") })).text();
    return Number(new RegExp(`frontdesk_data_queries_total\\{outcome="${outcome}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
  }

  it("answer the same statement again, to those who see the same, until the table changes", async () => {
    assert.deepEqual(await total("ann"), { total: "10", cached: false });
    assert.deepEqual(await total("ann"), { total: "10", cached: true });
    assert.deepEqual(await total("al"), { total: "10", cached: true });
    assert.deepEqual(await total("bo"), { total: "12", cached: false });
    assert.deepEqual(await total("bo"), { total: "12", cached: true });
    await write(1000);
    assert.deepEqual(await total("ann"), { total: "1000", cached: false });
    assert.deepEqual(await total("ann"), { total: "1000", cached: true });
  });

  it("are bounded, and none is kept of a statement with the day or chance in it", async () => {
    for (const at of [1, 2, 3, 4]) assert.equal((await total("bo", `${SUM} WHERE order_id <> ${-at}`)).cached, false);
    assert.equal((await total("bo", `${SUM} WHERE order_id <> -1`)).cached, false);
    assert.equal((await total("bo", `${SUM} WHERE order_id <> -4`)).cached, true);
    const [hits, uncacheable] = [await counted("hit"), await counted("uncacheable")];
    for (const volatile of ["current_date > DATE '2020-01-01'", "random() < 2"])
      for (const _ of [1, 2]) assert.equal((await total("bo", `${SUM} WHERE ${volatile}`)).cached, false);
    assert.deepEqual([await counted("hit"), await counted("uncacheable")], [hits, uncacheable + 4]);
  });

  it("say in an answer when they were read", async () => {
    const ask = () =>
      callRest(
        server,
        "POST",
        `/v1beta/${LOCATION}:chat`,
        {
          messages: [{ userMessage: { text: "total amount by region" } }],
          dataAgentContext: { dataAgent: `${LOCATION}/dataAgents/orders` },
        },
        headers("bo"),
      );
    assert.doesNotMatch(JSON.stringify((await ask()).json), /rows were read at|cachedTime/);
    const again = JSON.stringify((await ask()).json);
    assert.match(again, /The rows were read at 2\d{3}-/);
    assert.match(again, /"cachedTime":"2\d{3}-/);
  });
});
