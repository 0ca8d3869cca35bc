import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { startTestServer, type TestServerOptions } from "#testing";
import { api } from "../console/edit-api.ts";

const APP = "projects/local/locations/us/apps/order-desk";
const QUOTAS = {
  rules: [
    { measure: "turns", per: "app", limit: 2, everyMs: 60_000, burst: 2 },
    { measure: "turns", per: "caller", limit: 60, everyMs: 60_000, burst: 60 },
    { measure: "streams", per: "caller", limit: 50, everyMs: 60_000, burst: 50 },
  ],
  prices: {},
  turnsAtOnce: 1_000,
} satisfies NonNullable<TestServerOptions["config"]>["quotas"];

interface Usages {
  readonly quotaUsages?: readonly {
    readonly name: string;
    readonly subject: string;
    readonly used: number;
    readonly retryDelay?: string;
    readonly limit: { readonly measure: string; readonly per: string; readonly burst: number };
  }[];
  readonly limits: readonly { readonly measure: string; readonly interval?: string; readonly amount: number }[];
  readonly nextPageToken?: string;
}

describe("what is used up of quotas", () => {
  it("is listed by app for its project and with callers for the whole server, and comes back with time", async () => {
    const clock = { offset: 0, now: () => Date.parse("2027-01-05T10:00:00Z") + clock.offset };
    await using server = await startTestServer({ example: true, clock, config: { quotas: QUOTAS } });
    const list = (parent: string, query = "") => api<Usages>(server, "GET", `${parent}/quotaUsages${query}`);
    const say = (session: string) =>
      api(server, "POST", `${APP}/sessions/${session}:runSession`, { config: {}, inputs: [{ text: "Hello" }] });
    const unused = await list("projects/local");
    assert.deepEqual(unused.quotaUsages ?? [], []);
    assert.deepEqual(unused.limits, [
      { measure: "turns", per: "app", amount: 2, interval: "60s", burst: 2 },
      { measure: "turns", per: "caller", amount: 60, interval: "60s", burst: 60 },
      { measure: "streams", per: "caller", amount: 50, burst: 50 },
    ]);
    await say("first-session");
    await say("second-session");
    await assert.rejects(say("third-session"), /RESOURCE_EXHAUSTED/);
    const used = await list("projects/local");
    assert.deepEqual(
      used.quotaUsages?.map(({ subject, used: count, retryDelay }) => [subject, count, retryDelay]),
      [[APP, 2, "30s"]],
    );
    const whole = await list("projects/-");
    assert.deepEqual(
      whole.quotaUsages?.map(({ subject, limit: { per }, used: count }) => [per, subject, count]),
      [
        ["app", APP, 2],
        ["caller", "address:127.0.0.1", 2],
      ],
      "the fullest first",
    );
    const first = await list("projects/-", "?pageSize=1");
    const second = await list("projects/-", `?pageSize=1&pageToken=${first.nextPageToken}`);
    assert.deepEqual(
      [first, second].map(({ quotaUsages }) => quotaUsages?.[0]?.name),
      whole.quotaUsages?.map(({ name }) => name),
    );
    assert.equal(second.nextPageToken, undefined);
    clock.offset = 60_000;
    assert.deepEqual((await list("projects/-")).quotaUsages ?? [], []);
    assert.deepEqual((await list("projects/other")).quotaUsages ?? [], []);
  });
});
