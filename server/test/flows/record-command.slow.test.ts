import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { readConfig, replay } from "#app";
import type { JsonObject } from "#base";
import { call, ScriptedModel, say, startTestServer, type TestServer } from "#testing";
import { openCommandLine } from "../command-line.ts";

const CACHE = join(import.meta.dirname, "..", "..", "..", "node_modules", ".cache", "frontdesk");
const config = readConfig([], { FRONTDESK_CACHE: CACHE });
const PARENT = "projects/local/locations/us";
const APP = `${PARENT}/apps/bakery`;

const COUNT = `def count(kind: str) -> dict:
    """Counts loaves."""
    context.state["seen"] = kind
    return {"loaves": 3}
`;

const LOOK_UP = `def look_up() -> dict:
    """Asks the mill."""
    return {"flour": "rye"}
`;

const COUNT_CALLS = `def after_tool_callback(tool, input, callback_context, tool_response):
    callback_context.state["calls"] = str(int(callback_context.state.get("calls") or 0) + 1)
`;

const GREET = `def before_agent_callback(callback_context):
    if not callback_context.state.get("greeted"):
        callback_context.state["greeted"] = True
        return Content(parts=[Part.from_text(text="Good morning.")], role="model")
`;

const commandLine = openCommandLine();
let server: TestServer;
let folder: string;
let model: ScriptedModel;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "frontdesk-record-test-"));
  model = new ScriptedModel();
  server = await startTestServer({ model });
  await send("POST", `${PARENT}/apps?appId=bakery`, {
    displayName: "Bakery",
    variableDeclarations: ["greeted", "seen", "name", "calls"].map((name) => ({ name, schema: { type: "STRING" } })),
  });
  const tool = (id: string, pythonCode: string, more: JsonObject = {}) =>
    send("POST", `${APP}/tools?toolId=${id}`, { pythonFunction: { name: id, pythonCode }, ...more });
  await tool("count", COUNT);
  await tool("look_up", LOOK_UP, { executionType: "ASYNCHRONOUS" });
  await send("POST", `${APP}/tools?toolId=show_map`, {
    clientFunction: { name: "show_map", description: "Shows a map.", parameters: { type: "OBJECT" } },
  });
  const judge = {
    displayName: "Manners",
    enabled: true,
    llmPolicy: { prompt: "Be polite.", policyScope: "USER_QUERY", allowShortUtterance: true },
    action: { respondImmediately: { responses: [{ text: "Please be polite." }] } },
  };
  await send("POST", `${APP}/guardrails?guardrailId=manners`, judge);
  await send("POST", `${APP}/agents?agentId=ovens`, {
    displayName: "Ovens",
    tools: ["count", "look_up", "show_map"].map((id) => `${APP}/tools/${id}`),
    afterToolCallbacks: [{ pythonCode: COUNT_CALLS }],
    guardrails: [`${APP}/guardrails/manners`],
  });
  await send("POST", `${APP}/agents?agentId=front-desk`, {
    displayName: "Front",
    instruction: "You serve {name}.",
    childAgents: [`${APP}/agents/ovens`],
    beforeAgentCallbacks: [{ pythonCode: GREET }],
  });
  await send("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/front-desk` });
});
after(async () => {
  await commandLine[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
  model.assertDone();
});

async function send(method: string, path: string, body: JsonObject): Promise<JsonObject> {
  const response = await fetch(`${server.address}/v1beta/${path}`, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text);
}

async function turn(session: string, ...inputs: readonly JsonObject[]): Promise<JsonObject> {
  const name = `${APP}/sessions/${session}`;
  return send("POST", `${name}:runSession`, { config: { session: name }, inputs: [...inputs] });
}

const frontdesk = (...args: readonly string[]) =>
  commandLine.run(args, {
    cwd: folder,
    env: { ...process.env, FRONTDESK_SERVER: server.address, FRONTDESK_CACHE: CACHE },
  });

const verdict = (triggered: boolean) => say(JSON.stringify({ triggered, reason: "rude" }));

describe("frontdesk record", () => {
  it("writes a stored conversation as a recording that replays: callbacks, transfers, tools, client functions, late results", async () => {
    // The greeting has no model call.
    await turn("a-session", { event: { event: "WELCOME" } });
    model.extend(
      call("transfer_to_agent", { agent_name: "Ovens" }, "t-1"),
      verdict(false),
      [...call("count", { kind: "rye" }, "c-1"), ...call("look_up", {}, "c-2")],
      say("Three loaves."),
    );
    await turn("a-session", { variables: { name: "Ann" } }, { text: "how many loaves of rye are there" });
    model.extend(verdict(false), [...say("Here."), ...call("show_map", { zoom: 2 }, "c-3")]);
    await turn("a-session", { text: "where are you please, I cannot see it" });
    model.extend(say("On the left."));
    const toolResponses = [{ id: "c-3", tool: `${APP}/tools/show_map`, response: { result: "shown" } }];
    await turn("a-session", { toolResponses: { toolResponses } });
    model.extend(verdict(true), say("never heard"));
    await turn("a-session", { text: "you are a very slow and stupid baker" });

    const file = join(folder, "a-session.yaml");
    assert.deepEqual(await frontdesk("record", "bakery/a-session"), {
      code: 0,
      stdout: "recorded 5 of 5 turns in a-session.yaml\n",
      stderr: "",
    });
    const recording = await readFile(file, "utf8");
    for (const part of ["kind: app", "tool: count", "name: show_map", "text: Three loaves.", "agent: Ovens"])
      assert.equal(recording.includes(part), true, part);
    assert.equal(recording.match(/^kind: turn$/gm)?.length, 5);
    assert.deepEqual(await replay({ file }, config), { turns: 5, difference: undefined });
  });

  it("leaves to callbacks what they set after a call, so that a counter does not count twice", async () => {
    model.extend(
      call("transfer_to_agent", { agent_name: "Ovens" }, "t-1"),
      verdict(false),
      call("count", { kind: "rye" }, "c-1"),
      say("Three loaves."),
    );
    await turn("counted", { event: { event: "WELCOME" } });
    await turn("counted", { text: "how many loaves of rye are there" });
    assert.equal((await frontdesk("record", "bakery/counted")).stdout, "recorded 2 of 2 turns in counted.yaml\n");
    const difference = undefined;
    assert.deepEqual(await replay({ file: join(folder, "counted.yaml") }, config), { turns: 2, difference });
  });

  it("ends before the first turn that differs, and says why", async () => {
    await turn("b-session", { event: { event: "WELCOME" } });
    model.extend(
      call("transfer_to_agent", { agent_name: "Ovens" }, "t-2"),
      say('{"triggered":false,"reason":""}'),
      say("Yes."),
    );
    await turn("b-session", { text: "are you open on sundays, tell me" });
    await send("PATCH", `${APP}/agents/ovens?updateMask=beforeAgentCallbacks`, {
      beforeAgentCallbacks: [
        {
          pythonCode:
            'def before_agent_callback(callback_context):\n    return Content(parts=[Part.from_text(text="Closed.")], role="model")\n',
        },
      ],
    });
    const { code, stdout } = await frontdesk("record", `${APP}/sessions/b-session`, "other.yaml");
    assert.equal(code, 1);
    assert.match(stdout, /^recorded 1 of 2 turns in other\.yaml\nturn 2: the turn differs from the stored one\n/);
    assert.match(stdout, /- .*Yes\./);
    assert.match(stdout, /\+ .*Closed\./);
    assert.deepEqual(await replay({ file: join(folder, "other.yaml") }, config), { turns: 1, difference: undefined });
  });

  it("rejects conversations that do not exist, and apps that redact", async () => {
    const absent = await frontdesk("record", "bakery/no-session");
    assert.deepEqual(
      [absent.code, absent.stderr],
      [1, `frontdesk: Resource '${APP}/conversations/no-session' was not found.\n`],
    );
    await send("PATCH", `${APP}?updateMask=loggingSettings`, {
      loggingSettings: { redactionConfig: { enableRedaction: true } },
    });
    const redacted = await frontdesk("record", "bakery/b-session");
    assert.deepEqual(
      [redacted.code, redacted.stderr],
      [1, "frontdesk: The app redacts its conversations, so what was said cannot be recorded from them.\n"],
    );
  });
});
