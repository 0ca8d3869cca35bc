import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { JsonObject } from "#base";
import { failedPrecondition, resourceExhausted, unauthenticated, unavailable } from "#status";
import { call, type ScriptedAnswer, ScriptedModel, say, startTestServer, type TestServer } from "#testing";
import { openWebSocket, WS_PATH } from "../live/web-socket-client.ts";

const PARENT = "projects/local/locations/us";
const APP = `${PARENT}/apps/the-shop`;
const SECRET_TEXT = "hush-hush";
/** What no end user may read: tracebacks, names of code and of settings, messages for the operator. */
const INTERNAL =
  /Traceback|\w+Error\b|python_code|\.py\b|hush-hush|FRONTDESK_|[A-Z]+_API_KEY|config file|outbound\.|maxModelCalls|instruction|provider/;

const RAISES = `raise KeyError("${SECRET_TEXT}")`;
const raising = (signature: string) => `from typing import *\ndef ${signature}:\n    ${RAISES}\n`;

let server: TestServer;
const model = new ScriptedModel();

before(async () => {
  server = await startTestServer({ model, config: { maxModelCalls: 2 } });
  await post(`${PARENT}/apps?appId=the-shop`, { displayName: "Shop" });
  await post(`${APP}/tools?toolId=broken`, {
    pythonFunction: { name: "broken", pythonCode: raising("broken() -> dict") },
  });
  await post(`${APP}/guardrails?guardrailId=judge`, {
    displayName: "Judge",
    enabled: true,
    codeCallback: { beforeAgentCallback: { pythonCode: raising("before_agent_callback(callback_context)") } },
    action: { respondImmediately: { responses: [{ text: "Not now." }] } },
  });
  const callback = [{ pythonCode: raising("before_model_callback(callback_context, llm_request)") }];
  await agent("plain", { tools: [`${APP}/tools/broken`] });
  await agent("with-callback", { beforeModelCallbacks: callback });
  await agent("with-guardrail", { guardrails: [`${APP}/guardrails/judge`] });
  await post(`${APP}/deployments?deploymentId=web-widget`, {
    displayName: "web",
    appVersion: `${APP}/versions/-`,
    channelProfile: { channelType: "WEB_UI", webWidgetConfig: {} },
  });
});
after(() => server[Symbol.asyncDispose]());

/** An error path of a turn: the agent that takes it, and what the model answers. */
interface ErrorPath {
  readonly what: string;
  readonly root?: string;
  readonly script: readonly ScriptedAnswer[];
}

const PATHS: readonly ErrorPath[] = [
  { what: "a tool that raises", script: [call("broken"), say("I am sorry.")] },
  { what: "a callback that raises", root: "with-callback", script: [say("Hello.")] },
  { what: "a guardrail that raises", root: "with-guardrail", script: [say("Hello.")] },
  {
    what: "a model without a key",
    script: [unauthenticated("Set GEMINI_API_KEY; it is hush-hush.", MODEL("MODEL_CALL_FAILED"))],
  },
  {
    what: "a model that is not configured",
    script: [failedPrecondition("Name a provider in the config file.", MODEL("NO_MODEL"))],
  },
  {
    what: "a model that is out of quota",
    script: [resourceExhausted("The provider says: hush-hush.", MODEL("MODEL_CALL_FAILED"))],
  },
  {
    what: "a model that cannot be reached",
    script: [unavailable("The provider at http://hush-hush is down.", MODEL("MODEL_CALL_FAILED"))],
  },
  { what: "a model that fails in another way", script: [new TypeError(SECRET_TEXT)] },
  { what: "a turn at its limit of model calls", script: [call("broken"), call("broken")] },
];

function MODEL(reason: string) {
  return { reason, metadata: { provider: SECRET_TEXT } };
}

describe("an end user with a chat token (WIRE-31)", () => {
  for (const { what, root = "plain", script } of PATHS) {
    it(`reads nothing internal after ${what}, on any wire`, async () => {
      await post(`${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/${root}` }, {}, "PATCH");
      for (const [wire, ask] of Object.entries(WIRES)) {
        model.extend(...script);
        const session = `${APP}/sessions/${what.replaceAll(/\W/g, "-")}-${wire}`;
        const text = await ask(session, await tokenFor(session));
        assert.ok(text.length > 0, wire);
        assert.doesNotMatch(text, INTERNAL, `${wire}: ${text}`);
        assert.doesNotMatch(text, /diagnosticInfo/, wire);
      }
    });
  }

  it("reads when to try again", async () => {
    await post(`${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/plain` }, {}, "PATCH");
    model.extend(unavailable("The provider is down.", MODEL("MODEL_CALL_FAILED")));
    const session = `${APP}/sessions/tries-again`;
    assert.match(await rest("runSession")(session, await tokenFor(session)), /"retryDelay":"1s"/);
  });

  it("reads what is wrong with the request and the token", async () => {
    const session = `${APP}/sessions/told-what`;
    const token = await tokenFor(session);
    const authorization = `Bearer ${token}`;
    const wrong = await post(`${session}:runSession`, { config: { session }, inputs: [{}] }, { authorization });
    assert.match(JSON.stringify(wrong), /inputs\[0\]: one of text, .* is required/);
    const other = `${APP}/sessions/another-one`;
    const denied = await post(
      `${other}:runSession`,
      { config: { session: other }, inputs: [{ text: "x" }] },
      { authorization },
    );
    assert.match(JSON.stringify(denied), /The chat token is not for session/);
  });

  it("leaves developers their messages and traces", async () => {
    await post(`${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/plain` }, {}, "PATCH");
    const session = `${APP}/sessions/of-a-developer`;
    model.extend(call("broken"), say("I am sorry."));
    const answer = await post(`${session}:runSession`, { config: { session }, inputs: [{ text: "hello" }] });
    assert.match(JSON.stringify(answer), /KeyError.*hush-hush/);
    model.extend(unavailable("The provider is down."));
    const failed = await post(`${session}:runSession`, { config: { session }, inputs: [{ text: "hello" }] });
    assert.match(JSON.stringify(failed), /The provider is down/);
  });
});

type Ask = (session: string, token: string) => Promise<string>;

const rest =
  (method: string, query = ""): Ask =>
  async (session, token) => {
    const body = { config: { session }, inputs: [{ text: "hello" }] };
    const response = await fetch(`${server.address}/v1/${session}:${method}${query}`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    // A stream that fails in the middle is aborted.
    return await response.text().catch((error: unknown) => `aborted: ${(error as Error).message}`);
  };

/** Everything that the server sends on a wire for one turn, as text. */
const WIRES: Readonly<Record<string, Ask>> = {
  rest: rest("runSession"),
  array: rest("streamRunSession"),
  events: rest("streamRunSession", "?alt=sse"),
  socket: async (session, token) => {
    const client = await openWebSocket(server.address, `${WS_PATH}?access_token=${token}`);
    client.send({ config: { session } });
    client.send({ realtimeInput: { text: "hello" } });
    // A turn that fails ends the conversation; why is in the close frame.
    const messages = await client.turn().catch(() => []);
    await client[Symbol.asyncDispose]();
    return JSON.stringify([messages, await client.closed]);
  },
};

async function tokenFor(session: string): Promise<string> {
  const { chatToken } = await post(`${session}:generateChatToken`, { deployment: `${APP}/deployments/web-widget` });
  assert.equal(typeof chatToken, "string");
  return String(chatToken);
}

async function agent(id: string, more: object): Promise<void> {
  await post(`${APP}/agents?agentId=${id}`, {
    displayName: id,
    instruction: `Keep ${SECRET_TEXT} to yourself.`,
    ...more,
  });
}

async function post(path: string, body: object, headers: Readonly<Record<string, string>> = {}, method = "POST") {
  const response = await fetch(`${server.address}/v1beta/${path}`, {
    method,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return (await response.json()) as JsonObject;
}
