import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { JsonObject, JsonValue } from "#base";
import { PROMPT_SECURITY_POLICY } from "#session";
import { call, ScriptedModel, say, startTestServer, type TestServer } from "#testing";
import { openWebSocket, WS_PATH } from "../live/web-socket-client.ts";

const PARENT = "projects/local/locations/us";
const APP = `${PARENT}/apps/the-shop`;

let server: TestServer;
const model = new ScriptedModel();
before(async () => {
  server = await startTestServer({ model });
  await made("POST", `${PARENT}/apps?appId=the-shop`, {
    displayName: "Shop",
    variableDeclarations: [{ name: "tier", schema: { type: "STRING" } }],
  });
  await made("POST", `${APP}/tools?toolId=show_map`, { clientFunction: { name: "show_map", description: "A map." } });
  await made("POST", `${APP}/agents?agentId=front-desk`, {
    displayName: "Front",
    instruction: "Tier {{tier}}.",
    tools: [`${APP}/tools/show_map`, `${APP}/tools/end_session`],
  });
  await made("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/front-desk` });
});
after(async () => {
  await server[Symbol.asyncDispose]();
  model.assertDone();
});

async function send(method: string, path: string, body?: JsonObject, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(`${server.address}/v1beta/${path}`, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, json: (await response.json()) as Readonly<Record<string, JsonValue>> };
}

async function made(method: string, path: string, body?: JsonObject) {
  const { status, json } = await send(method, path, body);
  assert.equal(status, 200, JSON.stringify(json));
  return json;
}

/** One turn over REST: its status, and its outputs without what every last output carries. */
async function turn(
  session: string,
  inputs: readonly JsonObject[],
  config: JsonObject = {},
  headers: Readonly<Record<string, string>> = {},
) {
  const name = `${APP}/sessions/${session}`;
  const body = { config: { session: name, ...config }, inputs: [...inputs] };
  const { status, json } = await send("POST", `${name}:runSession`, body, headers);
  const outputs = (json.outputs ?? []) as readonly JsonObject[];
  // biome-ignore lint/suspicious/noExplicitAny: the test looks into the JSON as any client would
  const root = (outputs.at(-1)?.diagnosticInfo as any)?.rootSpan;
  return {
    status,
    message: String((json.error as JsonObject | undefined)?.message ?? ""),
    outputs: outputs.map(({ turnIndex: _at, turnCompleted: _done, diagnosticInfo: _info, ...output }) => output),
    warnings: (root?.attributes?.warnings ?? []) as readonly JsonValue[],
    diagnostics: outputs.some(({ diagnosticInfo }) => diagnosticInfo !== undefined),
  };
}

const said = (text: string) => [{ text }];
const wordsOf = (at: number) =>
  model.requests
    .at(at)
    ?.messages.flatMap(({ role, parts }) =>
      parts.map((part) => (part.kind === "text" ? `${role}: ${part.text}` : `${role}: (${part.kind})`)),
    );

describe("input that a session accepts", () => {
  it("ignores variables that the app does not declare, with a warning in the trace, and accepts the others", async () => {
    model.extend(say("Hello."));
    const { outputs, warnings } = await turn("unknown-variables", [
      { variables: { tier: "gold", shoe: 46, hat: 58 } },
      { text: "hi" },
    ]);
    assert.deepEqual(outputs, said("Hello."));
    assert.equal(model.requests.at(-1)?.system.startsWith("Tier gold."), true);
    assert.deepEqual(wordsOf(-1), ["user: hi"]);
    const ignored = "The app declares no variable 'shoe', 'hat': ignored. Declare what clients may set.";
    assert.deepEqual(warnings, [ignored]);
  });

  it("gives the agent the variables of an event", async () => {
    for (const event of [
      { event: "cart_left", variables: { tier: "silver", shoe: 46 } },
      { variables: { tier: "silver", shoe: 46 }, event: "cart_left" },
    ]) {
      model.extend(say("Still there?"));
      const { outputs, warnings } = await turn(`event-${Object.keys(event)[0]}`, [{ event }]);
      assert.deepEqual(outputs, said("Still there?"));
      assert.equal(model.requests.at(-1)?.system.startsWith("Tier silver."), true);
      assert.deepEqual(wordsOf(-1), ["user: <event>cart_left</event>"]);
      assert.match(String(warnings[0]), /^The app declares no variable 'shoe': ignored\./);
    }
  });

  it("marks a session as the simulator's when the header says so, and leaves it so", async () => {
    const sourceOf = async (session: string) => (await send("GET", `${APP}/conversations/${session}`)).json.source;
    model.extend(say("One."), say("Two."), say("Three."));
    await turn("simulated", said("hi"), {}, { "x-frontdesk-source": "simulator" });
    await turn("simulated", said("hi"));
    await turn("lively", said("hi"), {}, { "x-frontdesk-source": "eval" });
    assert.deepEqual([await sourceOf("simulated"), await sourceOf("lively")], ["SIMULATOR", "LIVE"]);
    model.extend(say("Four."));
    await using client = await openWebSocket(server.address, `${WS_PATH}?x-frontdesk-source=simulator`);
    client.send({ config: { session: `${APP}/sessions/by-socket` } });
    client.say("hi");
    await client.turn();
    assert.equal(await sourceOf("by-socket"), "SIMULATOR");
  });

  it("rejects a tool response that no call waits for, and the session continues with the call it waits for", async () => {
    model.extend(call("show_map", { zoom: 1 }, "c-1"), say("There."));
    await turn("asked-for", said("where are you"));
    const response = (id: string) => [
      { toolResponses: { toolResponses: [{ id, tool: `${APP}/tools/show_map`, response: { result: "ok" } }] } },
    ];
    const { status, message } = await turn("asked-for", response("c-2"));
    assert.equal(status, 400);
    const field = "inputs[0].tool_responses.tool_responses";
    assert.equal(message, `${field}[0].id: no tool call with id 'c-2' waits for a response in this session`);
    const twice = response("c-1").concat(response("c-1"));
    assert.equal(
      (await turn("asked-for", twice)).message,
      "inputs[1].tool_responses.tool_responses[0].id: the tool call with id 'c-1' has a response in this request already",
    );
    assert.deepEqual((await turn("asked-for", response("c-1"))).outputs, said("There."));
    assert.equal((await turn("never-asked", response("c-1"))).status, 400);
  });

  it("has a limit on how many inputs and messages of history there are (TURN-62)", async () => {
    const many = Array.from({ length: 1_001 });
    const inputs = await turn(
      "many-inputs",
      many.flatMap(() => said("a")),
    );
    assert.deepEqual([inputs.status, inputs.message], [400, "inputs: has 1001 items; the limit is 1000"]);
    const historicalContexts = many.map(() => ({ role: "user", chunks: said("a") }));
    const history = await turn("long-history", said("hi"), { historicalContexts });
    assert.deepEqual(
      [history.status, history.message],
      [400, "config.historical_contexts: has 1001 items; the limit is 1000"],
    );
  });

  it("has a limit on how long their texts are (TURN-62)", async () => {
    const half = "x".repeat(2_000_001);
    const inputs = await turn("long-inputs", [...said(half), ...said(half)]);
    const limit = "has 4000002 characters of text; the limit is 4000000";
    assert.deepEqual([inputs.status, inputs.message], [400, `inputs: ${limit}`]);
    const historicalContexts = [half, half].map((text) => ({ role: "user", chunks: said(text) }));
    const history = await turn("long-history", said("hi"), { historicalContexts });
    assert.deepEqual([history.status, history.message], [400, `config.historical_contexts: ${limit}`]);
  });

  it("accepts an utterance of a hundred thousand characters", async () => {
    model.extend(say("That was long."));
    const text = "word ".repeat(20_000);
    assert.deepEqual((await turn("long-utterance", said(text))).outputs, said("That was long."));
    assert.deepEqual(wordsOf(-1), [`user: ${text}`]);
  });

  it("answers two turns at once of one session one after the other, and another session meanwhile", async () => {
    const first = Promise.withResolvers<void>();
    model.extend(
      async () => {
        await first.promise;
        return say("One.");
      },
      say("Meanwhile."),
      say("Two."),
    );
    const one = turn("two-at-once", said("first"));
    while (!wordsOf(-1)?.includes("user: first")) await new Promise((resolve) => setTimeout(resolve, 5));
    const two = turn("two-at-once", said("second"));
    assert.deepEqual((await turn("the-other", said("hi"))).outputs, said("Meanwhile."));
    first.resolve();
    assert.deepEqual([(await one).outputs, (await two).outputs], [said("One."), said("Two.")]);
    assert.deepEqual(wordsOf(-1), ["user: first", "model: One.", "user: second"]);
  });

  it("joins keys that follow each other, and rejects what is no key", async () => {
    model.extend(say("Thanks."));
    await turn("with-keys", [{ dtmf: "4" }, { dtmf: "2" }, { dtmf: "#" }, { dtmf: "1" }]);
    assert.deepEqual(wordsOf(-1), [
      "user: <context>user pressed 42 on keypad.</context>",
      "user: <context>user pressed 1 on keypad.</context>",
    ]);
    const { status, message } = await turn("with-keys", [{ dtmf: "4x" }]);
    assert.deepEqual([status, message], [400, "inputs[0].dtmf: must be keys of a telephone: 0-9, *, # or A-D"]);
  });

  it("reads events by name alone, whatever else they have", async () => {
    model.extend(say("Hello."), say("Noted."));
    await turn("with-events", [{ event: { event: "WELCOME", variables: { tier: "gold" } } }]);
    await turn("with-events", [{ event: { event: "wrapup" } }]);
    assert.deepEqual(wordsOf(-1), [
      "user: <event>session start</event>",
      "model: Hello.",
      "user: <event>wrapup</event>",
    ]);
  });

  it("runs the app as it is at each turn", async () => {
    model.extend(say("One."), say("Two."));
    const path = `${APP}/agents/front-desk?updateMask=instruction`;
    await turn("while-it-changes", said("a"));
    await made("PATCH", path, { instruction: "Be quick." });
    await turn("while-it-changes", said("b"));
    await made("PATCH", path, { instruction: "Tier {{tier}}." });
    assert.equal(model.requests.at(-1)?.system.startsWith("Be quick."), true);
    assert.deepEqual(wordsOf(-1), ["user: a", "model: One.", "user: b"]);
  });

  it("shows the model images, and blobs of any kind", async () => {
    model.extend(say("A cat."));
    await turn("with-pictures", [
      { image: { mime_type: "image/webp", data: "AQI=" } },
      { blob: { mimeType: "application/pdf", data: "AwQ=" } },
      { text: "what is it" },
    ]);
    assert.deepEqual(model.requests.at(-1)?.messages, [
      {
        role: "user",
        parts: [
          { kind: "blob", mimeType: "image/webp", data: new Uint8Array([1, 2]) },
          { kind: "blob", mimeType: "application/pdf", data: new Uint8Array([3, 4]) },
          { kind: "text", text: "what is it" },
        ],
      },
    ]);
  });

  it("begins with the history that the client gives, and rejects one of another form", async () => {
    model.extend(say("As before."));
    const historicalContexts = [
      { role: "user", chunks: [{ text: "my name is Ann" }] },
      { role: "Front", chunks: [{ text: "Hello Ann." }] },
    ];
    await turn("with-history", said("who am I"), { historicalContexts });
    assert.deepEqual(wordsOf(-1), ["user: my name is Ann", "model: Hello Ann.", "user: who am I"]);
    const bare = await turn("bare-history", said("hi"), { historicalContexts: [{ author: "user", text: "hi" }] });
    assert.deepEqual([bare.status, bare.outputs], [400, []]);
  });

  it("leaves diagnostics out when the client asks for that", async () => {
    model.extend(say("One."), say("Two."));
    assert.equal((await turn("quiet-one", said("a"))).diagnostics, true);
    assert.equal((await turn("quiet-one", said("b"), { excludeDiagnosticInfo: true })).diagnostics, false);
  });

  it("rejects a time zone, an entry agent and an id that do not exist, by name", async () => {
    const refusals = await Promise.all([
      turn("bad-config", said("hi"), { timeZone: "Mars/Base" }),
      turn("bad-config", said("hi"), { entryAgent: `${APP}/agents/nobody-here` }),
      turn("no", said("hi")),
    ]);
    assert.deepEqual(
      refusals.map(({ status }) => status),
      [400, 404, 400],
    );
  });
});

describe("the end of a session", () => {
  it("carries reason, escalation and params, and closes the session", async () => {
    const params = { LIVE_AGENT_HANDOFF: { endSession: true, uuiHeaders: ["a"] } };
    model.extend([
      ...say("I connect you."),
      ...call("end_session", { reason: "asked", session_escalated: true, params }),
    ]);
    const { outputs } = await turn("to-the-end", said("a person please"));
    const metadata = { reason: "asked", session_escalated: true, params };
    assert.deepEqual(outputs, [{ text: "I connect you." }, { endSession: { metadata } }]);
    assert.equal((await turn("to-the-end", said("hello?"))).status, 400);
  });
});

describe("the trace of a model call", () => {
  it("has model, input and output tokens, finish reason and time to first chunk", async () => {
    model.extend(say("Hello."));
    await turn("with-trace", said("hi"));
    const { turns } = await made("GET", `${APP}/conversations/with-trace`);
    const [{ rootSpan }] = turns as unknown as [{ rootSpan: { childSpans: [{ attributes: JsonObject }] } }];
    const { "time to first chunk (ms)": first, ...attributes } = rootSpan.childSpans[0].attributes;
    assert.equal(typeof first, "number");
    assert.deepEqual(attributes, {
      agent: "Front",
      model: "test/scripted",
      "input token count": 7,
      "output token count": 3,
      "finish reason": "stop",
    });
  });
});

describe("a list of conversations", () => {
  it("finds them by start time, by text, and by the id that the client gave", async () => {
    model.extend(say("It is on the way."));
    const before = new Date(Date.now() - 1).toISOString(); // A turn may start in the same millisecond.
    await turn("a-zebra-order", said("where is my zebra"));
    const found = async (filter: string) => {
      const { conversations = [] } = await made("GET", `${APP}/conversations?filter=${encodeURIComponent(filter)}`);
      return (conversations as unknown as readonly { name: string }[]).map(({ name }) => name);
    };
    const expected = [`${APP}/conversations/a-zebra-order`];
    assert.deepEqual(await found(`start_time > "${before}"`), expected);
    assert.deepEqual(await found('ces_transcript.search("zebra")'), expected);
    assert.deepEqual(await found('ces_transcript.search("zebra") AND name:(zebra AND NOT horse)'), expected);
    assert.deepEqual(await found("name:(zebra AND horse)"), []);
    assert.deepEqual(await found(`start_time > ("${before}" AND "2001-01-01T00:00:00Z")`), expected);
    assert.deepEqual(await found('customer_conversation_id="a-zebra-order"'), expected);
    assert.deepEqual(await found('customer_conversation_id="zebra-order"'), []);
    assert.deepEqual(await found(`ces_transcript.search("zebra") AND start_time < "${before}"`), []);
  });
});

describe("default prompt security", () => {
  it("shows the template that it uses, whatever a client writes there", async () => {
    const path = `${APP}/guardrails?guardrailId=prompt-security`;
    const body = { displayName: "Prompts", llmPromptSecurity: { defaultSettings: { defaultPromptTemplate: "mine" } } };
    const created = await made("POST", path, body);
    const shown = { defaultSettings: { defaultPromptTemplate: PROMPT_SECURITY_POLICY } };
    assert.deepEqual(created.llmPromptSecurity, shown);
    assert.deepEqual((await made("GET", `${APP}/guardrails/prompt-security`)).llmPromptSecurity, shown);
  });
});
