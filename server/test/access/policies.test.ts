import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { TestServer } from "#testing";
import { callAs, memberOf, setRoles, startAccessServer } from "./access-server.ts";

const PROJECT = "projects/acme";
const LOCATION = `${PROJECT}/locations/us`;
const APP = `${LOCATION}/apps/shop-app`;

let server: TestServer;
before(async () => {
  server = await startAccessServer(["ann", "bo", "cy"]);
  await setRoles(server, PROJECT, { "roles/owner": ["ann"] });
  await createApp("shop-app", { metadata: { env: "test" } });
});
after(() => server[Symbol.asyncDispose]());

async function createApp(appId: string, app: object = {}): Promise<void> {
  const answer = await callAs(server, "root", "POST", `${LOCATION}/apps?appId=${appId}`, {
    displayName: appId,
    ...app,
  });
  assert.equal(answer.status, 200, JSON.stringify(answer.json));
}

const status = async (who: string, method: string, path: string, body?: object) =>
  (await callAs(server, who, method, path, body)).status;
const setPolicy = (who: string, resource: string, policy: object) =>
  callAs(server, who, "POST", `${resource}:setIamPolicy`, { policy });
const viewerBinding = (expression: string) => ({
  role: "roles/ces.viewer",
  members: [memberOf("bo")],
  condition: { title: "test", expression },
});
const ADMIN = { role: "roles/ces.admin", members: [memberOf("ann")] };

describe("a policy", () => {
  it("holds at once, for what is below its resource and for nothing else", async () => {
    await createApp("other-app");
    await setRoles(server, APP, { "roles/ces.viewer": ["bo"] });
    assert.deepEqual(
      [
        await status("bo", "GET", APP),
        await status("bo", "GET", `${APP}/agents`),
        await status("bo", "PATCH", `${APP}?updateMask=displayName`, { displayName: "x" }),
        await status("bo", "GET", `${LOCATION}/apps/other-app`),
      ],
      [200, 200, 403, 403],
    );
    await setRoles(server, APP, {});
    assert.equal(await status("bo", "GET", APP), 403);
  });

  it("is read with an etag, and written by whoever read it last", async () => {
    const first = (await callAs(server, "ann", "POST", `${APP}:getIamPolicy`, {})).json;
    const written = await setPolicy("ann", APP, { etag: first.etag, bindings: [ADMIN] });
    assert.equal(written.status, 200);
    assert.notEqual(written.json.etag, first.etag);
    const late = await setPolicy("ann", APP, { etag: first.etag, bindings: [] });
    assert.deepEqual([late.status, late.json.error.details[0].reason], [409, "ETAG_MISMATCH"]);
    assert.deepEqual((await callAs(server, "ann", "GET", `${APP}:getIamPolicy`)).json, written.json);
  });

  it("goes with its app, so that a new one of the same name begins without members", async () => {
    const name = `${LOCATION}/apps/short-lived`;
    await createApp("short-lived");
    await setRoles(server, name, { "roles/ces.admin": ["bo"] });
    assert.equal(await status("bo", "DELETE", name), 200);
    await createApp("short-lived");
    assert.equal(await status("bo", "GET", name), 403);
  });

  it("is refused with every field that is wrong, and then nothing is changed", async () => {
    const before = (await callAs(server, "ann", "POST", `${APP}:getIamPolicy`, {})).json;
    const refused = await setPolicy("ann", APP, {
      version: 1,
      auditConfigs: [{ service: "allServices" }],
      bindings: [
        { role: "roles/ces.boss", members: ["ann@example.com", memberOf("ann")] },
        { ...viewerBinding("resource.nam == 'x'"), members: [] },
        viewerBinding("resource.name"),
      ],
    });
    assert.equal(refused.status, 400);
    assert.deepEqual(
      refused.json.error.details[0].fieldViolations.map(({ field }: { field: string }) => field),
      [
        "policy.audit_configs",
        "policy.version",
        "policy.bindings[0].role",
        "policy.bindings[0].members[0]",
        "policy.bindings[1].members",
        "policy.bindings[1].condition.expression",
        "policy.bindings[2].condition.expression",
      ],
    );
    assert.deepEqual((await callAs(server, "ann", "POST", `${APP}:getIamPolicy`, {})).json, before);
  });

  it("cannot be set where there is none: on a location, a part of an app, an app that does not exist", async () => {
    assert.deepEqual(
      [
        await status("root", "POST", `${LOCATION}/apps/nothing-here:setIamPolicy`, { policy: { bindings: [ADMIN] } }),
        await status("root", "POST", `${LOCATION}/apps/nothing-here:getIamPolicy`, {}),
        await status("root", "POST", "projects/-:setIamPolicy", { policy: { bindings: [ADMIN] } }),
      ],
      [404, 404, 400],
    );
  });

  it("is refused when nobody could change it any more, unless the server's owner sets it", async () => {
    const viewers = { bindings: [{ role: "roles/viewer", members: [memberOf("ann")] }] };
    const refused = await setPolicy("ann", PROJECT, viewers);
    assert.deepEqual([refused.status, refused.json.error.details[0].reason], [400, "LAST_ADMIN"]);
    const onlyEverybody = await setPolicy("ann", PROJECT, {
      bindings: [{ role: "roles/owner", members: ["allAuthenticatedUsers"] }],
    });
    assert.equal(onlyEverybody.json.error.details[0].reason, "LAST_ADMIN");
    const onCondition = await setPolicy("ann", PROJECT, {
      version: 3,
      bindings: [{ role: "roles/owner", members: [memberOf("ann")], condition: { expression: "true" } }],
    });
    assert.equal(onCondition.json.error.details[0].reason, "LAST_ADMIN");
    assert.equal((await setPolicy("root", PROJECT, viewers)).status, 200);
    await setRoles(server, PROJECT, { "roles/owner": ["ann"] });
    assert.equal((await setPolicy("ann", APP, { bindings: [] })).status, 200, "the project has an owner");
  });

  it("has few conditions, because each call waits for them (IAM-8)", async () => {
    const bindings = (count: number, expression: string) =>
      Array.from({ length: count }, () => viewerBinding(expression));
    for (const many of [bindings(101, "true"), bindings(10, `1 == 1${" && 1 == 1".repeat(500)}`)]) {
      const { status, json } = await setPolicy("root", APP, { version: 3, bindings: many });
      assert.equal(status, 400);
      assert.match(
        json.error.message,
        /^policy.bindings: A policy has at most 100 conditions of 20000 characters together/,
      );
    }
  });

  const conditions: readonly (readonly [expression: string, holds: boolean])[] = [
    ["request.time < timestamp('2100-01-01T00:00:00Z')", true],
    ["request.time > timestamp('2100-01-01T00:00:00Z')", false],
    ["inIpRange(origin.ip, '127.0.0.0/8')", true],
    ["inIpRange(origin.ip, ['10.0.0.0/8', '2001:db8::/32'])", false],
    ["request.auth.principal == 'user:bo@example.com'", true],
    ["request.auth.claims.team == 'support'", false],
    ["!has(request.auth.claims.team)", true],
    [`resource.name.startsWith('${APP}')`, true],
    ["resource.type == 'ces.googleapis.com/App' && resource.service == 'ces.googleapis.com'", true],
    ["resource.type == 'ces.googleapis.com/Agent'", false],
    ["resource.labels.env == 'test'", true],
    [
      "[1, 2, 3, 4, 5, 6, 7, 8, 9].all(a, [1, 2, 3, 4, 5, 6, 7, 8, 9].all(b, [1, 2, 3, 4].all(c, a + b + c > 0)))",
      false,
    ],
    ["resource.labels.env == 'prod'", false],
    ["resource.labels.zone == 'a'", false],
  ];
  for (const [expression, holds] of conditions) {
    it(`with the condition ${expression} ${holds ? "grants" : "grants nothing"}`, async () => {
      const set = await setPolicy("root", APP, { version: 3, bindings: [viewerBinding(expression)] });
      assert.equal(set.status, 200, JSON.stringify(set.json));
      assert.equal(await status("bo", "GET", APP), holds ? 200 : 403);
    });
  }
});

describe("TestIamPermissions", () => {
  const permissions = ["ces.apps.get", "ces.apps.update", "ces.agents.list"];
  const test = async (who: string, resource: string) =>
    (await callAs(server, who, "POST", `${resource}:testIamPermissions`, { permissions })).json.permissions;

  it("returns what the caller may do, whether the resource exists or not", async () => {
    await setRoles(server, APP, { "roles/ces.viewer": ["bo"] });
    assert.deepEqual(await test("ann", APP), permissions);
    assert.deepEqual(await test("bo", APP), ["ces.apps.get", "ces.agents.list"]);
    assert.deepEqual(await test("cy", APP), undefined);
    assert.deepEqual(await test("bo", `${LOCATION}/apps/nothing-here`), undefined);
    assert.equal(await status("", "POST", `${APP}:testIamPermissions`, { permissions }), 401);
  });

  it("refuses wildcards and what is no permission", async () => {
    const { json } = await callAs(server, "ann", "POST", `${APP}:testIamPermissions`, {
      permissions: ["ces.apps.get", "ces.*", "apps"],
    });
    assert.deepEqual(
      json.error.details[0].fieldViolations.map(({ field }: { field: string }) => field),
      ["permissions[1]", "permissions[2]"],
    );
  });
});

describe("a role", () => {
  it("that is revoked ends what its member may do on the next call", async () => {
    await setRoles(server, PROJECT, { "roles/owner": ["ann"], "roles/ces.editor": ["cy"] });
    assert.equal(await status("cy", "PATCH", `${APP}?updateMask=description`, { description: "by cy" }), 200);
    await setRoles(server, PROJECT, { "roles/owner": ["ann"] });
    assert.equal(await status("cy", "PATCH", `${APP}?updateMask=description`, { description: "again" }), 403);
  });

  it("of editing does not let its member grant roles or make keys", async () => {
    await setRoles(server, PROJECT, { "roles/owner": ["ann"], "roles/editor": ["cy"] });
    const grant = { policy: { bindings: [{ role: "roles/owner", members: [memberOf("cy")] }] } };
    const key = { kind: "SERVICE_ACCOUNT_KEY", account: "ci" };
    assert.deepEqual(
      [
        await status("cy", "POST", `${PROJECT}:setIamPolicy`, grant),
        await status("cy", "POST", `${APP}:setIamPolicy`, grant),
        await status("cy", "POST", `${PROJECT}/credentials`, key),
      ],
      [403, 403, 403],
    );
  });
});
