import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { readConfig, replay } from "#app";
import type { JsonObject } from "#base";
import { call, ScriptedModel, say, startTestServer, type TestServer } from "#testing";
import { type FlowAnswer, type GoogleServer, startDialogflow } from "#testing/google";

const CACHE = join(import.meta.dirname, "..", "..", "..", "node_modules", ".cache", "frontdesk");
const PARENT = "projects/local/locations/us";
const APP = `${PARENT}/apps/the-shop`;
const REMOTE = "projects/my-project/locations/europe-west3/agents/0123-abcd";

/** What a flow says, as Dialogflow answers it. */
const says = (...texts: readonly string[]): JsonObject => ({
  responseMessages: texts.map((text) => ({ text: { text: [text] } })),
  currentPage: { name: `${REMOTE}/flows/f/pages/p`, displayName: "Ask order" },
});

const ended = (parameters: JsonObject, ...texts: readonly string[]): JsonObject => ({
  ...says(...texts),
  responseMessages: [...texts.map((text) => ({ text: { text: [text] } })), { endInteraction: {} }],
  currentPage: { name: `${REMOTE}/flows/f/pages/END_SESSION`, displayName: "End Session" },
  parameters,
});

interface Shop extends AsyncDisposable {
  readonly server: TestServer;
  readonly dialogflow: GoogleServer;
  turn(session: string, ...inputs: readonly JsonObject[]): Promise<Answer>;
}

interface Answer {
  readonly status: number;
  readonly outputs: readonly JsonObject[];
  readonly message: string;
  readonly spans: readonly { readonly name: string; readonly attributes: JsonObject }[];
}

interface ShopSketch {
  readonly answers: readonly FlowAnswer[];
  readonly model?: ScriptedModel;
  readonly remote?: JsonObject;
  readonly app?: JsonObject;
  readonly config?: JsonObject;
  readonly root?: "front-desk" | "orders-flow";
  readonly defaultLanguage?: string;
  readonly configured?: boolean;
  readonly recordDir?: string;
  /** Whether the operator lets requests of apps go to loopback, where the Dialogflow of tests is. */
  readonly opened?: boolean;
}

/** A front agent that may hand over to a flow for orders. */
async function openShop(sketch: ShopSketch): Promise<Shop> {
  const {
    answers,
    model = new ScriptedModel(),
    remote,
    app,
    config,
    root = "front-desk",
    configured = true,
    opened = true,
  } = sketch;
  const dialogflow = await startDialogflow({
    answers,
    ...(sketch.defaultLanguage && { defaultLanguage: sketch.defaultLanguage }),
  });
  const accessToken = async () => "a-token";
  const server = await startTestServer({
    model,
    config: {
      ...(sketch.recordDir && { recordDir: sketch.recordDir }),
      egressAllow: opened ? ["127.0.0.1"] : [],
      ...(configured && { dialogflow: { endpoint: dialogflow.address, accessToken, timeoutMs: 5_000 } }),
    },
  });
  const send = async (method: string, path: string, body: JsonObject) => {
    const response = await fetch(`${server.address}/v1beta/${path}`, {
      method,
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as JsonObject };
  };
  const made = async (method: string, path: string, body: JsonObject) => {
    const { status, body: answer } = await send(method, path, body);
    assert.equal(status, 200, JSON.stringify(answer));
  };
  const declared = ["order", "language", "status"].map((name) => ({ name, schema: { type: "STRING" } }));
  await made("POST", `${PARENT}/apps?appId=the-shop`, { displayName: "Shop", variableDeclarations: declared, ...app });
  await made("POST", `${APP}/agents?agentId=orders-flow`, {
    displayName: "Orders",
    remoteDialogflowAgent: {
      agent: REMOTE,
      flowId: "f",
      inputVariableMapping: { order: "order_id" },
      outputVariableMapping: { order_status: "status" },
      ...remote,
    },
  });
  await made("POST", `${APP}/agents?agentId=front-desk`, {
    displayName: "Front",
    instruction: "Status is {{status}}.",
    childAgents: [`${APP}/agents/orders-flow`],
  });
  await made("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/${root}` });
  return {
    server,
    dialogflow,
    async turn(session, ...inputs) {
      const name = `${APP}/sessions/${session}`;
      const { status, body } = await send("POST", `${name}:runSession`, {
        config: { session: name, ...config },
        inputs: [...inputs],
      });
      const { outputs = [], error } = body as unknown as { outputs?: JsonObject[]; error?: { message: string } };
      const info = outputs.at(-1)?.diagnosticInfo as { rootSpan?: { childSpans: Answer["spans"] } } | undefined;
      return {
        status,
        message: error?.message ?? "",
        outputs: outputs.map(
          ({ turnIndex: _index, diagnosticInfo: _info, turnCompleted: _completed, ...rest }) => rest,
        ),
        spans: info?.rootSpan?.childSpans ?? [],
      };
    },
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await dialogflow[Symbol.asyncDispose]();
      model.assertDone();
    },
  };
}

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
