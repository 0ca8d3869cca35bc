import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { fromBinary } from "@bufbuild/protobuf";
import { Conversation_Source, Conversation_TurnSchema } from "@frontdesk/protos/ces/conversation";
import {
  agentName,
  call,
  ScriptedModel,
  say,
  spoken,
  TEST_APP,
  testSandbox,
  testSession,
  toolResource,
} from "#testing/engine";

const sandbox = testSandbox();
after(() => sandbox.close());

const agentTool = (name: string, agent: string) => ({
  name: toolResource(name),
  displayName: name,
  toolType: { case: "agentTool" as const, value: { name, description: `Asks ${agent}.`, agent: agentName(agent) } },
});

function lastResponse(model: ScriptedModel, request: number) {
  const part = model.requests[request]?.messages.at(-1)?.parts.at(-1);
  return part?.kind === "function-response" ? part.response : part;
}

describe("an agent as a tool", () => {
  it("answers in a conversation of its own, of the source AGENT_TOOL, and the caller stays in control", async () => {
    const model = new ScriptedModel(
      call("ask_math", { request: "2 + 2?" }),
      say("It is 4."),
      say("The answer is 4."),
      say("Still me."),
    );
    await using session = await testSession({
      model,
      agents: { Root: { tools: ["ask_math"] }, Math: { instruction: "Calculate for {{who}}." } },
      tools: [agentTool("ask_math", "Math")],
      variables: { who: "nobody" },
    });
    const inputs = [
      { case: "variables", value: { who: "Ada" } },
      { case: "text", value: "What is 2 + 2?" },
    ] as const;
    assert.deepEqual(spoken(await session.send([...inputs])), ["The answer is 4."]);
    assert.deepEqual(model.requests[0]?.tools[0]?.parameters.required, ["request"]);
    assert.equal(model.requests[1]?.system, "Calculate for Ada.");
    assert.deepEqual(model.requests[1]?.messages, [{ role: "user", parts: [{ kind: "text", text: "2 + 2?" }] }]);
    assert.deepEqual(lastResponse(model, 2), { response: "It is 4." });
    const name = `${TEST_APP}/conversations/agent-tool-id-2`;
    const head = await session.storage.conversations.getHead(name);
    assert.deepEqual([head?.source, head?.entryAgent], [Conversation_Source.AGENT_TOOL, agentName("Math")]);
    const [turn] = await session.storage.conversations.getTurns(name);
    assert.deepEqual(
      fromBinary(Conversation_TurnSchema, turn?.body ?? new Uint8Array()).messages.map(({ role }) => role),
      ["user", "Math"],
    );
    assert.deepEqual(spoken(await session.send("And you?")), ["Still me."]);
  });

  it("begins with all variables of its caller, declared or not, and gives back what it changed of them", async () => {
    const set = `def set_up() -> dict:
  set_variable("who", "Ada")
  set_variable("step", {"number": 2})
  return {}
`;
    const tell = `def tell() -> dict:
  told = [get_variable("who"), get_variable("step")]
  set_variable("who", "Bob")
  remove_variable("step")
  return {"told": told, "more": [get_variable("size"), sorted(context.state)]}
`;
    const model = new ScriptedModel(
      call("set_up"),
      call("ask_math", { request: "Who?" }),
      call("tell"),
      say("Ada."),
      call("look"),
      say("Done."),
    );
    const look = `def look() -> dict:
  return {"who": get_variable("who"), "step": get_variable("step", "gone"), "date": "current_date" in context.state}
`;
    await using session = await testSession({
      model,
      sandbox,
      agents: {
        Root: { tools: ["set_up", "ask_math", "look"] },
        Math: { tools: ["tell"], instruction: "It is {current_date}." },
      },
      tools: [agentTool("ask_math", "Math")],
      python: { set_up: set, tell, look },
      variables: { who: "nobody", size: 3 },
    });
    const outputs = await session.send("Who is it?");
    const state = ["_session", "current_date", "size", "step", "who"].filter((name) => name !== "step");
    assert.deepEqual(lastResponse(model, 3), { result: { told: ["Ada", { number: 2 }], more: [3, state] } });
    assert.deepEqual(lastResponse(model, 5), { result: { who: "Bob", step: "gone", date: true } });
    const recorded = outputs
      .at(-1)
      ?.diagnosticInfo?.messages.flatMap(({ chunks }) =>
        chunks.flatMap(({ data }) => (data.case === "updatedVariables" ? [data.value] : [])),
      );
    assert.deepEqual(recorded?.slice(1), [
      { who: "Ada", step: { number: 2 } },
      { who: "Bob", step: null },
    ]);
  });

  it("sees what a callback and the code around the call have changed, beside other calls", async () => {
    const beforeTool = `def before_tool_callback(tool, input, callback_context):
  callback_context.state["who"] = tool.name
`;
    const ask = `def ask() -> dict:
  set_variable("size", 1)
  answer = tools.tell_size({"request": "?"}).json()["response"]
  set_variable("size", get_variable("size") + 10)
  return {"answer": answer, "step": get_variable("step")}
`;
    const enlarge = `def enlarge() -> dict:
  set_variable("size", get_variable("size") + 1)
  set_variable("step", "enlarged")
  return {}
`;
    const model = new ScriptedModel(
      [...call("tell_name", { request: "?" }), ...call("set_up")],
      (request) => say(request.system),
      call("ask"),
      call("enlarge"),
      (request) => say(request.system),
      say("Done."),
    );
    const setUp = 'def set_up() -> dict:\n  set_variable("other", 5.0)\n  return {}\n';
    await using session = await testSession({
      model,
      sandbox,
      agents: {
        Root: { tools: ["tell_name", "set_up", "ask"], beforeTool: [beforeTool] },
        Name: { instruction: "{{who}}" },
        Size: { instruction: "{{size}}", tools: ["enlarge"] },
      },
      tools: [agentTool("tell_name", "Name"), agentTool("tell_size", "Size")],
      python: { ask, enlarge, set_up: setUp },
      variables: { who: "nobody", size: 0 },
    });
    await session.send("Go");
    const [told] = model.requests[2]?.messages.at(-1)?.parts ?? [];
    assert.deepEqual(told?.kind === "function-response" && told.response, { response: "tell_name" });
    assert.deepEqual(lastResponse(model, 5), { result: { answer: "1", step: null } });
    const head = await session.storage.conversations.getHead(`${TEST_APP}/conversations/session-1`);
    assert.partialDeepStrictEqual(JSON.parse(head?.state ?? ""), {
      variables: { who: "ask", size: 11, step: "enlarged", other: 5 },
    });
  });

  it("fails when the agent already waits for the answer", async () => {
    const model = new ScriptedModel(
      call("ask_b", { request: "?" }),
      call("ask_root", { request: "??" }),
      say("I could not."),
      say("Sorry."),
    );
    await using session = await testSession({
      model,
      agents: { Root: { tools: ["ask_b"] }, B: { tools: ["ask_root"] } },
      tools: [agentTool("ask_b", "B"), agentTool("ask_root", "Root")],
    });
    await session.send("Go");
    assert.deepEqual(lastResponse(model, 2), {
      status: "error",
      error: "Agent Root was not called: it is already waiting (Root → B → Root).",
    });
    assert.deepEqual(lastResponse(model, 3), { response: "I could not." });
  });

  it("may be called four deep", async () => {
    const names = ["A0", "A1", "A2", "A3", "A4"];
    const agents = Object.fromEntries(names.map((name, depth) => [name, { tools: [`t${depth + 1}`] }]));
    const model = new ScriptedModel(
      ...names.slice(0, 4).map((_name, depth) => call(`t${depth + 1}`, { request: "down" })),
      say("bottom"),
      say("3"),
      say("2"),
      say("1"),
    );
    await using session = await testSession({
      model,
      agents,
      tools: names.slice(1).map((name, depth) => agentTool(`t${depth + 1}`, name)),
    });
    assert.deepEqual(spoken(await session.send("Go")), ["1"]);
    assert.deepEqual(lastResponse(model, 4), {
      status: "error",
      error: "Agent A4 was not called: agents may call each other 4 deep (A0 → A1 → A2 → A3 → A4).",
    });
  });

  it("gives the caller's model the error of the other agent", async () => {
    const model = new ScriptedModel(
      [
        ...call("ask", { request: "?" }, "call-1"),
        ...call("ask", {}, "call-2"),
        ...call("lost", { request: "?" }, "call-3"),
      ],
      call("on_screen"),
      say("Sorry."),
    );
    await using session = await testSession({
      model,
      agents: { Root: { tools: ["ask", "lost"] }, B: { tools: ["on_screen"] } },
      tools: [
        agentTool("ask", "B"),
        agentTool("lost", "Nobody"),
        {
          name: toolResource("on_screen"),
          displayName: "on_screen",
          toolType: { case: "clientFunction", value: { name: "on_screen", description: "" } },
        },
      ],
    });
    await session.send("Go");
    const errors = model.requests[2]?.messages
      .at(-1)
      ?.parts.map((part) => part.kind === "function-response" && part.response.error);
    assert.deepEqual(errors, [
      "The agent asked the client for something, which it cannot do as a tool.",
      "Missing parameter: request",
      `Agent not found: ${agentName("Nobody")}.`,
    ]);
  });
});
