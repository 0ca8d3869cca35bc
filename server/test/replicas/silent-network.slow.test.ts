import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { type LanguageModel, LLM_CAPABILITIES, type StreamPart } from "#models";
import { startPostgres, startTestServer, type TestServer, type ThrowawayPostgres, withoutPostgres } from "#testing";
import { restOf } from "../rest.ts";
import { startTcpProxy, type TcpProxy } from "./chaos/tcp-proxy.ts";

const PARENT = "projects/p/locations/us";
const APP = `${PARENT}/apps/patient`;

describe("a server whose network to the database drops what is sent", { skip: withoutPostgres() }, () => {
  let postgres: ThrowawayPostgres;
  let proxy: TcpProxy;
  let server: TestServer;
  /** What the model waits for before it answers, and what tells that it was asked. */
  let gate = Promise.resolve();
  let onAsked = () => {};

  const model: LanguageModel = {
    label: "test/gated",
    capabilities: LLM_CAPABILITIES,
    async *stream(): AsyncGenerator<StreamPart, void> {
      onAsked();
      await gate;
      yield { kind: "text-delta", text: "Hello." };
      yield { kind: "finish", reason: "stop", rawReason: "STOP", usage: {} };
    },
  };

  before(async () => {
    postgres = await startPostgres();
    proxy = await startTcpProxy(Number(new URL(postgres.url).port));
    const url = new URL(postgres.url);
    url.port = String(proxy.port);
    const sealing = { from: "environment", text: Buffer.alloc(32, 1).toString("base64") } as const;
    server = await startTestServer({ model, config: { database: { url: url.href, connections: 4 }, sealing } });
    const rest = restOf(() => server);
    await rest("POST", `${PARENT}/apps?appId=patient`, { displayName: "Patient" });
    await rest("POST", `${APP}/agents?agentId=root-agent`, {
      displayName: "Root",
      llmAgent: {},
      instruction: "Greet.",
    });
    await rest("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/root-agent` });
  });
  after(async () => {
    await server?.[Symbol.asyncDispose]();
    await proxy?.close();
    await postgres?.stop();
  });

  /** Status, code of the answer to a call, and whether it says when to try again. */
  async function answerTo(method: string, path: string, body?: object) {
    const response = await fetch(`${server.address}/v1beta/${path}`, {
      method,
      signal: AbortSignal.timeout(60_000),
      headers: { "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const { error } = (await response.json()) as { error?: { status: string; details: readonly object[] } };
    const retry = error?.details.some((detail) => "retryDelay" in detail) ?? false;
    return { status: response.status, code: error?.status, retry };
  }

  function turn(id: string) {
    const session = `${APP}/sessions/session-${id}`;
    return answerTo("POST", `${session}:runSession`, { config: { session }, inputs: [{ text: "Hi" }] });
  }

  /** A turn whose model has been asked. The answer of the model is held until the second one is called. */
  async function turnInFlight(id: string) {
    gate = Promise.resolve();
    while ((await turn("before")).status !== 200) await delay(100);
    const asked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    onAsked = asked.resolve;
    gate = held.promise;
    const answer = turn(id);
    await Promise.race([asked.promise, answer.then((early) => assert.fail(JSON.stringify(early)))]);
    return { answer, answerOfModel: held.resolve };
  }

  const turnCount = async (id: string) =>
    (await restOf(() => server)("GET", `${APP}/conversations/session-${id}`)).turnCount as number;

  const ANSWERED = { status: 200, code: undefined, retry: false };
  const REFUSED = { status: 503, code: "UNAVAILABLE", retry: true };

  it("gives its connections up and makes others, over which turns in flight are stored (DB-40)", async () => {
    const { answer, answerOfModel } = await turnInFlight("stranded");
    proxy.strand();
    answerOfModel();
    assert.deepEqual(await answer, ANSWERED);
    assert.equal(await turnCount("stranded"), 1);
  });

  it("answers a turn in flight whose network comes back, and refuses others meanwhile (DB-40)", async () => {
    const { answer, answerOfModel } = await turnInFlight("blip");
    const comesBack = proxy.silence();
    answerOfModel();
    const [refused] = await Promise.all([turn("meanwhile"), delay(5_000)]);
    comesBack();
    assert.deepEqual(refused, REFUSED);
    assert.deepEqual(await answer, ANSWERED);
    assert.equal(await turnCount("blip"), 1);
  });

  it("refuses all calls while it lasts, says when to try again, and goes on afterwards (DB-40)", async () => {
    const { answer, answerOfModel } = await turnInFlight("lost");
    const comesBack = proxy.silence();
    answerOfModel();
    const first = answerTo("GET", `${APP}/agents`);
    const patch = answerTo("PATCH", `${APP}?updateMask=displayName`, { displayName: "Other" });
    assert.deepEqual(await answer, REFUSED);
    assert.deepEqual(await Promise.all([first, patch]), [REFUSED, REFUSED]);
    assert.deepEqual(await answerTo("GET", `${APP}/agents`), REFUSED);
    comesBack();
    while ((await turn("later")).status !== 200) await delay(100);
    assert.deepEqual(await answerTo("GET", `${APP}/agents`), ANSWERED);
  });

  it("ends a statement in the database that took too long, and says when to try again (DB-41)", async () => {
    const database = new pg.Client({ connectionString: postgres.url });
    await database.connect();
    await database.query("begin");
    await database.query("lock table resources in access exclusive mode");
    const refused = await Promise.all([
      answerTo("GET", `${APP}/agents`),
      answerTo("PATCH", `${APP}?updateMask=displayName`, { displayName: "Another" }),
    ]);
    await delay(1_000);
    const { rows } = await database.query(
      `select query from pg_stat_activity where application_name = 'frontdesk' and state = 'active' and query like '%resources%'
        and query_start < clock_timestamp() - interval '10500 milliseconds'`,
    );
    await database.query("commit");
    await database.end();
    assert.deepEqual(refused, [REFUSED, REFUSED]);
    assert.deepEqual(rows, []);
  });

  it("stores a turn in flight while the database takes no writes for a moment, as while another takes its place (DB-4)", async () => {
    const database = new pg.Client({ connectionString: postgres.url });
    await database.connect();
    const setReadOnly = async (value: "on" | "off") => {
      await database.query("set default_transaction_read_only = off");
      await database.query(`alter system set default_transaction_read_only = ${value}`);
      await database.query("select pg_reload_conf()");
    };
    const { answer, answerOfModel } = await turnInFlight("switchover");
    await setReadOnly("on");
    await delay(500);
    answerOfModel();
    await delay(2_000);
    await setReadOnly("off");
    await database.end();
    assert.deepEqual(await answer, ANSWERED);
    assert.equal(await turnCount("switchover"), 1);
  });
});
