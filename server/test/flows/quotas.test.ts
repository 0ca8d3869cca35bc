import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it, type TestContext } from "node:test";
import type { JsonObject } from "#base";
import type { QuotaConfig, QuotaRule } from "#quota";
import { say as answer, type ScriptedAnswer, ScriptedModel, startTestServer, type TestServer } from "#testing";
import { openWebSocket } from "../live/web-socket-client.ts";
import { appOfOneAgent } from "./app-of-one-agent.ts";

const ANN = { principal: "user:ann@example.com", token: "token-of-ann-0123456789", roles: [] };
const BEN = { principal: "user:ben@example.com", token: "token-of-ben-0123456789", roles: [] };

/** A server with quotas whose clock the test moves. */
class LimitedServer implements AsyncDisposable {
  readonly server: TestServer;
  readonly model: ScriptedModel;
  readonly #clock: { offset: number };

  constructor(server: TestServer, model: ScriptedModel, clock: { offset: number }) {
    this.server = server;
    this.model = model;
    this.#clock = clock;
  }

  static async start(rules: readonly Partial<QuotaRule>[], more: Partial<QuotaConfig> = {}): Promise<LimitedServer> {
    const clock = { offset: 0, now: () => START + clock.offset };
    const model = new ScriptedModel();
    const quotas = { rules: rules.map((rule) => ruleOf(rule)), prices: {}, turnsAtOnce: 1_000, ...more };
    const server = await startTestServer({ model, clock, config: { quotas, identities: [ANN, BEN] } });
    return new LimitedServer(server, model, clock);
  }

  passMs(milliseconds: number): void {
    this.#clock.offset += milliseconds;
  }

  /** A turn as this person; the model answers as scripted. */
  async turn(app: string, who: { readonly token: string }, said: ScriptedAnswer = answer("Hello.")): Promise<Answer> {
    this.model.extend(said);
    return this.post(`${app}/sessions/${crypto.randomUUID()}:runSession`, who, {
      config: {},
      inputs: [{ text: "Hi" }],
    });
  }

  async post(path: string, { token }: { readonly token: string }, body: object): Promise<Answer> {
    const response = await fetch(`${this.server.address}/v1beta/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    const json = (await response.json()) as Answer["json"];
    return { status: response.status, retryAfter: response.headers.get("retry-after"), json };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]();
  }
}

const START = Date.parse("2027-01-05T10:00:00Z");

function ruleOf(rule: Partial<QuotaRule>): QuotaRule {
  const limit = rule.limit ?? 1;
  return { measure: "turns", per: "caller", everyMs: 60_000, burst: limit, ...rule, limit };
}

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly json: {
    readonly error?: { readonly status: string; readonly message: string; readonly details: JsonObject[] };
  };
}

function isRefused({ status, json }: Answer): boolean {
  return status === 429 && json.error?.status === "RESOURCE_EXHAUSTED";
}

describe("quotas", () => {
  it("refuse the turn beyond the limit of a caller with 429, when to come back, and whose quota it is", async () => {
    await using limited = await LimitedServer.start([{ measure: "turns", per: "caller", limit: 2 }]);
    const app = await appOfOneAgent(limited.server, "the-shop", {});
    assert.equal((await limited.turn(app, ANN)).status, 200);
    assert.equal((await limited.turn(app, ANN)).status, 200);
    const refused = await limited.turn(app, ANN);
    assert.ok(isRefused(refused), JSON.stringify(refused));
    assert.equal(refused.retryAfter, "30");
    const details = refused.json.error?.details ?? [];
    const detail = (type: string) => details.find((one) => String(one["@type"]).endsWith(type));
    assert.equal(detail("RetryInfo")?.retryDelay, "30s");
    assert.equal(detail("ErrorInfo")?.reason, "RATE_LIMIT_EXCEEDED");
    assert.deepEqual(detail("QuotaFailure")?.violations, [
      { subject: ANN.principal, description: refused.json.error?.message },
    ]);
    assert.equal((await limited.turn(app, BEN)).status, 200, "another caller has a quota of their own");
    limited.passMs(30_000);
    assert.equal((await limited.turn(app, ANN)).status, 200, "the quota comes back evenly");
  });

  it("come back as told when a clock that was ahead is set back", async () => {
    await using limited = await LimitedServer.start([{ measure: "turns", per: "caller", limit: 2 }]);
    const app = await appOfOneAgent(limited.server, "the-shop", {});
    limited.passMs(3_600_000);
    for (const _ of [1, 2]) assert.equal((await limited.turn(app, ANN)).status, 200);
    limited.passMs(-3_600_000);
    assert.equal((await limited.turn(app, ANN)).retryAfter, "30");
    limited.passMs(30_000);
    assert.equal((await limited.turn(app, ANN)).status, 200);
  });

  for (const { name, everyMs, passMs, retry } of [
    { name: "a day", everyMs: 86_400_000, passMs: 3_600_000, retry: /^360[01]$/ },
    { name: "a minute", everyMs: 60_000, passMs: 2_500, retry: /^[23]$/ },
  ])
    it(`of ${name} are not given back by a restart, but for what has come back meanwhile`, (t) =>
      restarted(t, { everyMs, passMs, retry }));

  async function restarted(
    t: TestContext,
    { everyMs, passMs, retry }: { readonly everyMs: number; readonly passMs: number; readonly retry: RegExp },
  ) {
    const dataDir = await mkdtemp(join(tmpdir(), "frontdesk-quotas-"));
    t.after(() => rm(dataDir, { recursive: true }));
    const clock = { offset: 0, now: () => START + clock.offset };
    const model = new ScriptedModel();
    const rules = [ruleOf({ measure: "turns", per: "app", limit: 24, everyMs })];
    const quotas = { rules, prices: {}, turnsAtOnce: 1_000 };
    const start = async () =>
      new LimitedServer(
        await startTestServer({ dataDir, model, clock, config: { quotas, identities: [ANN] } }),
        model,
        clock,
      );
    let app = "";
    {
      await using limited = await start();
      app = await appOfOneAgent(limited.server, "the-shop", {});
      for (let turn = 0; turn < 24; turn += 1) assert.equal((await limited.turn(app, ANN)).status, 200);
      assert.ok(isRefused(await limited.turn(app, ANN)));
    }
    clock.offset += passMs;
    await using again = await start();
    assert.equal((await again.turn(app, ANN)).status, 200, "one of 24 turns has come back");
    assert.match(`${(await again.turn(app, ANN)).retryAfter}`, retry);
  }

  it("count an app's turns whoever asks for them, and another app's apart", async () => {
    await using limited = await LimitedServer.start([{ measure: "turns", per: "app", limit: 1 }]);
    const [shop, bank] = [
      await appOfOneAgent(limited.server, "the-shop", {}),
      await appOfOneAgent(limited.server, "the-bank", {}),
    ];
    assert.equal((await limited.turn(shop, ANN)).status, 200);
    assert.ok(isRefused(await limited.turn(shop, BEN)));
    assert.equal((await limited.turn(bank, BEN)).status, 200);
  });

  it("count a project's reads and writes apart", async () => {
    await using limited = await LimitedServer.start([{ measure: "writes", per: "project", limit: 1 }]);
    const create = () => limited.post("projects/one/locations/us/apps", ANN, { displayName: "An app" });
    assert.equal((await create()).status, 200);
    assert.ok(isRefused(await create()));
    const list = await fetch(`${limited.server.address}/v1beta/projects/one/locations/us/apps`, {
      headers: { authorization: `Bearer ${ANN.token}` },
    });
    assert.equal(list.status, 200);
  });

  for (const [measure, limit] of [
    ["tokens", 100],
    ["money", 0.001],
  ] as const)
    it(`let a turn take more ${measure} than are left, and the next one wait until it is paid off`, async () => {
      const prices = { "test/*": { input: 5, output: 5 } };
      await using limited = await LimitedServer.start([{ measure, per: "app", limit }], { prices });
      const app = await appOfOneAgent(limited.server, "the-shop", {});
      const usage = { inputTokens: 150, outputTokens: 150 };
      const long: ScriptedAnswer = [
        { kind: "text-delta", text: "A long story." },
        { kind: "finish", reason: "stop", rawReason: "STOP", usage },
      ];
      assert.equal((await limited.turn(app, ANN, long)).status, 200);
      const refused = await limited.turn(app, BEN);
      assert.ok(isRefused(refused), JSON.stringify(refused));
      limited.passMs(Number(refused.retryAfter) * 1_000);
      assert.equal((await limited.turn(app, BEN)).status, 200);
    });

  it("limit the streams that are open at the same time, and give a place back when one closes", async () => {
    await using limited = await LimitedServer.start([{ measure: "streams", per: "app", limit: 1 }]);
    const app = await appOfOneAgent(limited.server, "the-shop", {});
    const open = async () => {
      const client = await openWebSocket(limited.server.address);
      client.send({ config: { session: `${app}/sessions/${crypto.randomUUID()}` } });
      return client;
    };
    const first = await open();
    limited.model.extend(answer("Hello."));
    first.say("Hi");
    await first.turn();
    await using second = await open();
    const { reason } = await second.closed;
    assert.match(reason, /quota of 1 open streams for each app is used up/);
    await first[Symbol.asyncDispose]();
    await using third = await open();
    limited.model.extend(answer("Hello again."));
    third.say("Hi");
    assert.ok(await third.turn());
  });

  it("let one caller neither take all turns at once nor keep another one waiting behind a long line", async () => {
    await using limited = await LimitedServer.start([], { turnsAtOnce: 4 });
    const app = await appOfOneAgent(limited.server, "the-shop", {});
    const { promise: gate, resolve: openGate } = Promise.withResolvers<void>();
    const slow: ScriptedAnswer = async () => {
      await gate;
      return answer("At last.");
    };
    const flood = Array.from({ length: 20 }, () => limited.turn(app, ANN, slow));
    const ends = await Promise.race([Promise.all(flood.slice(0, 1)), until(() => limited.model.requests.length === 3)]);
    assert.equal(ends, undefined, "three of the four places are Ann's");
    const bens = limited.turn(app, BEN, slow);
    await until(() => limited.model.requests.length === 4);
    openGate();
    assert.equal((await bens).status, 200);
    const statuses = (await Promise.all(flood)).map(({ status }) => status);
    const answered = statuses.filter((status) => status === 200).length;
    assert.equal(answered, 7, "three ran, four waited");
    assert.equal(statuses.filter((status) => status === 429).length, 13, "the others were told at once");
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve));
}
