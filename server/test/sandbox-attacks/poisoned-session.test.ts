import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { type LanguageModel, LLM_CAPABILITIES, type StreamPart } from "#models";
import { startTestServer, type TestServer } from "#testing";
import { appOfOneAgent, say } from "../flows/app-of-one-agent.ts";

const APPS = "/v1beta/projects/p/locations/l/apps";
const APP = `${APPS}/hostile-app`.slice("/v1beta/".length);

/** Writes what JSON can spell and what a store, a protocol or a JavaScript object might choke on. */
const CALLBACK = `
def before_agent_callback(callback_context):
    depth = {}
    for _ in range(int(callback_context.user_content.parts[0].text)):
        depth = {"d": depth}
    set_variable("deep", depth)
    set_variable("__proto__", {"polluted": True})
    set_variable("constructor", {"prototype": {"polluted": True}})
    set_variable("toJSON", 1)
    set_variable("surrogate", "\\ud800")
    set_variable("text", "\\0\\u2028</script>" + "x" * 100_000)
    return Content(role="model", parts=[Part.from_text(text="stored \\ud800 \\0")])
`;

let server: TestServer;
before(async () => {
  server = await startTestServer();
  await post("", { displayName: "Hostile" }, "?appId=hostile-app");
  await post("/hostile-app/agents", agent(), "?agentId=root-agent");
  await call("PATCH", `${APPS}/hostile-app?updateMask=rootAgent`, { rootAgent: `${APP}/agents/root-agent` });
});
after(() => server[Symbol.asyncDispose]());

const agent = () => ({
  displayName: "Root",
  instruction: "Answer.",
  llmAgent: {},
  beforeAgentCallbacks: [{ pythonCode: CALLBACK }],
});

async function call(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }> {
  const response = await fetch(server.address + path, {
    method,
    headers: { "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

const post = (path: string, body: unknown, query = "") => call("POST", `${APPS}${path}${query}`, body);

function turn(session: string, depth: number) {
  const config = { session: `${APP}/sessions/${session}` };
  return post(`/hostile-app/sessions/${session}:runSession`, {
    config,
    inputs: [{ text: String(depth) }],
  });
}

describe("a session whose code writes hostile values", () => {
  for (const depth of [30, 150]) {
    it(`goes on and can be read again (nested ${depth} deep)`, async () => {
      const session = `hostile-${depth}`;
      for (const _ of [1, 2]) {
        const { status, text } = await turn(session, depth);
        assert.deepEqual([status, text.includes("is nested more than 40 deep")], [200, depth > 40]);
      }
      const stored = await call("GET", `${APPS}/hostile-app/conversations/${session}`);
      assert.equal(stored.status, 200, stored.text.slice(0, 300));
      assert.equal(stored.text.includes("x".repeat(100_000)), depth === 30, "a run that is refused writes nothing");
      assert.equal((await call("GET", `${APPS}/hostile-app/conversations`)).status, 200);
    });
  }

  it("leaves the server's objects as they were", () => {
    assert.deepEqual(["polluted" in {}, Object.keys(Object.prototype)], [false, []]);
  });
});

/** Counts in the interpreter, not in the conversation. */
const COUNTING = `
import builtins
def before_model_callback(callback_context, llm_request):
    builtins.count = getattr(builtins, "count", 0) + 1
    llm_request.config.system_instruction = f"Count {builtins.count}."
`;

/** Fails for all turns but the last, and shows that one its instruction. */
function failingFirst(turns: number): LanguageModel {
  let calls = 0;
  return {
    label: "test/failing",
    capabilities: LLM_CAPABILITIES,
    async *stream({ system }): AsyncGenerator<StreamPart, void> {
      if (++calls < turns) throw new Error("the model is out of order");
      yield { kind: "text-delta", text: system };
      yield { kind: "finish", reason: "stop", rawReason: "STOP", usage: {} };
    },
  };
}

describe("the code of a turn that comes again", () => {
  it("finds nothing of the turn that failed, however soon it comes (PY-65)", async () => {
    const turns = 8;
    await using failing = await startTestServer({ model: failingFirst(turns) });
    const app = await appOfOneAgent(failing, "counting", {
      instruction: "Count.",
      beforeModelCallbacks: [{ callback: { case: "pythonCode", value: COUNTING } }],
    });
    const answers = await Promise.all(Array.from({ length: turns }, () => say(failing, app, "again", "hello")));
    const answered = answers.filter(({ status }) => status === 200);
    assert.equal(answered.length, 1, JSON.stringify(answers));
    assert.match(answered[0]?.json.outputs[0].text, /Count 1\./);
  });
});
