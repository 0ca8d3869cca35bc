import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { readConfig, replay } from "#app";
import { call, ScriptedModel, say } from "#testing";
import { APP, ended, openShop, REMOTE, says } from "./dialogflow-shop.ts";

const CACHE = join(import.meta.dirname, "..", "..", "..", "node_modules", ".cache", "frontdesk");

const toOrders = () => call("transfer_to_agent", { agent_name: "Orders" });

describe("a Dialogflow agent", () => {
  it("stays active until its flow ends, then its parent continues in the same turn", async () => {
    const model = new ScriptedModel(toOrders(), say("Anything else?"), say("Bye."));
    await using shop = await openShop({
      model,
      answers: [says("Which order?"), ended({ order_status: "shipped", other: 1 }, "It is shipped.")],
      defaultLanguage: "de",
    });
    const first = await shop.turn(
      "one-session",
      { variables: { order: "A-1", campaign: "spring" } },
      { text: "my order" },
    );
    assert.deepEqual(first.outputs, [{ text: "Which order?" }]);
    const second = await shop.turn("one-session", { text: "the last one" });
    assert.deepEqual(second.outputs, [{ text: "It is shipped." }, { text: "Anything else?" }]);
    assert.deepEqual((await shop.turn("one-session", { text: "no" })).outputs, [{ text: "Bye." }]);

    const [language, begin, next] = shop.dialogflow.requests;
    assert.deepEqual([language?.method, language?.path], ["GET", `/v3/${REMOTE}`]);
    assert.match(begin?.path ?? "", new RegExp(`^/v3/${REMOTE}/sessions/[0-9a-f]{32}:detectIntent$`));
    assert.equal(next?.path, begin?.path);
    assert.deepEqual(
      [begin?.authorization, begin?.message, next?.message],
      [
        "Bearer a-token",
        {
          queryInput: { text: { text: "my order" }, languageCode: "de" },
          queryParams: {
            currentPage: `${REMOTE}/flows/f/pages/START_PAGE`,
            parameters: { campaign: "spring", order_id: "A-1" },
          },
        },
        { queryInput: { text: { text: "the last one" }, languageCode: "de" } },
      ],
    );
    assert.equal(shop.dialogflow.requests.length, 3);
    // What the flow found out is the app's variable, which the parent's instruction shows.
    assert.equal(model.requests.at(-1)?.system.includes("Status is shipped."), true);
  });

  it("is a span of the trace, with page and end", async () => {
    await using shop = await openShop({ root: "orders-flow", answers: [says("Which order?")] });
    const { spans } = await shop.turn("one-session", { text: "my order" });
    const [span] = spans;
    assert.equal(span?.name, "Dialogflow");
    const { session, ...rest } = span?.attributes ?? {};
    assert.match(String(session), new RegExp(`^${REMOTE}/sessions/`));
    assert.deepEqual(rest, { agent: "Orders", input: "text", "response id": "r-1", page: "Ask order", ended: false });
  });

  it("gets events and keys as such, the environment, the language variable and the session's query parameters", async () => {
    await using shop = await openShop({
      root: "orders-flow",
      remote: { environmentId: "prod", languageCodeVariable: "language" },
      config: {
        timeZone: "Europe/Paris",
        remoteDialogflowQueryParameters: {
          webhookHeaders: { "x-tenant": "7" },
          payload: { source: "app" },
          endUserMetadata: { tier: "gold" },
        },
      },
      answers: [says("Hello."), says("Thanks.")],
    });
    await shop.turn("one-session", { variables: { language: "fr-CA" } }, { event: { event: "WELCOME" } });
    await shop.turn("one-session", { dtmf: "12" }, { dtmf: "3" }, { dtmf: "#" });
    const params = {
      timeZone: "Europe/Paris",
      webhookHeaders: { "x-tenant": "7" },
      payload: { source: "app" },
      endUserMetadata: { tier: "gold" },
    };
    assert.deepEqual(
      shop.dialogflow.requests.map(({ message }) => message),
      [
        {
          queryInput: { event: { event: "WELCOME" }, languageCode: "fr-CA" },
          queryParams: { ...params, currentPage: `${REMOTE}/flows/f/pages/START_PAGE` },
        },
        { queryInput: { dtmf: { digits: "123", finishDigit: "#" }, languageCode: "fr-CA" }, queryParams: params },
      ],
    );
    assert.match(shop.dialogflow.requests[0]?.path ?? "", /\/agents\/0123-abcd\/environments\/prod\/sessions\//);
  });

  it("gives payloads to the client, speaks speech as text, and leaves out what text cannot carry", async () => {
    await using shop = await openShop({
      root: "orders-flow",
      remote: { respectResponseInterruptionSettings: true },
      answers: [
        {
          responseMessages: [
            { text: { text: ["One moment."], allowPlaybackInterruption: true } },
            { payload: { card: { title: "Order" } } },
            { outputAudioText: { ssml: "<speak>Tom &amp; <b>Ann</b></speak>" } },
            { playAudio: { audioUri: "gs://b/a.wav" } },
            { conversationSuccess: { metadata: {} } },
          ],
        },
      ],
    });
    const { outputs } = await shop.turn("one-session", { text: "my order" });
    assert.deepEqual(outputs, [
      { text: "One moment." },
      { payload: { card: { title: "Order" } } },
      { text: "Tom & Ann" },
    ]);
  });

  it("ends the session at a handoff to a person, with the metadata that channels read", async () => {
    await using shop = await openShop({
      model: new ScriptedModel(toOrders()),
      answers: [
        {
          responseMessages: [
            { text: { text: ["I get a colleague."] } },
            { liveAgentHandoff: { metadata: { queue: "b" } } },
          ],
          parameters: { order_status: "lost" },
        },
      ],
    });
    const { outputs } = await shop.turn("one-session", { text: "a person please" });
    const metadata = { reason: "live agent handoff", session_escalated: true, params: { queue: "b" } };
    assert.deepEqual(outputs, [{ text: "I get a colleague." }, { endSession: { metadata } }]);
    assert.equal((await shop.turn("one-session", { text: "hello?" })).status, 400);
  });

  it("ends the session with its flow when it has no parent", async () => {
    await using shop = await openShop({
      root: "front-desk",
      config: { entryAgent: `${APP}/agents/orders-flow` },
      answers: [says("?")],
    });
    await shop.turn("one-session", { text: "my order" });
    await using alone = await openShop({ root: "orders-flow", answers: [ended({}, "Goodbye.")] });
    const name = `${alone.server.address}/v1beta/${APP}/agents/front-desk?updateMask=childAgents`;
    const headers = { "content-type": "application/json" };
    assert.equal((await fetch(name, { method: "PATCH", headers, body: '{"childAgents":[]}' })).status, 200);
    const metadata = { reason: "the flow has ended", session_escalated: false };
    const { outputs } = await alone.turn("one-session", { text: "bye" });
    assert.deepEqual(outputs, [{ text: "Goodbye." }, { endSession: { metadata } }]);
  });

  it("is queried again when it is busy, and starts again after its flow has ended", async () => {
    const model = new ScriptedModel(toOrders(), say("Else?"), toOrders());
    await using shop = await openShop({
      model,
      answers: [{ status: 429, errorMessage: "busy", retryAfter: "0" }, ended({}, "Done."), says("Which order?")],
      defaultLanguage: "en",
    });
    assert.deepEqual((await shop.turn("one-session", { text: "my order" })).outputs, [
      { text: "Done." },
      { text: "Else?" },
    ]);
    assert.deepEqual((await shop.turn("one-session", { text: "another" })).outputs, [{ text: "Which order?" }]);
    const page = { currentPage: `${REMOTE}/flows/f/pages/START_PAGE` };
    assert.deepEqual(shop.dialogflow.requests.at(-1)?.message.queryParams, page);
  });

  it("is blocked by the app's content filter, in both directions", async () => {
    await using shop = await openShop({ root: "orders-flow", answers: [says("You are an idiot.")] });
    const headers = { "content-type": "application/json" };
    const guardrail = {
      displayName: "Words",
      enabled: true,
      contentFilter: { bannedContents: ["idiot", "bomb"], matchType: "SIMPLE_STRING_MATCH" },
      action: { respondImmediately: { responses: [{ text: "Let us stay polite." }] } },
    };
    const root = `${shop.server.address}/v1beta/${APP}`;
    await fetch(`${root}/guardrails?guardrailId=bad-words`, {
      method: "POST",
      headers,
      body: JSON.stringify(guardrail),
    });
    const body = JSON.stringify({ guardrails: [`${APP}/guardrails/bad-words`] });
    assert.equal((await fetch(`${root}?updateMask=guardrails`, { method: "PATCH", headers, body })).status, 200);
    const polite = [{ text: "Let us stay polite." }];
    assert.deepEqual((await shop.turn("one-session", { text: "a bomb" })).outputs, polite);
    assert.deepEqual(shop.dialogflow.requests, []);
    assert.deepEqual((await shop.turn("one-session", { text: "my order" })).outputs, polite);
  });

  it("fails the turn when it fails, and nothing of it is stored", async () => {
    await using shop = await openShop({
      root: "orders-flow",
      answers: [{ status: 403, errorMessage: "No such agent for you." }, says("Hi.")],
    });
    const { status, message } = await shop.turn("one-session", { text: "my order" });
    assert.deepEqual([status, message], [403, "Dialogflow answered with HTTP status 403: No such agent for you."]);
    assert.deepEqual((await shop.turn("one-session", { text: "again" })).outputs, [{ text: "Hi." }]);
  });

  it("gives the app's fallback when it fails and the app asks for one", async () => {
    await using shop = await openShop({
      root: "orders-flow",
      app: {
        errorHandlingSettings: {
          errorHandlingStrategy: "FALLBACK_RESPONSE",
          fallbackResponseConfig: { customFallbackMessages: { en: "Please try later." } },
        },
      },
      answers: [{ status: 500, errorMessage: "boom" }],
    });
    const { outputs, spans } = await shop.turn("one-session", { text: "my order" });
    assert.deepEqual(outputs, [{ text: "Please try later." }]);
    assert.equal(spans[0]?.attributes.error, "[unavailable] Dialogflow answered with HTTP status 500: boom");
  });

  it("answers as a tool too, and no other agent becomes active when its flow ends", async () => {
    const model = new ScriptedModel(call("ask_orders", { request: "where is A-1" }), say("It is shipped."));
    await using shop = await openShop({ model, answers: [ended({}, "Shipped.")] });
    const root = `${shop.server.address}/v1beta/${APP}`;
    const headers = { "content-type": "application/json" };
    const agentTool = { name: "ask_orders", description: "Asks.", agent: `${APP}/agents/orders-flow` };
    const made = await fetch(`${root}/tools?toolId=ask_orders`, {
      method: "POST",
      headers,
      body: JSON.stringify({ agentTool }),
    });
    assert.equal(made.status, 200, await made.text());
    const body = JSON.stringify({ tools: [`${APP}/tools/ask_orders`] });
    const listed = await fetch(`${root}/agents/front-desk?updateMask=tools`, { method: "PATCH", headers, body });
    assert.equal(listed.status, 200);
    const { outputs } = await shop.turn("one-session", { text: "where is it" });
    assert.deepEqual(outputs, [{ text: "It is shipped." }]);
    const { queryInput } = shop.dialogflow.requests.at(-1)?.message ?? {};
    assert.deepEqual(queryInput, { text: { text: "where is A-1" }, languageCode: "en" });
    assert.equal(JSON.stringify(model.requests[1]?.messages).includes("Shipped."), true);
  });

  it("is part of a recording, which replays without it", async () => {
    const recordDir = await mkdtemp(join(tmpdir(), "frontdesk-flow-"));
    {
      const model = new ScriptedModel(toOrders(), say("Else?"));
      await using shop = await openShop({ model, recordDir, answers: [says("Which order?"), ended({}, "Shipped.")] });
      await shop.turn("one-session", { text: "my order" });
      await shop.turn("one-session", { text: "A-1" });
    }
    const file = join(recordDir, `${APP}/sessions/one-session.yaml`);
    const config = readConfig([], { FRONTDESK_CACHE: CACHE });
    assert.deepEqual(await replay({ file }, config), { turns: 2, difference: undefined });
    const recording = await readFile(file, "utf8");
    await writeFile(file, recording.replace("- text: A-1\n", "- text: A-2\n"));
    const { difference } = await replay({ file }, config);
    assert.deepEqual([difference?.turn, difference?.what], [2, "a Dialogflow agent gets another query than recorded"]);
    assert.equal(recording.includes("a-token"), false);
    await rm(recordDir, { recursive: true });
  });

  it("is not called at a private address that the operator has not opened", async () => {
    await using shop = await openShop({ root: "orders-flow", answers: [], opened: false });
    const { status, message } = await shop.turn("one-session", { text: "my order" });
    assert.equal(status, 503);
    assert.match(message, /Dialogflow could not be reached: .*127\.0\.0\.1 is a loopback address/);
    assert.deepEqual(shop.dialogflow.requests, []);
  });

  it("is not called by a server that is not configured for it", async () => {
    await using shop = await openShop({ root: "orders-flow", answers: [], configured: false });
    const { status, message } = await shop.turn("one-session", { text: "my order" });
    assert.equal(status, 400);
    assert.match(message, /add the section 'dialogflow' to the server's configuration file/);
  });
});
