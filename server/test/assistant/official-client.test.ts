// The published client of the API talks with the assistant, unchanged but for its address.
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { ces_v1beta } from "googleapis/build/src/apis/ces/v1beta.js";
import { say, startTestServer, type TestServer } from "#testing";
import { emptyApp } from "../generation/generate.ts";
import { AssistantModel } from "./assistant-model.ts";

const model = new AssistantModel();
let server: TestServer;
before(async () => {
  server = await startTestServer({ model });
});
after(() => server[Symbol.asyncDispose]());

describe("the googleapis client", () => {
  it("has sessions, turns and suggestions of the assistant", async () => {
    const app = await emptyApp(server, "the-desk");
    const { apps } = new ces_v1beta.Ces({ rootUrl: `${server.address}/` }).projects.locations;
    const session = await apps.assistantSessions.create({ parent: app, requestBody: {} });
    const name = session.data.name ?? "";
    model.answers = [say("Describe what it is for.")];
    const eventTime = new Date().toISOString();
    const turn = await apps.runAssistant({
      app,
      requestBody: { assistantSession: name, message: { role: "user", chunks: [{ text: "Help me." }], eventTime } },
    });
    assert.equal(turn.data.output?.message?.chunks?.[0]?.text, "Describe what it is for.");
    assert.equal((await apps.assistantSessions.get({ name })).data.messages?.length, 2);
    assert.equal((await apps.assistantSessions.list({ parent: app })).data.assistantSessions?.[0]?.name, name);
    const cancelled = await apps.assistantSessions.cancelAssistantTurn({ name, requestBody: {} });
    assert.equal(cancelled.data.cancelled ?? false, false);
    const { data } = await apps.generateOnboardingSuggestions({ name: app, requestBody: {} });
    assert.equal(data.suggestions?.[0]?.loadSession?.assistantSessionId, name.split("/").at(-1));
    await apps.assistantSessions.delete({ name });
    await assert.rejects(apps.assistantSessions.get({ name }), { status: 404 });
  });
});
