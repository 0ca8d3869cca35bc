import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { TestServer } from "#testing";
import { callRest, LOCATION, ORDERS_REFERENCE, startDataServer } from "./data-server.ts";

const ROLE = "roles/geminidataanalytics.";
const identity = (name: string, ...roles: string[]) => ({
  principal: `user:${name}@example.com`,
  token: `token-of-${name}-0123456789`,
  roles,
});

let server: TestServer;
before(async () => {
  const identities = [
    identity("ana", `${ROLE}dataAgentCreator`, "roles/cloudaicompanion.user"),
    identity("bo", "roles/cloudaicompanion.user"),
    identity("cy"),
    identity("root", `${ROLE}admin`),
  ];
  server = await startDataServer({ config: { identities } });
});
after(() => server[Symbol.asyncDispose]());

const as = (name: string, httpMethod: string, path: string, body?: object) =>
  callRest(server, httpMethod, `/v1beta/${path}`, body, { authorization: `Bearer token-of-${name}-0123456789` });

const AGENTS = `${LOCATION}/dataAgents`;
const agentBody = { dataAnalyticsAgent: { publishedContext: { datasourceReferences: ORDERS_REFERENCE } } };

async function agentOfAna(id: string, grants: Readonly<Record<string, readonly string[]>> = {}): Promise<string> {
  const { json } = await as("ana", "POST", `${AGENTS}:createSync?dataAgentId=${id}`, agentBody);
  const policy = (await as("ana", "POST", `${json.name}:getIamPolicy`, {})).json;
  const more = Object.entries(grants).map(([role, members]) => ({ role: `${ROLE}${role}`, members }));
  const set = await as("ana", "POST", `${json.name}:setIamPolicy`, {
    policy: { ...policy, bindings: [...policy.bindings, ...more] },
  });
  assert.equal(set.status, 200);
  return json.name;
}

const chatBody = (dataAgent: string) => ({
  messages: [{ userMessage: { text: "how many orders are there?" } }],
  dataAgentContext: { dataAgent },
});

describe("a server with identities", () => {
  it("rejects callers without one of its tokens", async () => {
    const none = await callRest(server, "GET", `/v1beta/${AGENTS}`);
    assert.deepEqual([none.status, none.json.error.details[0].reason], [401, "IDENTITY_REQUIRED"]);
    assert.equal((await as("nobody", "GET", AGENTS)).status, 401);
  });

  it("makes who creates an agent its owner", async () => {
    const name = await agentOfAna("owned");
    const { json } = await as("ana", "POST", `${name}:getIamPolicy`, {});
    assert.deepEqual(json.bindings, [{ role: `${ROLE}dataAgentOwner`, members: ["user:ana@example.com"] }]);
    const refused = await as("bo", "POST", `${AGENTS}:createSync?dataAgentId=mine`, agentBody);
    assert.deepEqual(
      [refused.status, refused.json.error.details[0].metadata],
      [
        403,
        { permission: "geminidataanalytics.dataAgents.create", resource: LOCATION, principal: "user:bo@example.com" },
      ],
    );
  });

  it("lets the policy of an agent decide what others may do with it", async () => {
    const name = await agentOfAna("shared", {
      dataAgentUser: ["user:bo@example.com"],
      dataAgentViewer: ["user:cy@example.com"],
    });
    const outcomes = async (who: string) => [
      (await as(who, "GET", name)).status,
      (await as(who, "POST", `${LOCATION}:chat`, chatBody(name))).status,
      (await as(who, "PATCH", `${name}:updateSync?updateMask=description`, { description: who })).status,
      (await as(who, "POST", `${name}:getIamPolicy`, {})).status,
      (await as(who, "DELETE", `${name}:deleteSync`)).status,
    ];
    assert.deepEqual(await outcomes("cy"), [200, 403, 403, 403, 403]);
    assert.deepEqual(await outcomes("bo"), [200, 200, 403, 403, 403]);
    assert.deepEqual(await outcomes("ana"), [200, 200, 200, 200, 200]);
  });

  it("lists the agents that the caller can reach, by who made them", async () => {
    const shared = await agentOfAna("listed", { dataAgentUser: ["user:bo@example.com"] });
    const hidden = await agentOfAna("hidden");
    const names = async (who: string, query: string) => {
      const { json } = await as(who, "GET", `${AGENTS}${query}`);
      const own = (json.dataAgents ?? []).map(({ name }: { name: string }) => name);
      return [shared, hidden].map((name) => own.includes(name));
    };
    assert.deepEqual(await names("bo", ":listAccessible"), [true, false]);
    assert.deepEqual(await names("bo", ":listAccessible?creatorFilter=CREATOR_ONLY"), [false, false]);
    assert.deepEqual(await names("bo", ":listAccessible?creatorFilter=3"), [true, false]);
    assert.deepEqual(await names("ana", ":listAccessible?creatorFilter=2"), [true, true]);
    assert.deepEqual(await names("bo", "?pageSize=100"), [true, false]);
    assert.deepEqual(await names("root", "?pageSize=100"), [true, true]);
  });

  it("shows conversations to their owner, and to who looks after all", async () => {
    const agent = await agentOfAna("talked-to", { dataAgentUser: ["user:bo@example.com"] });
    const { json } = await as("bo", "POST", `${LOCATION}/conversations`, { agents: [agent] });
    assert.equal((await as("cy", "POST", `${LOCATION}/conversations`, { agents: [agent] })).status, 403);
    const statuses = [];
    for (const who of ["bo", "ana", "root"]) statuses.push((await as(who, "GET", `${json.name}/messages`)).status);
    assert.deepEqual(statuses, [200, 403, 200]);
    const count = async (who: string) =>
      (await as(who, "GET", `${LOCATION}/conversations`)).json.conversations?.length ?? 0;
    assert.deepEqual([await count("bo"), await count("ana"), await count("root")], [1, 0, 1]);
    assert.equal((await as("ana", "DELETE", json.name)).status, 403);
  });

  it("asks for a role before it answers inline contexts and QueryData", async () => {
    const inline = { messages: chatBody("").messages, inlineContext: { datasourceReferences: ORDERS_REFERENCE } };
    assert.equal((await as("cy", "POST", `${LOCATION}:chat`, inline)).status, 403);
    assert.equal((await as("ana", "POST", `${LOCATION}:chat`, inline)).status, 200);
    const query = { prompt: "how many orders are there?", context: { datasourceReferences: ORDERS_REFERENCE } };
    assert.equal((await as("ana", "POST", `${LOCATION}:queryData`, query)).status, 403);
    assert.equal((await as("root", "POST", `${LOCATION}:queryData`, query)).status, 200);
  });
});
