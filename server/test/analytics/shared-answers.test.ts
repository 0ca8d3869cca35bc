import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { readCondition } from "#analytics";
import type { TestServer } from "#testing";
import { callRest, LOCATION, ORDERS_REFERENCE, startDataServer } from "./data-server.ts";

const AGENT = `${LOCATION}/dataAgents/sales`;
const USER = ["roles/geminidataanalytics.dataAgentUser"];
const identities = [
  { name: "boss", roles: ["roles/geminidataanalytics.admin", "roles/owner"] },
  { name: "ann", roles: USER },
  { name: "bo", roles: USER },
  { name: "cy", roles: ["roles/ces.viewer"] },
].map(({ name, roles }) => ({ principal: `user:${name}@example.com`, token: `token-of-${name}-0123456789`, roles }));

const rule = (name: string, more: object = {}) => ({
  name: "analytics.rules[0]",
  table: ["acme", "sales", "orders"] as const,
  members: [`user:${name}@example.com`],
  hiddenColumns: [],
  ...more,
});
const analytics = {
  definedModels: new Map(),
  budgets: { byAgent: new Map() },
  rules: [rule("boss"), rule("ann", { rows: readCondition("region = 'North'") })],
};
const QUESTION = { question: "How many orders are there?", sqlQuery: "SELECT count(*) AS n FROM acme.sales.orders" };

describe("a link to an answer (CA-60)", () => {
  let ruled: TestServer;
  let plain: TestServer;
  /** Milliseconds that the clock of `plain` is ahead. */
  let later = 0;
  before(async () => {
    ruled = await startDataServer({ config: { identities, analytics } });
    plain = await startDataServer({ config: { identities }, clock: { now: () => Date.now() + later } });
    for (const server of [ruled, plain])
      await call(server, "boss", "POST", `${LOCATION}/dataAgents:createSync?dataAgentId=sales`, {
        dataAnalyticsAgent: { publishedContext: { datasourceReferences: ORDERS_REFERENCE } },
      });
  });
  after(() => Promise.all([ruled, plain].map((server) => server[Symbol.asyncDispose]())));

  /** Calls as somebody; "" for a caller without a credential. */
  function call(server: TestServer, name: string, method: string, path: string, body?: object) {
    const headers = name === "" ? undefined : { authorization: `Bearer token-of-${name}-0123456789` };
    return callRest(server, method, `/v1beta/${path}`, body, headers);
  }
  const share = (server: TestServer, name: string, more: object = {}) =>
    call(server, name, "POST", `${AGENT}/sharedAnswers`, { ...QUESTION, ...more });
  const open = (server: TestServer, name: string, link: { name: string }, token = "") =>
    call(server, name, "POST", `${link.name}:open`, { token });
  const allow = (server: TestServer, publicLinksAllowed: boolean) =>
    call(server, "boss", "PATCH", `${AGENT}:updateSync?updateMask=publicLinksAllowed`, { publicLinksAllowed });
  const outcome = ({ status, json }: Awaited<ReturnType<typeof open>>) =>
    status === 200 ? Number(json.result.data[0].n) : (json.error.details?.[0]?.reason ?? json.error.status);

  it("shows each who may ask the agent the rows that rules show them, never those of its creator", async () => {
    const { status, json: link } = await share(ruled, "boss");
    assert.equal(status, 200, JSON.stringify(link));
    assert.deepEqual([link.audience, link.creator, link.token], ["CALLERS", "user:boss@example.com", undefined]);
    const opened = await open(ruled, "boss", link);
    assert.equal(outcome(opened), 6);
    assert.equal(opened.json.sqlQuery, QUESTION.sqlQuery);
    assert.equal(outcome(await open(ruled, "ann", link)), 3);
    assert.notEqual((await open(ruled, "bo", link)).status, 200);
    assert.equal((await open(ruled, "cy", link)).status, 403);
    assert.equal((await open(ruled, "", link)).status, 401);
  });

  it("is not made for what its creator cannot read, nor for what is no query", async () => {
    assert.notEqual((await share(ruled, "bo")).status, 200);
    const wrong: readonly (readonly [object, RegExp])[] = [
      [{ sqlQuery: "DELETE FROM acme.sales.orders" }, /sql_query/],
      [{ sqlQuery: "" }, /Give exactly one of sql_query and model_query/],
      [{ question: "" }, /question: Required/],
      [{ expireTime: "2020-01-01T00:00:00Z" }, /expires within 365 days/],
    ];
    for (const [more, message] of wrong) {
      const { status, json } = await share(ruled, "boss", more);
      assert.equal(status, 400, JSON.stringify(json));
      assert.match(json.error.message, message);
    }
  });

  it("is for everybody only where the owner allows it, with a token that is told once and ends", async () => {
    const audience = "ANYONE_WITH_LINK";
    assert.equal(outcome(await share(plain, "boss", { audience })), "PUBLIC_LINKS_OFF");
    await allow(plain, true);
    const { json: link } = await share(plain, "ann", { audience });
    assert.match(link.token, /^[\w-]{43}$/);
    assert.ok(Date.parse(link.expireTime) > Date.now());
    assert.equal((await call(plain, "ann", "GET", link.name)).json.token, undefined);
    const opened = await open(plain, "", link, link.token);
    assert.equal(outcome(opened), 6);
    assert.equal(opened.json.question, QUESTION.question);
    assert.equal(opened.json.sqlQuery, undefined);
    const strangers = [
      await open(plain, "", link, "wrong"),
      await open(plain, "", { name: `${link.name}0` }, link.token),
    ];
    for (const { status, json } of strangers) assert.deepEqual([status, json.error.status], [404, "NOT_FOUND"]);
    await allow(plain, false);
    assert.equal((await open(plain, "", link, link.token)).status, 404);
    await allow(plain, true);
    assert.equal((await open(plain, "", link, link.token)).status, 200);
    later = 31 * 86_400_000;
    assert.equal((await open(plain, "", link, link.token)).status, 404);
    later = 0;
  });

  it("shows callers without an identity nothing of a table with rules, and does not name it", async () => {
    await allow(ruled, true);
    const { json: link } = await share(ruled, "boss", { audience: "ANYONE_WITH_LINK" });
    for (const name of ["", "boss"]) {
      const { status, json } = await open(ruled, name, link, link.token);
      assert.deepEqual([status, json.error.details[0].reason], [400, "SHARED_ANSWER_UNREADABLE"]);
      assert.doesNotMatch(JSON.stringify(json), /orders'|acme/);
    }
    assert.equal(outcome(await open(ruled, "boss", link)), 6);
  });

  it("is listed, and revoked by who made it or may change the agent", async () => {
    const { json: first } = await share(plain, "ann");
    const { json: second } = await share(plain, "ann");
    const { json: list } = await call(plain, "bo", "GET", `${AGENT}/sharedAnswers?pageSize=1`);
    assert.deepEqual([list.sharedAnswers.length, list.nextPageToken !== ""], [1, true]);
    assert.equal((await call(plain, "bo", "DELETE", first.name)).status, 403);
    assert.equal((await call(plain, "ann", "DELETE", first.name)).status, 200);
    assert.equal((await call(plain, "boss", "DELETE", second.name)).status, 200);
    assert.equal((await open(plain, "ann", first)).status, 404);
  });

  it("leaves a line in the audit log each time it is opened", async () => {
    const { json: link } = await share(plain, "ann");
    await open(plain, "bo", link);
    const { json } = await call(plain, "boss", "GET", "projects/p/auditEntries");
    const entry = json.auditEntries.find(({ method }: { method: string }) => method.endsWith("OpenSharedAnswer"));
    assert.deepEqual([entry.resource, entry.principal], [link.name, "user:bo@example.com"]);
  });
});
