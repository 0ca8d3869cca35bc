import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { type LanguageModel, LLM_CAPABILITIES, type StreamPart } from "#models";
import { startPostgres, startTestServer, type TestServer, type ThrowawayPostgres, withoutPostgres } from "#testing";
import { restOf } from "../rest.ts";

const PARENT = "projects/p/locations/us";
const APP = `${PARENT}/apps/restored`;

/** Says its instruction. */
const ECHO: LanguageModel = {
  label: "test/echo",
  capabilities: LLM_CAPABILITIES,
  async *stream({ system }): AsyncGenerator<StreamPart, void> {
    yield { kind: "text-delta", text: `${/manner-\w+/.exec(system)}` };
    yield { kind: "finish", reason: "stop", rawReason: "STOP", usage: {} };
  },
};

describe("servers whose database is restored while they run (DB-23)", { skip: withoutPostgres() }, () => {
  let postgres: ThrowawayPostgres;
  let servers: readonly TestServer[] = [];
  let database: pg.Client;
  const [one, two] = [restOf(() => servers[0] as TestServer), restOf(() => servers[1] as TestServer)];

  before(async () => {
    postgres = await startPostgres();
    const sealing = { from: "environment", text: Buffer.alloc(32, 1).toString("base64") } as const;
    const config = { database: { url: postgres.url, connections: 4 }, sealing };
    const start = () => startTestServer({ model: ECHO, config });
    servers = [await start(), await start()];
    database = new pg.Client({ connectionString: postgres.url });
    await database.connect();
    await one("POST", `${PARENT}/apps?appId=restored`, { displayName: "Restored" });
    const agent = { displayName: "Root", llmAgent: {}, instruction: "manner-early" };
    await one("POST", `${APP}/agents?agentId=root-agent`, agent);
    await one("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/root-agent` });
    await database.query("create table backup as select * from resources");
  });
  after(async () => {
    for (const server of servers) await server[Symbol.asyncDispose]();
    await database?.end();
    await postgres?.stop();
  });

  async function mannerOf(call: typeof one): Promise<string> {
    const session = `${APP}/sessions/${crypto.randomUUID()}`;
    const answer = await call("POST", `${session}:runSession`, { config: { session }, inputs: [{ text: "Hi" }] });
    return answer.outputs[0].text;
  }

  for (const [what, statement] of [
    ["has no rows of them", "delete from replicas"],
    ["has the rows that they had then", "update replicas set until = until - interval '1 day'"],
  ] as const)
    it(`run the app as it was restored where the backup ${what}`, async () => {
      await one("PATCH", `${APP}/agents/root-agent?updateMask=instruction`, { instruction: "manner-late" });
      assert.deepEqual([await mannerOf(one), await mannerOf(two)], ["manner-late", "manner-late"]);
      // As a restore does it, nothing is announced to servers.
      const restored = "delete from resources; insert into resources select * from backup";
      await database.query(`begin; ${restored}; ${statement}; commit`);
      for (const call of [one, two]) while ((await mannerOf(call)) !== "manner-early") await delay(50);
    });
});
