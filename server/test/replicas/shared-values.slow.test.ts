import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { Config } from "#app";
import { createLogger, systemClock, systemIds } from "#base";
import { type LanguageModel, LLM_CAPABILITIES, type ModelRequest, type StreamPart } from "#models";
import { createSharedOutcomes } from "#session";
import { startPostgres, type ThrowawayPostgres, withoutPostgres } from "#testing";
import { type AuthServer, LOCATION, startAuthServer } from "../identity/auth-server.ts";
import { createBrowser } from "../identity/browser.ts";
import { sign } from "../identity/sign.ts";

const APP = `${LOCATION}/apps/shared`;

/** Calls the tool that it is told to call, and repeats every other message. */
const CALLER: LanguageModel = {
  label: "test/caller",
  capabilities: LLM_CAPABILITIES,
  async *stream({ messages }: ModelRequest): AsyncGenerator<StreamPart, void> {
    const last = messages.at(-1)?.parts ?? [];
    const said = last.map((part) => ("text" in part ? part.text : "")).join(" ");
    const [, name] = /^call (\w+)$/.exec(said.trim()) ?? [];
    if (name) yield { kind: "function-call", id: `call-${name}`, name, args: {} };
    else yield { kind: "text-delta", text: said || "nothing" };
    yield { kind: "finish", reason: name ? "tool-calls" : "stop", rawReason: "STOP", usage: {} };
  },
};

const TOOLS = {
  report: "def report() -> dict:\n  return {'lines': 7}",
  endless: "import time\ndef endless() -> dict:\n  time.sleep(60)\n  return {}",
};

/** Ten calls of one caller, and then one an hour. */
const QUOTAS: Config["quotas"] = {
  rules: [{ measure: "reads", per: "caller", limit: 1, everyMs: 3_600_000, burst: 10 }],
  prices: {},
  turnsAtOnce: 100,
};

/** Another server learns of a change within this time (DB-7). */
const WITHIN_MS = 1_000;

describe("two servers over one database share (DB-12)", { skip: withoutPostgres() }, () => {
  let postgres: ThrowawayPostgres;
  let [one, two]: AuthServer[] = [];

  const start = (replica: string) => {
    const sealing = { from: "environment", text: Buffer.alloc(32, 1).toString("base64") } as const;
    return startAuthServer({
      model: CALLER,
      auth: { origin: "http://desk.test" },
      config: { database: { url: postgres.url, connections: 4, replica }, sealing, quotas: QUOTAS },
    });
  };

  before(async () => {
    postgres = await startPostgres();
    one = await start("first");
    two = await start("second");
    await send(one, `${LOCATION}/apps?appId=shared`, { displayName: "Shared" });
    for (const [name, pythonCode] of Object.entries(TOOLS))
      await send(one, `${APP}/tools?toolId=${name}`, {
        displayName: name,
        executionType: "ASYNCHRONOUS",
        pythonFunction: { name, pythonCode },
      });
    const tools = Object.keys(TOOLS).map((name) => `${APP}/tools/${name}`);
    await send(one, `${APP}/agents?agentId=root-agent`, {
      displayName: "Root",
      llmAgent: {},
      instruction: "Help.",
      tools,
    });
    await send(one, `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/root-agent` }, "PATCH");
  });
  after(async () => {
    await Promise.all([one?.[Symbol.asyncDispose](), two?.[Symbol.asyncDispose]()]);
    await postgres?.stop();
  });

  // biome-ignore lint/suspicious/noExplicitAny: the JSON as any client would look into it
  async function send(server: AuthServer | undefined, path: string, body: object, method = "POST"): Promise<any> {
    assert.ok(server);
    const headers = { "content-type": "application/json" };
    const response = await server.call(`/v1beta/${path}`, server.operator, {
      ...{ method, headers, body: JSON.stringify(body) },
    });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return JSON.parse(text);
  }

  async function say(server: AuthServer | undefined, id: string, text: string): Promise<string> {
    const session = `${APP}/sessions/${id}`;
    const { outputs } = await send(server, `${session}:runSession`, { config: { session }, inputs: [{ text }] });
    return outputs.map((output: { text?: string }) => output.text ?? "").join("");
  }

  it("keys: one that is revoked at the first is refused by the second within a second", async () => {
    assert.ok(one && two);
    const { name, text } = await one.createApiKey();
    const withKey = async () => (await two?.call(`/v1beta/${LOCATION}/apps`, { "x-goog-api-key": text }))?.status;
    assert.equal(await withKey(), 200);
    await one.call(`/v1beta/${name}`, one.operator, { method: "DELETE" });
    await delay(WITHIN_MS);
    assert.equal(await withKey(), 401);
  });

  it("one-time links: the second server opens what the first made, and nobody opens it again (AUTH-21)", async () => {
    assert.ok(one);
    const made = await one.call("/auth/links", one.operator, { method: "POST" });
    const { url } = (await made.json()) as { url: string };
    const open = async (server: AuthServer | undefined) =>
      (await createBrowser().send(url.replace("http://desk.test", `${server?.address}`))).headers.get("location");
    assert.equal(await open(two), "/");
    assert.match(`${await open(one)}`, /fault=expired/);
    assert.match(`${await open(two)}`, /fault=expired/);
  });

  it("logins of programs: begun at the first, allowed at the second, fetched from the first (AUTH-22)", async () => {
    const [begun, decided] = [one?.app.authentication.deviceLogins, two?.app.authentication.deviceLogins];
    const { deviceCode, userCode } = (await begun?.begin("10.0.0.1")) ?? { deviceCode: "", userCode: "" };
    assert.equal(await begun?.poll(deviceCode), "authorization_pending");
    const ann = { kind: "user", principal: "user:ann@example.com", credentialId: "", claims: {}, groups: [] } as const;
    assert.equal((await decided?.waiting(userCode))?.address, "10.0.0.1");
    assert.equal(await decided?.decide(userCode, ann), true);
    assert.equal(await begun?.decide(userCode, undefined), false);
    assert.deepEqual(await begun?.poll(deviceCode), ann);
    assert.equal(await decided?.poll(deviceCode), "expired_token");
  });

  it("assertions: one that the first server took is refused by the second (AUTH-4)", async () => {
    const key = await one?.createKey("ci");
    assert.ok(key);
    const assertion = await sign(key, { aud: "http://desk.test/token", jti: "once" });
    const body = new URLSearchParams({ grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer", assertion });
    const statuses = [];
    for (const server of [one, two])
      statuses.push((await server?.call("/token", {}, { method: "POST", body }))?.status);
    assert.deepEqual(statuses, [200, 400]);
  });

  it("results of asynchronous tools: the second server reports what ended at the first (TOOL-39)", async () => {
    await say(one, "asynchronous", "call report");
    let answer = "";
    while (!answer.includes("completed")) answer = await say(two, "asynchronous", "and now?");
    assert.match(answer, /function \[report\] completed with response \{\s*"result": \{\s*"lines": 7/);
    assert.equal(await say(one, "asynchronous", "and again?"), "and again?");
  });

  it("knowledge of who runs an asynchronous tool: a call whose server stops has failed (TOOL-39)", async () => {
    const third = await start("third");
    await say(third, "abandoned", "call endless");
    assert.equal(await say(two, "abandoned", "and now?"), "and now?");
    await third[Symbol.asyncDispose]();
    assert.match(await say(two, "abandoned", "and now?"), /function \[endless\] failed/);
  });

  it("quotas: what the second server granted is used up at the first (QUOTA-2)", async () => {
    const key = { "x-goog-api-key": (await two?.createApiKey())?.text ?? "" };
    const read = async (server: AuthServer | undefined) =>
      (await server?.call(`/v1beta/${LOCATION}/apps`, key))?.status;
    for (let granted = 0; granted < 8; granted += 1) assert.equal(await read(two), 200);
    await delay(WITHIN_MS);
    const statuses = [await read(one), await read(one), await read(one)];
    assert.deepEqual(statuses, [200, 200, 429]);
  });

  it("a page of metrics each, which names the server", async () => {
    await say(two, "counted", "hello");
    const page = await (await two?.call("/metrics", two.operator))?.text();
    assert.match(
      `${page}`,
      /^frontdesk_turn_duration_seconds_count\{replica="second",outcome="stored"\} \d+$|^frontdesk_turn_duration_seconds_count\{outcome="stored",replica="second"\} \d+$/m,
    );
  });

  it("knowledge of who lives: a call of a server that is gone without a word is lost (TOOL-39)", async () => {
    const { replica, shortLived: store } = one?.app.storage ?? {};
    assert.ok(replica && store);
    const logger = createLogger("silent");
    const outcomes = createSharedOutcomes({ store, replica, ids: systemIds, clock: systemClock, logger });
    const at = (server: string) => outcomes.outcomeOf(`${APP}/sessions/nobody`, "call-1", server);
    assert.equal(await at(two?.app.storage.replica?.id ?? ""), "running");
    assert.equal(await at("a-server-that-was-killed"), "lost");
  });
});
