import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "#base";
import type { GoogleService } from "../google/google-service.ts";
import type { DialogflowQuery } from "./contract.ts";
import { createDialogflowClient } from "./dialogflow-client.ts";
import { readAnswer } from "./read-answer.ts";

const APP = "projects/shop/locations/us/apps/desk";

/** A service that writes down which addresses it was asked at; it may not read agents. */
function notingService() {
  const asked: string[] = [];
  const service: GoogleService = {
    post: async (url) => {
      asked.push(url);
      return {};
    },
    get: async (url) => {
      asked.push(url);
      throw new Error("not allowed");
    },
  };
  return { asked, service };
}

const query = (session: string, languageCode?: string): DialogflowQuery => ({
  session,
  input: { kind: "text", text: "hi" },
  languageCode,
  fallbackLanguage: "en",
  params: {},
});

const { signal } = new AbortController();

describe("a Dialogflow agent's address", () => {
  it("is the one of its location", async () => {
    const { asked, service } = notingService();
    const client = createDialogflowClient({ service });
    for (const location of ["global", "us", "europe-west3"])
      await client.detectIntent(query(`projects/p/locations/${location}/agents/a/sessions/s`, "en"), signal, APP);
    assert.deepEqual(asked, [
      "https://dialogflow.googleapis.com/v3/projects/p/locations/global/agents/a/sessions/s:detectIntent",
      "https://us-dialogflow.googleapis.com/v3/projects/p/locations/us/agents/a/sessions/s:detectIntent",
      "https://europe-west3-dialogflow.googleapis.com/v3/projects/p/locations/europe-west3/agents/a/sessions/s:detectIntent",
    ]);
  });

  it("cannot be led elsewhere by the agent's name, nor to projects that the operator has not named", async () => {
    const { asked, service } = notingService();
    const client = createDialogflowClient({ service, projects: ["mine"] });
    const names = [
      "projects/mine/locations/evil.example/agents/a/sessions/s",
      "projects/mine/locations/us/agents/a/../../b/sessions/s",
      "projects/mine/locations/us@evil.example/agents/a/sessions/s",
      "projects/mine/locations/us/agents/a/sessions/s?x=1",
      "projects/../locations/us/agents/a/sessions/s",
      "agents/a/sessions/s",
    ];
    for (const name of names)
      await assert.rejects(
        client.detectIntent(query(name, "en"), signal, APP),
        { code: 9, message: /names no agent/ },
        name,
      );
    const other = client.detectIntent(query("projects/other/locations/us/agents/a/sessions/s", "en"), signal, APP);
    await assert.rejects(other, { code: 7, message: /dialogflow\.projects/ });
    assert.deepEqual(asked, []);
  });

  it("is refused to apps that the operator has not named", async () => {
    const { asked, service } = notingService();
    const client = createDialogflowClient({ service, apps: ["projects/shop/*"] });
    const session = "projects/p/locations/us/agents/a/sessions/s";
    const other = client.detectIntent(query(session, "en"), signal, "projects/bank/locations/us/apps/a");
    await assert.rejects(other, { code: 7, message: /dialogflow\.apps/ });
    assert.deepEqual(asked, []);
    await client.detectIntent(query(session, "en"), signal, APP);
    assert.equal(asked.length, 1);
  });

  it("requests the agent's own language once, although the request is rejected", async () => {
    const { asked, service } = notingService();
    const client = createDialogflowClient({ service, endpoint: "http://127.0.0.1:1" });
    const session = "projects/p/locations/us/agents/a/sessions/s";
    await client.detectIntent(query(session), signal, APP);
    await client.detectIntent(query(session), signal, APP);
    const post = `http://127.0.0.1:1/v3/${session}:detectIntent`;
    assert.deepEqual(asked, ["http://127.0.0.1:1/v3/projects/p/locations/us/agents/a", post, post]);
  });
});

describe("a Dialogflow answer", () => {
  const read = (queryResult: JsonObject) => readAnswer({ responseId: "r", queryResult });
  const page = (id: string): JsonObject => ({
    currentPage: { name: `projects/p/locations/l/agents/a/flows/f/pages/${id}` },
  });

  it("ends the flow at the end pages and with the end of the interaction, and nowhere else", () => {
    const ends = [page("END_SESSION"), page("END_FLOW"), page("END_FLOW_WITH_CANCELLATION")];
    assert.deepEqual(
      [...ends, { responseMessages: [{ endInteraction: {} }] }, page("START_PAGE"), page("MY_END_FLOW_x"), {}].map(
        (result) => read(result).ended,
      ),
      [true, true, true, true, false, false, false],
    );
  });

  it("is read in order, with what text cannot carry by name", () => {
    const responseMessages: JsonObject[] = [
      { text: { text: ["a", " ", "b"] } },
      { outputAudioText: { text: "c", allowPlaybackInterruption: true } },
      { telephonyTransferCall: { phoneNumber: "+4930123456" } },
      { mixedAudio: { segments: [] } },
      { toolCall: { tool: "t" } },
      { liveAgentHandoff: {} },
      { conversationSuccess: {} },
    ];
    assert.deepEqual(read({ responseMessages }).messages, [
      { kind: "text", text: "a", interruptible: false },
      { kind: "text", text: "b", interruptible: false },
      { kind: "text", text: "c", interruptible: true },
      { kind: "call-transfer", phoneNumber: "+4930123456" },
      { kind: "left-out", what: "mixedAudio" },
      { kind: "left-out", what: "toolCall" },
      { kind: "live-agent-handoff", metadata: {} },
    ]);
  });

  it("gives the trace page, intent and webhooks", () => {
    const match = { intent: { displayName: "buy" }, matchType: "INTENT", confidence: 0.9 };
    const webhookStatuses = [{ code: 4, message: "late" }];
    assert.deepEqual(read({ match, webhookStatuses, currentPage: { displayName: "Pay" } }).trace, {
      "response id": "r",
      page: "Pay",
      intent: "buy",
      "match type": "INTENT",
      confidence: 0.9,
      "webhook statuses": webhookStatuses,
    });
  });
});
