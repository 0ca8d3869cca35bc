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

const POLITE: LanguageModel = {
  label: "test/polite",
  capabilities: LLM_CAPABILITIES,
  async *stream(): AsyncGenerator<StreamPart, void> {
    yield { kind: "text-delta", text: "Hello." };
    yield { kind: "finish", reason: "stop", rawReason: "STOP", usage: {} };
  },
};

describe("a server whose database", { skip: withoutPostgres() }, () => {
  let postgres: ThrowawayPostgres;
  let proxy: TcpProxy;
  let server: TestServer;
  let database: pg.Client;

  before(async () => {
    postgres = await startPostgres();
    proxy = await startTcpProxy(Number(new URL(postgres.url).port));
    const url = new URL(postgres.url);
    url.port = String(proxy.port);
    const sealing = { from: "environment", text: Buffer.alloc(32, 1).toString("base64") } as const;
    server = await startTestServer({ model: POLITE, config: { database: { url: url.href, connections: 4 }, sealing } });
    const rest = restOf(() => server);
    await rest("POST", `${PARENT}/apps?appId=patient`, { displayName: "Patient" });
    await rest("POST", `${APP}/agents?agentId=root-agent`, {
      displayName: "Root",
      llmAgent: {},
      instruction: "Greet.",
    });
    await rest("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/root-agent` });
    database = new pg.Client({ connectionString: postgres.url });
    await database.connect();
  });
  after(async () => {
    proxy?.delay(0);
    await server?.[Symbol.asyncDispose]();
    await proxy?.close();
    await database?.end();
    await postgres?.stop();
  });

  /** The answer to a turn. */
  function turn(id: string) {
    const session = `${APP}/sessions/session-${id}`;
    return answerTo("POST", `${session}:runSession`, { config: { session }, inputs: [{ text: "Hi" }] });
  }

  /** The answer to a change of the app. */
  function patchAgent() {
    return answerTo("PATCH", `${APP}/agents/root-agent?updateMask=instruction`, { instruction: "Greet again." });
  }

  /** A connection to the same server that does not need the database of the test. */
  async function anotherDatabase(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: postgres.url.replace(/postgres$/, "template1") });
    await client.connect();
    return client;
  }

  /** Status, reason and metadata of an answer, and whether it says when to try again. */
  async function answerTo(method: string, path: string, body: object) {
    const response = await fetch(`${server.address}/v1beta/${path}`, {
      method,
      signal: AbortSignal.timeout(60_000),
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const { error } = (await response.json()) as { error?: { details: readonly Detail[] } };
    const info = error?.details.find(({ reason }) => reason !== undefined);
    const retry = error?.details.some(({ retryDelay }) => retryDelay !== undefined) ?? false;
    return { status: response.status, reason: info?.reason, storage: info?.metadata?.storage, retry };
  }
  interface Detail {
    readonly reason?: string;
    readonly metadata?: Readonly<Record<string, string>>;
    readonly retryDelay?: string;
  }
  const REFUSED = { status: 503, reason: "STORAGE_OVERLOADED", storage: undefined, retry: true };

  /** Resolves when a turn is answered. */
  async function untilAnswered(id: string): Promise<void> {
    while ((await turn(id)).status !== 200) await delay(100);
  }

  /** Makes the regular writes of servers wait, and nothing else, until the answer is called. */
  async function holdHeartbeats(): Promise<() => Promise<void>> {
    await database.query("begin");
    await database.query("select 1 from replicas for update");
    return async () => void (await database.query("commit"));
  }

  it("is slow refuses turns early and says when to try again, and goes on when it is fast again (DB-16)", async () => {
    assert.equal((await turn("fast")).status, 200);
    proxy.delay(3_500);
    const answers = await Promise.all(["a", "b", "c", "d", "e"].map(turn));
    assert.deepEqual(
      answers,
      answers.map(() => REFUSED),
    );
    assert.deepEqual(await turn("later"), REFUSED);
    proxy.delay(0);
    await untilAnswered("fast");
    const { turnCount } = await restOf(() => server)("GET", `${APP}/conversations/session-fast`);
    assert.equal(turnCount, 2);
  });

  it("is late with one write refuses no turn (DB-16)", async () => {
    const release = await holdHeartbeats();
    await delay(2_500);
    const late = await turn("late-write");
    await release();
    assert.equal(late.status, 200);
  });

  it("answers while the server itself has no time to read refuses no turn (DB-16)", async () => {
    proxy.delay(150);
    const answer = turn("busy-server");
    await delay(75);
    const until = performance.now() + 2_500;
    while (performance.now() < until);
    assert.equal((await answer).status, 200);
    proxy.delay(0);
  });

  it("is fast again is found out by the next turn, whatever an earlier write waits for (DB-16)", {
    timeout: 60_000,
  }, async () => {
    const release = await holdHeartbeats();
    proxy.delay(3_500);
    assert.deepEqual(await Promise.all(["f", "g"].map(turn)), [REFUSED, REFUSED]);
    proxy.delay(0);
    await untilAnswered("f");
    await release();
  });

  it("takes no connections refuses turns and changes of apps, says when to try again, and goes on when it does (DB-10)", async () => {
    assert.equal((await turn("away")).status, 200);
    const other = await anotherDatabase();
    await other.query("alter database postgres allow_connections false");
    const away = { status: 503, reason: "STORAGE_UNAVAILABLE", storage: "FAILED", retry: true };
    try {
      await other.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'frontdesk'");
      assert.deepEqual(await Promise.all([turn("away"), turn("unknown")]), [away, away]);
      assert.deepEqual(await patchAgent(), away);
    } finally {
      await other.query("alter database postgres allow_connections true");
      await other.end();
    }
    await untilAnswered("away");
    assert.equal((await patchAgent()).status, 200);
  });

  it("needs too long for a list ends it, says what to ask instead, and answers turns meanwhile (DB-29)", async () => {
    const entries = `${server.address}/v1beta/projects/p/auditEntries`;
    await database.query("begin");
    await database.query("lock table audit in access exclusive mode");
    const lists = Promise.all(
      Array.from({ length: 6 }, async () => {
        const response = await fetch(entries, { signal: AbortSignal.timeout(60_000) });
        const { error } = (await response.json()) as { error?: { status: string; message: string } };
        return `${error?.status}: ${error?.message}`;
      }),
    );
    await delay(500);
    assert.equal((await turn("beside-lists")).status, 200);
    const said = (await lists).toSorted();
    assert.match(
      said[0] ?? "",
      /^DEADLINE_EXCEEDED: The database did not finish this list within 8 seconds.*start_time/,
    );
    const busy = "UNAVAILABLE: The database is busy with other lists. Try again in a moment.";
    assert.deepEqual(said, [said[0], said[0], busy, busy, busy, busy]);
    const { rows } = await database.query(
      "select query from pg_stat_activity where application_name = 'frontdesk' and state = 'active' and query like 'select%audit%'",
    );
    await database.query("commit");
    assert.deepEqual(rows, [], "none goes on in the database");
    assert.equal((await fetch(entries)).status, 200);
  });

  it("is full refuses turns, is not ready, and goes on without a restart when there is space", async () => {
    await database.query(`create function no_space() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`);
    for (const table of ["turns", "write_check"])
      await database.query(
        `create trigger full_disk before insert on ${table} for each row execute function no_space()`,
      );
    assert.deepEqual(await turn("full"), {
      ...{ status: 503, reason: "STORAGE_UNAVAILABLE", storage: "FULL", retry: true },
    });
    assert.equal((await fetch(`${server.address}/readyz`)).status, 503);
    for (const table of ["turns", "write_check"]) await database.query(`drop trigger full_disk on ${table}`);
    await untilAnswered("full");
    const { turnCount } = await restOf(() => server)("GET", `${APP}/conversations/session-full`);
    assert.equal(turnCount, 1);
  });
});
