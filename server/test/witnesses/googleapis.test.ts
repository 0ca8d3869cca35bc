import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { ces_v1 } from "googleapis/build/src/apis/ces/v1.js";
import { ces_v1beta } from "googleapis/build/src/apis/ces/v1beta.js";
import { startTestServer, type TestServer } from "#testing";

const PARENT = "projects/local/locations/us";
const APP = `${PARENT}/apps/order-desk`;

let server: TestServer;
before(async () => {
  server = await startTestServer({ example: true });
});
after(() => server[Symbol.asyncDispose]());

const clients = {
  v1: () => new ces_v1.Ces({ rootUrl: `${server.address}/` }),
  v1beta: () => new ces_v1beta.Ces({ rootUrl: `${server.address}/` }) as unknown as ces_v1.Ces,
};

for (const revision of ["v1", "v1beta"] as const) {
  describe(`the googleapis client for CES ${revision}`, () => {
    it("lists, creates, updates and deletes apps and agents", async () => {
      const { projects } = clients[revision]();
      const apps = projects.locations.apps;
      const appId = `shop-${randomUUID().slice(0, 8)}`;
      const created = await apps.create({ parent: PARENT, appId, requestBody: { displayName: appId } });
      assert.equal(created.data.done, true);
      const name = `${PARENT}/apps/${appId}`;
      const agent = await apps.agents.create({ parent: name, requestBody: { displayName: "Helper" } });
      const patched = await apps.agents.patch({
        name: agent.data.name ?? "",
        updateMask: "description",
        requestBody: { description: "helps" },
      });
      assert.deepEqual([patched.data.displayName, patched.data.description], ["Helper", "helps"]);
      const listed = await apps.list({ parent: PARENT, pageSize: 100 });
      assert.ok(listed.data.apps?.some((app) => app.name === name));
      await apps.delete({ name });
      await assert.rejects(apps.get({ name }), { status: 404 });
    });

    it("runs a session and reads its conversation", async () => {
      const { sessions, conversations } = clients[revision]().projects.locations.apps;
      const id = randomUUID();
      const session = `${APP}/sessions/${id}`;
      const { data } = await sessions.runSession({
        session,
        requestBody: { config: {}, inputs: [{ text: "Where is my order A-1001?" }] },
      });
      assert.match(data.outputs?.map(({ text }) => text ?? "").join("") ?? "", /A-1001/);
      const conversation = await conversations.get({ name: `${APP}/conversations/${id}` });
      assert.equal(conversation.data.turns?.[0]?.messages?.[0]?.role, "user");
    });

    it("shows an error with its field", async () => {
      const { agents } = clients[revision]().projects.locations.apps;
      await assert.rejects(
        agents.create({ parent: APP, agentId: "x", requestBody: {} }),
        (error: { status: number; message: string }) => {
          assert.equal(error.status, 400);
          assert.match(error.message, /agent_id.*agent\.display_name/);
          return true;
        },
      );
    });

    it("types the response of an operation for its revision", async () => {
      const appId = `typed-${randomUUID().slice(0, 8)}`;
      const { data } = await clients[revision]().projects.locations.apps.create({
        parent: PARENT,
        appId,
        requestBody: { displayName: appId },
      });
      assert.equal(data.response?.["@type"], `type.googleapis.com/google.cloud.ces.${revision}.App`);
    });
  });
}
