import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { startPostgres, type TestServer, type ThrowawayPostgres, withoutPostgres } from "#testing";
import { callRest, LOCATION, ORDERS_REFERENCE, startDataServer } from "../analytics/data-server.ts";

const AGENT = `${LOCATION}/dataAgents/sales`;
const SCHEDULES = 8;
const HOUR = 3_600_000;

describe("schedules that two servers of a database look for (DB-8)", { skip: withoutPostgres() }, () => {
  let postgres: ThrowawayPostgres;
  let servers: readonly TestServer[] = [];
  const rest = async (httpMethod: string, path: string, body?: object) => {
    const { status, json } = await callRest(servers[0] as TestServer, httpMethod, `/v1beta/${path}`, body);
    assert.equal(status, 200, JSON.stringify(json));
    return json;
  };

  before(async () => {
    postgres = await startPostgres();
    const sealing = { from: "environment", text: Buffer.alloc(32, 1).toString("base64") } as const;
    // Kept results let the metrics count the queries.
    const cache = { maxAgeMs: 1, maxBytes: 1_000_000, maxEntries: 3 };
    const analytics = { definedModels: new Map(), budgets: { byAgent: new Map() }, cache };
    const config = { database: { url: postgres.url, connections: 4 }, sealing, analytics };
    servers = [await startDataServer({ config }), await startDataServer({ config })];
    const sqlQuery = "SELECT region, amount FROM acme.sales.orders WHERE amount > 50";
    const context = { datasourceReferences: ORDERS_REFERENCE };
    await rest("POST", `${LOCATION}/dataAgents:createSync?dataAgentId=sales`, {
      dataAnalyticsAgent: { publishedContext: context },
      pinnedQuestions: [{ question: "large orders", sqlQuery }],
    });
  });
  after(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
    await postgres?.stop();
  });

  /** Queries to data so far, of all servers. */
  async function queries(): Promise<number> {
    const texts = await Promise.all(servers.map(async ({ address }) => (await fetch(`${address}/metrics`)).text()));
    const counts = texts.flatMap((text) => [...text.matchAll(/^frontdesk_data_queries_total\{.*\} (\d+)$/gm)]);
    return counts.reduce((sum, [, count]) => sum + Number(count), 0);
  }

  it("run once each, by one of them", async () => {
    const before = await queries();
    const startTime = new Date(Date.now() - HOUR + 1_500).toISOString();
    for (let at = 0; at < SCHEDULES; at++)
      await rest("POST", `${AGENT}/refreshSchedules`, { question: "large orders", frequency: "HOURLY", startTime });
    const { signal } = new AbortController();
    const ran = async (): Promise<number> => {
      const { refreshSchedules } = await rest("GET", `${AGENT}/refreshSchedules?pageSize=100`);
      return refreshSchedules.filter(({ lastRunTime }: { lastRunTime?: string }) => lastRunTime !== undefined).length;
    };
    while ((await ran()) < SCHEDULES) {
      await Promise.all(servers.flatMap(({ app }) => [app.refreshes.pass(signal), app.refreshes.pass(signal)]));
      await delay(20);
    }
    await Promise.all(servers.map(({ app }) => app.refreshes.pass(signal)));
    assert.equal((await queries()) - before, SCHEDULES);
  });
});
