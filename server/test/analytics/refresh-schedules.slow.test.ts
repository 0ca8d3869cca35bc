import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, it } from "node:test";
import { readCondition } from "#analytics";
import type { TestServer } from "#testing";
import { callRest, LOCATION, ORDERS_REFERENCE, startDataServer } from "./data-server.ts";
import { startWebhookReceiver, type WebhookReceiver } from "./webhook-receiver.ts";

const AGENT = `${LOCATION}/dataAgents/sales`;
const QUESTION = "large orders";
const HOUR = 3_600_000;
const ROLES = "roles/geminidataanalytics.";
const identity = (name: string, ...roles: string[]) => ({
  ...{ principal: `user:${name}@example.com`, token: `token-of-${name}-0123456789`, roles },
});
const config = {
  identities: [identity("root", `${ROLES}admin`), identity("ed"), identity("reader")],
  egressAllow: ["127.0.0.1"],
};

let now = Date.parse("2026-03-27T12:00:00Z");
const clock = { now: () => now };
let dataDir: string;
let server: TestServer;
let hook: WebhookReceiver;
before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "frontdesk-refreshes-"));
  hook = await startWebhookReceiver();
  server = await startDataServer({ config, clock, dataDir });
  await as("root", "POST", `${LOCATION}/dataAgents:createSync?dataAgentId=sales`, {
    dataAnalyticsAgent: { publishedContext: { datasourceReferences: ORDERS_REFERENCE } },
  });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  await hook[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});
beforeEach(async () => {
  await pin("amount > 50");
  await allow("user:ed@example.com");
});

const as = (name: string, httpMethod: string, path: string, body?: object) =>
  callRest(server, httpMethod, `/v1beta/${path}`, body, { authorization: `Bearer token-of-${name}-0123456789` });

/** Who may update the agent; the reader may ask it. */
const allow = (...editors: readonly string[]) =>
  as("root", "POST", `${AGENT}:setIamPolicy`, {
    policy: {
      bindings: [
        { role: `${ROLES}dataAgentEditor`, members: editors },
        { role: `${ROLES}dataAgentUser`, members: ["user:reader@example.com"] },
      ],
    },
  });

/** Puts the question on the board, for the orders of a condition: three are above 50. */
const pin = (condition: string, question = QUESTION) =>
  as("root", "PATCH", `${AGENT}:updateSync?updateMask=pinnedQuestions`, {
    pinnedQuestions: [
      { question, sqlQuery: `SELECT region, amount FROM acme.sales.orders WHERE ${condition} ORDER BY amount DESC` },
    ],
  });

async function schedule(fields: object, by = "ed") {
  const made = await as(by, "POST", `${AGENT}/refreshSchedules`, {
    ...{ question: QUESTION, frequency: "HOURLY" },
    ...fields,
  });
  assert.equal(made.status, 200, JSON.stringify(made.json));
  return made.json;
}

/** Lets time pass and the server look; answers the schedule as a person who may ask the agent sees it. */
async function pass(name: string, milliseconds = HOUR) {
  now += milliseconds;
  // As the passes of retention do that a server makes in that time (DB-25).
  await server.app.clockWatch.confirm();
  await server.app.refreshes.pass(new AbortController().signal);
  return (await as("reader", "GET", name)).json;
}

const alert = (fields: object = {}) => ({
  ...{ aggregate: "ROW_COUNT", comparison: "GREATER", threshold: 2 },
  ...{ webhook: { url: hook.url, secret: hook.secret } },
  ...fields,
});

describe("a schedule of a pinned question (CA-50)", () => {
  it("keeps the rows of its last run, at the time of day of its zone", async () => {
    now = Date.parse("2026-03-27T12:00:00Z");
    const daily = { frequency: "DAILY", startTime: "2026-03-01T08:00:00Z", timeZone: "Europe/Berlin" };
    const { name, nextRunTime, runsAs } = await schedule(daily);
    assert.deepEqual([nextRunTime, runsAs], ["2026-03-28T08:00:00Z", "user:ed@example.com"]);
    assert.equal((await pass(name, 19 * HOUR)).lastRunTime, undefined);
    const first = await pass(name);
    assert.deepEqual([first.lastRunTime, first.nextRunTime], ["2026-03-28T08:00:00Z", "2026-03-29T07:00:00Z"]);
    assert.equal(first.lastResult.result.data.length, 2, JSON.stringify(first.lastResult));
    assert.deepEqual(first.lastResult.result.data[0], { region: "South", amount: "60" });
    await pin("amount > 40");
    const late = await pass(name, 100 * HOUR);
    assert.deepEqual([late.lastResult.result.data.length, late.nextRunTime], [4, "2026-04-02T07:00:00Z"]);
    await as("ed", "DELETE", name);
    assert.equal((await pass(name)).error.code, 404);
  });

  it("tells what went wrong, and keeps the rows before", async () => {
    const { name } = await schedule({});
    await pass(name);
    await allow("user:somebody-else@example.com");
    const failed = await pass(name);
    assert.match(failed.lastError, /ed@example.com|permission/i);
    assert.equal(failed.lastResult.result.data.length, 2);
    await allow("user:ed@example.com");
    assert.equal((await pass(name)).lastError, undefined);
    const paused = await as("ed", "PATCH", `${name}?updateMask=paused`, { paused: true });
    assert.equal((await pass(name)).lastRunTime, paused.json.lastRunTime);
  });

  it("has no rows of a query that is on the board no more, and goes with its question", async () => {
    const { name } = await schedule({});
    const { lastResult } = await pass(name);
    assert.equal(lastResult.result.data.length, 2);
    const rows = async () => (await as("reader", "GET", name)).json.lastResult?.result.data.length;
    await pin("amount > 50");
    assert.equal(await rows(), 2);
    await pin("no_such_column > 1");
    assert.equal(await rows(), undefined);
    assert.match((await pass(name)).lastError, /no_such_column/);
    await pin("amount > 50", "another question");
    assert.equal((await as("reader", "GET", name)).status, 404);
    const { json } = await as("reader", "GET", `${AGENT}/refreshSchedules`);
    assert.deepEqual(json, {});
  });

  it("is a dead letter when it fails for good, until it runs again (DB-17)", async () => {
    const letters = async () => {
      const { json } = await as("root", "GET", `${LOCATION}/jobs?state=DEAD`);
      return (json.jobs ?? []).map(({ kind, subject }: { kind: string; subject: string }) => [kind, subject]);
    };
    const { name } = await schedule({});
    await pin("no_such_column > 1");
    await pass(name);
    const dead = await letters();
    assert.ok(JSON.stringify(dead).includes(`["RefreshPinnedQuestion","${name}"]`), JSON.stringify(dead));
    await pin("amount > 50");
    await pass(name);
    assert.ok(!JSON.stringify(await letters()).includes(name));
    await as("ed", "DELETE", name);
  });

  it("runs with the rights that its maker has then (CA-51)", async () => {
    const { name } = await schedule({});
    await allow("user:somebody-else@example.com");
    assert.match((await pass(name)).lastError, /ed@example.com|permission/i);
    const saved = await as("root", "PATCH", `${name}?updateMask=paused`, {});
    assert.equal(saved.json.runsAs, "user:root@example.com");
    assert.equal((await pass(name)).lastError, undefined);
    const refused = [
      await as("reader", "POST", `${AGENT}/refreshSchedules`, { question: QUESTION, frequency: "DAILY" }),
      await as("reader", "PATCH", `${name}?updateMask=paused`, { paused: true }),
      await as("reader", "DELETE", name),
      await as("ed", "GET", name),
    ];
    assert.deepEqual(
      refused.map(({ status }) => status),
      [403, 403, 403, 403],
    );
    const { json } = await as("reader", "GET", `${AGENT}/refreshSchedules?pageSize=100`);
    const [listed] = json.refreshSchedules.filter((each: { readonly name: string }) => each.name === name);
    assert.deepEqual([listed.question, listed.lastResult], [QUESTION, undefined]);
  });

  const WRONG: readonly (readonly [string, object, string])[] = [
    ["a question that is not on the board", { question: "what else?" }, "question"],
    ["no frequency", { frequency: undefined }, "frequency"],
    ["days of a daily one", { frequency: "DAILY", daysOfWeek: [1] }, "days_of_week"],
    ["a ninth day", { frequency: "WEEKLY", daysOfWeek: [9] }, "days_of_week"],
    ["an unknown time zone", { timeZone: "Mars/Olympus" }, "time_zone"],
    ["an alert on no column", { alert: { aggregate: "SUM", comparison: "LESS" } }, "alert.column"],
    ["an alert without a comparison", { alert: { aggregate: "ROW_COUNT" } }, "alert.comparison"],
    [
      "a webhook without a secret",
      { alert: { aggregate: "ROW_COUNT", comparison: "LESS", webhook: { url: "https://example.com" } } },
      "alert.webhook.secret",
    ],
    [
      "a webhook that is no address",
      { alert: { aggregate: "ROW_COUNT", comparison: "LESS", webhook: { url: "ftp://example.com" } } },
      "alert.webhook.url",
    ],
  ];
  for (const [what, fields, field] of WRONG) {
    it(`is refused with ${what}`, async () => {
      const body = { question: QUESTION, frequency: "HOURLY", ...fields };
      const { status, json } = await as("ed", "POST", `${AGENT}/refreshSchedules`, body);
      assert.equal(status, 400, JSON.stringify(json));
      assert.equal(json.error.details[0].fieldViolations[0].field, `refresh_schedule.${field}`);
    });
  }
});

describe("an alert on a pinned question (CA-52, CA-53)", () => {
  beforeEach(() => void (hook.received as unknown[]).splice(0));

  it("tells a webhook once when its condition becomes true, also after a restart", async () => {
    const { name, alert: made } = await schedule({ alert: alert() });
    assert.deepEqual(made.webhook, { origin: new URL(hook.url).origin });
    assert.deepEqual([(await pass(name)).alert.state, hook.received.length], ["QUIET", 0]);
    await pin("amount > 45");
    hook.statuses.push(503);
    const waiting = await pass(name);
    assert.deepEqual(
      [waiting.alert.state, waiting.alert.lastValue, waiting.alert.deliveryTime],
      ["RAISED", 4, undefined],
    );
    assert.match(waiting.alert.deliveryError, /503/);

    await server[Symbol.asyncDispose]();
    server = await startDataServer({ config, clock, dataDir });
    const told = await pass(name, 60_000);
    assert.deepEqual([told.alert.deliveryAttempts, told.alert.deliveryError], [2, undefined]);
    assert.equal(told.alert.deliveryTime, new Date(now).toISOString().replace(".000", ""));
    await pass(name);
    await pass(name);

    const [first, second, ...others] = hook.received;
    assert.deepEqual([first?.isSigned, second?.isSigned, others.length], [true, true, 0]);
    assert.deepEqual([first?.id, first?.body], [second?.id, second?.body]);
    assert.deepEqual(
      [first?.body.type, first?.body.data.question, first?.body.data.value, first?.body.data.refreshSchedule],
      ["alert.raised", QUESTION, 4, name],
    );

    await pin("amount > 55");
    assert.equal((await pass(name)).alert.state, "QUIET");
    await pin("amount > 45");
    await pass(name);
    assert.equal(hook.received.length, 3);
    assert.notEqual(hook.received[2]?.id, first?.id);
    await as("ed", "DELETE", name);
  });

  it("keeps its webhook when another field is changed, and begins anew with another condition", async () => {
    const { name } = await schedule({ alert: alert({ threshold: 1 }) });
    const raised = await pass(name);
    const renamed = await as("ed", "PATCH", `${name}?updateMask=frequency`, { ...raised, frequency: "WEEKLY" });
    assert.equal(renamed.json.alert.state, "RAISED");
    await as("ed", "PATCH", `${name}?updateMask=frequency`, { frequency: "HOURLY" });
    const { alert: changed } = (
      await as("ed", "PATCH", `${name}?updateMask=alert`, { alert: { ...raised.alert, threshold: 0 } })
    ).json;
    assert.deepEqual([changed.state, changed.webhook], [undefined, raised.alert.webhook]);
    await pass(name);
    assert.equal(hook.received.length, 2);
    const without = await as("ed", "PATCH", `${name}?updateMask=alert.webhook`, { alert: {} });
    assert.equal(without.json.alert.webhook, undefined);
    await as("ed", "DELETE", name);
  });

  it("is given up after five attempts, and at once where the address is gone or refused", async () => {
    const { name } = await schedule({ frequency: "WEEKLY", alert: alert({ threshold: 1 }) });
    hook.statuses.push(500, 500, 500, 500, 500);
    await pass(name, 168 * HOUR);
    for (const pause of [60_000, 300_000, 1_800_000, 7_200_000]) await pass(name, pause);
    const given = await pass(name, 24 * HOUR);
    assert.deepEqual([hook.received.length, given.alert.deliveryAttempts], [5, 5]);
    assert.match(given.alert.deliveryError, /500; it is not tried again/);
    await as("ed", "DELETE", name);

    const gone = await schedule({ alert: alert({ threshold: 1 }) });
    hook.statuses.push(410);
    assert.match((await pass(gone.name)).alert.deliveryError, /410; it is not tried again/);
    await as("ed", "DELETE", gone.name);

    const webhook = { url: "http://10.0.0.1/hooks/T0KEN", secret: hook.secret };
    const inside = await schedule({ alert: alert({ threshold: 1, webhook }) });
    const { deliveryError } = (await pass(inside.name)).alert;
    assert.match(deliveryError, /not tried again/);
    assert.doesNotMatch(deliveryError, /T0KEN/);
    await as("ed", "DELETE", inside.name);
  });

  const VALUES: readonly (readonly [string, object, string | undefined, number | undefined])[] = [
    ["the first row", { column: "amount", aggregate: "FIRST_ROW", comparison: "EQUAL", threshold: 60 }, "RAISED", 60],
    ["a sum", { column: "amount", aggregate: "SUM", comparison: "GREATER_OR_EQUAL", threshold: 114 }, "RAISED", 114],
    ["an average", { column: "amount", aggregate: "AVERAGE", comparison: "LESS", threshold: 57 }, "QUIET", 57],
    [
      "the least value",
      { column: "amount", aggregate: "MINIMUM", comparison: "LESS_OR_EQUAL", threshold: 54 },
      "RAISED",
      54,
    ],
    [
      "the greatest value",
      { column: "amount", aggregate: "MAXIMUM", comparison: "NOT_EQUAL", threshold: 60 },
      "QUIET",
      60,
    ],
  ];
  for (const [what, condition, state, value] of VALUES) {
    it(`compares ${what}, without a webhook too`, async () => {
      const { name } = await schedule({ alert: condition });
      const { alert: judged } = await pass(name);
      assert.deepEqual([judged.state, judged.lastValue], [state, value]);
      await as("ed", "DELETE", name);
    });
  }

  for (const [what, column, why] of [
    ["a column that is not there", "profit", /no column 'profit'.*region, amount/],
    ["a text", "region", /'region' has the value "South"/],
  ] as const) {
    it(`tells of ${what}`, async () => {
      const { name } = await schedule({ alert: { column, aggregate: "SUM", comparison: "LESS" } });
      const { lastError, lastResult } = await pass(name);
      assert.match(lastError, why);
      assert.equal(lastResult.result.data.length, 2);
      await as("ed", "DELETE", name);
    });
  }
});

describe("a schedule where rules say who sees which rows (CA-49, CA-51)", () => {
  it("reads the rows of who saved it, and shows them to nobody else", async () => {
    const { name } = await schedule({ alert: { column: "amount", aggregate: "SUM", comparison: "GREATER" } });
    const rules = [
      {
        name: "analytics.rules[0]",
        table: ["acme", "sales", "orders"] as const,
        members: ["user:ed@example.com"],
        rows: readCondition("region = 'South'"),
        hiddenColumns: [],
      },
    ];
    const analytics = { definedModels: new Map(), budgets: { byAgent: new Map() }, rules };
    await server[Symbol.asyncDispose]();
    server = await startDataServer({ config: { ...config, analytics }, clock, dataDir });

    const hidden = await pass(name);
    const { json: own } = await as("ed", "GET", name);

    assert.deepEqual(own.lastResult.result.data, [{ region: "South", amount: "60" }]);
    assert.equal(own.alert.lastValue, 60);
    assert.deepEqual([hidden.lastResult, hidden.alert.lastValue, hidden.alert.state], [undefined, undefined, "RAISED"]);
    await pin("no_such_column > 1");
    assert.doesNotMatch((await pass(name)).lastError, /no_such_column/);
  });
});
