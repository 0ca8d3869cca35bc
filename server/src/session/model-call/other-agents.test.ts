import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { type JsonObject, parseJson } from "#base";
import type { ModelPart, ModelRequest } from "#models";
import { agentName, call, ScriptedModel, say, spoken, testSandbox, testSession, toolResource } from "#testing/engine";
import { lateResultText } from "../turn/context-texts.ts";
import { presentAsContext } from "./other-agents.ts";

const sandbox = testSandbox();
after(() => sandbox.close());

const LOOKUP = `def lookup(order: str) -> dict:\n  """Finds.\n\n  Args:\n    order: its number\n  """\n  return {"status": "sent", "order": order}\n`;

const tools = [
  {
    name: toolResource("lookup"),
    displayName: "lookup",
    toolType: { case: "pythonFunction" as const, value: { name: "lookup", pythonCode: LOOKUP } },
  },
  {
    name: toolResource("pick"),
    displayName: "pick",
    toolType: { case: "clientFunction" as const, value: { name: "pick", description: "Picks." } },
  },
];
const agents = { Root: { children: ["Child"], tools: ["lookup", "pick"] }, Child: { tools: ["lookup"] } };
const toChild = call("transfer_to_agent", { agent_name: "Child" });
const toRoot = call("transfer_to_agent", { agent_name: "Root" });
const lookup = (order: string) => call("lookup", { order }, `call-${order}`);

/** Each message of a request as its role and its parts: texts unchanged, everything else by kind and name. */
function contents(request: ModelRequest | undefined): readonly unknown[] {
  return (request?.messages ?? []).map(({ role, parts }) => [role, ...parts.map(shortPart)]);
}

function shortPart(part: ModelPart): string {
  if (part.kind === "text") return part.text;
  return part.kind === "blob" ? part.mimeType : `${part.kind} ${part.name}`;
}

const TRANSFER = [
  "user",
  "For context:",
  '[Root] called tool `transfer_to_agent` with parameters: {"agent_name":"Child"}',
  '[Root] `transfer_to_agent` tool returned result: {"result":null}',
];

describe("what another agent called, and what a call answered late", () => {
  it("have numbers that JavaScript cannot hold as they came (PY-42)", () => {
    const args = parseJson('{"id":9007199254740993}') as JsonObject;
    const [, called, answered] = presentAsContext("Child", [
      { kind: "function-call", id: "1", name: "find", args },
      { kind: "function-response", id: "1", name: "find", response: args },
    ]).parts;
    assert.ok(called?.kind === "text" && answered?.kind === "text");
    assert.equal(called.text, '[Child] called tool `find` with parameters: {"id":9007199254740993}');
    assert.equal(answered.text, '[Child] `find` tool returned result: {"id":9007199254740993}');
    assert.match(lateResultText("find", false, args), /completed with response \{"id":9007199254740993\}/);
  });
});

describe("what an agent gets of the agents before it (TURN-45)", () => {
  it("is text of the user, for words, parallel calls, their responses and the transfer", async () => {
    const model = new ScriptedModel([...say("Let me see."), ...lookup("1"), ...lookup("2")], toChild, say("Sent."));
    await using session = await testSession({ model, sandbox, agents, tools });
    assert.deepEqual(spoken(await session.send("Where are they?")), ["Let me see.", "Sent."]);
    assert.deepEqual(contents(model.requests[2]), [
      ["user", "Where are they?"],
      [
        "user",
        "For context:",
        "[Root] said: Let me see.",
        '[Root] called tool `lookup` with parameters: {"order":"1"}',
        '[Root] called tool `lookup` with parameters: {"order":"2"}',
      ],
      [
        "user",
        "For context:",
        '[Root] `lookup` tool returned result: {"result":{"status":"sent","order":"1"}}',
        '[Root] `lookup` tool returned result: {"result":{"status":"sent","order":"2"}}',
      ],
      TRANSFER,
    ]);
  });

  it("lets code of the child read the text of each part of the user", async () => {
    const read = `def before_model_callback(callback_context, llm_request):
  texts = [part.text.strip() for content in llm_request.contents if content.role == "user" for part in content.parts]
  callback_context.variables["read"] = [text for text in texts if text.startswith("[")]
`;
    const model = new ScriptedModel(lookup("1"), toChild, say("Sent."));
    const withCode = { ...agents, Child: { beforeModel: [read] } };
    await using session = await testSession({ model, sandbox, agents: withCode, tools, variables: { read: null } });
    const outputs = await session.send("Where is it?");
    const chunks = outputs.at(-1)?.diagnosticInfo?.messages.flatMap((message) => message.chunks) ?? [];
    const [update] = chunks.flatMap(({ data }) => (data.case === "updatedVariables" ? [data.value] : []));
    assert.deepEqual(update, {
      read: [
        '[Root] called tool `lookup` with parameters: {"order":"1"}',
        '[Root] `lookup` tool returned result: {"result":{"status":"sent","order":"1"}}',
        ...TRANSFER.slice(2),
      ],
    });
  });

  it("leaves an agent that comes back what it did itself, over turns and a restart", async () => {
    const model = new ScriptedModel(lookup("1"), toChild, lookup("2"), toRoot, say("Both are sent."), say("Welcome."));
    await using session = await testSession({ model, sandbox, agents, tools });
    await session.send("Where are they?");
    const expected = [
      ["user", "Where are they?"],
      ["model", "function-call lookup"],
      ["user", "function-response lookup"],
      ["model", "function-call transfer_to_agent"],
      ["user", "function-response transfer_to_agent"],
      ["user", "For context:", '[Child] called tool `lookup` with parameters: {"order":"2"}'],
      ["user", "For context:", '[Child] `lookup` tool returned result: {"result":{"status":"sent","order":"2"}}'],
      [
        "user",
        "For context:",
        '[Child] called tool `transfer_to_agent` with parameters: {"agent_name":"Root"}',
        '[Child] `transfer_to_agent` tool returned result: {"result":null}',
      ],
    ];
    assert.deepEqual(contents(model.requests[4]), expected);
    await session.restart();
    await session.send("Thanks");
    assert.deepEqual(contents(model.requests[5]), [...expected, ["model", "Both are sent."], ["user", "Thanks"]]);
  });

  it("has the responses of the client as the caller's, also when they come after the transfer", async () => {
    const model = new ScriptedModel([...call("pick", {}, "call-pick"), ...toChild], say("Blue it is."));
    await using session = await testSession({ model, sandbox, agents, tools });
    await session.send("Pick one");
    const response = {
      id: "call-pick",
      toolIdentifier: { case: "tool", value: toolResource("pick") },
      response: { color: "blue" },
    } as const;
    await session.send([
      { case: "toolResponses", value: { toolResponses: [response] } },
      { case: "text", value: "This one" },
    ]);
    assert.deepEqual(contents(model.requests[1]), [
      ["user", "Pick one"],
      ["user", "For context:", "[Root] called tool `pick` with parameters: {}", ...TRANSFER.slice(2)],
      ["user", "For context:", '[Root] `pick` tool returned result: {"color":"blue"}'],
      ["user", "This one"],
    ]);
  });

  it("follows the names of historical contexts; a role that names no agent is the reader's own", async () => {
    const model = new ScriptedModel(say("Yes."));
    await using session = await testSession({ model, agents: { Root: {} } });
    const message = (role: string, text: string) => ({
      role,
      chunks: [{ data: { case: "text" as const, value: text } }],
    });
    const historicalContexts = [message("user", "Hi"), message("model", "Hello."), message("Old Desk", "One moment.")];
    await session.send("Still there?", { config: { historicalContexts, entryAgent: agentName("Root") } });
    assert.deepEqual(contents(model.requests[0]), [
      ["user", "Hi"],
      ["model", "Hello."],
      ["user", "For context:", "[Old Desk] said: One moment."],
      ["user", "Still there?"],
    ]);
  });
});
