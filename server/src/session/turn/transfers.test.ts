import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Code, ConnectError } from "#status";
import {
  agentName,
  CONVERSATION,
  call,
  diagnostics,
  ScriptedModel,
  say,
  shape,
  spoken,
  testSession,
} from "#testing/engine";

describe("a transfer", () => {
  const agents = {
    Root: { description: "Greets.", children: ["Billing"] },
    Billing: { description: "Knows invoices.", instruction: "Help with invoices." },
  };

  it("lets the child answer the same input in the same turn and keep the conversation", async () => {
    const model = new ScriptedModel(
      [...say("Putting you through."), ...call("transfer_to_agent", { agent_name: "Billing" })],
      say("Which invoice?"),
      say("Found it."),
    );
    await using session = await testSession({ model, agents });
    const outputs = await session.send("My invoice is wrong");
    assert.deepEqual(spoken(outputs), ["Putting you through.", "Which invoice?"]);
    assert.deepEqual(shape(diagnostics(outputs).messages), [
      ["user", "text"],
      ["Root", "text", "agentTransfer"],
      ["Billing", "text"],
    ]);
    assert.deepEqual(diagnostics(outputs).messages[1]?.chunks[1]?.data.value, {
      $typeName: "google.cloud.ces.v1beta.AgentTransfer",
      targetAgent: agentName("Billing"),
      displayName: "Billing",
    });
    assert.deepEqual(
      diagnostics(outputs).rootSpan.childSpans.map(({ name, attributes }) => [
        name,
        attributes?.agent,
        attributes?.target,
      ]),
      [
        ["LLM", "Root", undefined],
        ["Transfer", "Root", "Billing"],
        ["LLM", "Billing", undefined],
      ],
    );
    assert.deepEqual(spoken(await session.send("4711")), ["Found it."]);
    assert.match(
      model.requests[1]?.system ?? "",
      /^Help with invoices\.\n\nYou have a list of other agents to transfer to:/,
    );
    assert.deepEqual(model.requests[0]?.tools, [
      {
        name: "transfer_to_agent",
        description: "Hands the conversation to another agent, which answers from here on.",
        parameters: {
          type: "object",
          properties: {
            agent_name: { type: "string", description: "Name of the agent that takes over.", enum: ["Billing"] },
          },
          required: ["agent_name"],
        },
      },
    ]);
    assert.deepEqual(
      model.requests[1]?.messages.slice(1).map(({ parts }) => parts.map((part) => part.kind === "text" && part.text)),
      [
        [
          "For context:",
          "[Root] said: Putting you through.",
          '[Root] called tool `transfer_to_agent` with parameters: {"agent_name":"Billing"}',
          '[Root] `transfer_to_agent` tool returned result: {"result":null}',
        ],
      ],
    );
  });

  it("returns to the parent", async () => {
    const model = new ScriptedModel(
      call("transfer_to_agent", { agent: "Billing" }),
      call("transfer_to_agent", { agent_name: "Root" }),
      say("Back at the desk."),
    );
    await using session = await testSession({ model, agents });
    assert.deepEqual(spoken(await session.send("Hm")), ["Back at the desk."]);
  });

  it("is offered to every agent that the instructions name, and to nobody twice", async () => {
    const model = new ScriptedModel(call("transfer_to_agent", { agent_name: "Sales" }), say("Sales here."));
    await using session = await testSession({
      model,
      agents: {
        Root: { children: ["Billing", "Sales", "Legal"] },
        Billing: {
          instruction: "Send {@AGENT: Sales} what is new, {@agent: Root} the rest, {@AGENT: Billing} nothing.",
        },
        Sales: {},
        Legal: {},
      },
    });
    const outputs = await session.send("New contract", { config: { entryAgent: agentName("Billing") } });
    assert.deepEqual(spoken(outputs), ["Sales here."]);
    const [offered, ofSales] = model.requests.map(({ tools }) => tools[0]?.parameters);
    assert.deepEqual(Object(offered).properties.agent_name.enum, ["Root", "Sales"]);
    assert.deepEqual(Object(ofSales).properties.agent_name.enum, ["Root"]);
  });

  it("to an unknown agent is an error that the model gets", async () => {
    const model = new ScriptedModel(call("transfer_to_agent", { agent_name: "Sales" }), say("Sorry."));
    await using session = await testSession({ model, agents });
    await session.send("Sales please");
    assert.deepEqual(model.requests[1]?.messages.at(-1)?.parts, [
      {
        kind: "function-response",
        id: "call-transfer_to_agent",
        name: "transfer_to_agent",
        response: { status: "error", error: "Agent not found: Sales. Agents: Billing." },
      },
    ]);
  });

  it("starts at the entry agent when one is named, and nowhere else", async () => {
    const model = new ScriptedModel(say("Invoices here."));
    await using session = await testSession({ model, agents });
    await session.send("Hi", { config: { entryAgent: agentName("Billing") } });
    assert.match(model.requests[0]?.system ?? "", /^Help with invoices/);
    await assert.rejects(
      session.send("Hi", { session: "session-2", config: { entryAgent: agentName("Nobody") } }),
      (error: unknown) => error instanceof ConnectError && error.code === Code.NotFound,
    );
    for (const entryAgent of ["Billing", agentName("Billing").replace("/apps/", "/apps/another-")])
      await assert.rejects(
        session.send("Hi", { session: "session-2", config: { entryAgent } }),
        /config\.entry_agent: '.*' is not an agent of this app\. Use .*\/agents\/\{agent\}/,
      );
  });
});

describe("end_session", () => {
  const agents = { Root: { tools: ["end_session"] } };

  it("closes the turn after the text before it, and the session", async () => {
    const model = new ScriptedModel([...say("Bye."), ...call("end_session", { reason: "done", params: { a: 1 } })]);
    await using session = await testSession({ model, agents });
    const outputs = await session.send("That was all");
    assert.deepEqual(spoken(outputs), [
      "Bye.",
      {
        case: "endSession",
        value: {
          $typeName: "google.cloud.ces.v1beta.EndSession",
          metadata: { reason: "done", session_escalated: false, params: { a: 1 } },
        },
      },
    ]);
    assert.deepEqual(shape(diagnostics(outputs).messages), [
      ["user", "text"],
      ["Root", "text", "toolCall"],
      ["Root", "toolResponse"],
    ]);
    const [answered] = diagnostics(outputs).messages.at(-1)?.chunks ?? [];
    const { id, displayName, response } = answered?.data.case === "toolResponse" ? answered.data.value : {};
    assert.deepEqual([id, displayName, response], ["call-end_session", "end_session", { result: "done" }]);
    await assert.rejects(
      session.send("Hello?"),
      (error: unknown) => error instanceof ConnectError && error.code === Code.FailedPrecondition,
    );
    assert.equal((await session.storage.conversations.getTurns(CONVERSATION)).length, 1);
  });

  it("works without arguments and takes text for true", async () => {
    const model = new ScriptedModel(call("end_session"), call("end_session", { session_escalated: "true" }));
    await using session = await testSession({ model, agents });
    const metadata = async (name: string) =>
      (await session.send("Bye", { session: name })).map(({ outputType }) =>
        outputType.case === "endSession" ? outputType.value.metadata : undefined,
      );
    assert.deepEqual(await metadata("first"), [{ session_escalated: false }]);
    assert.deepEqual(await metadata("second"), [{ session_escalated: true }]);
  });

  it("is not found by an agent that does not list it", async () => {
    const model = new ScriptedModel(call("end_session", { reason: "x" }), say("Still here."));
    await using session = await testSession({ model, agents: { Root: {} } });
    assert.deepEqual(spoken(await session.send("Bye")), ["Still here."]);
    assert.deepEqual(model.requests[1]?.messages.at(-1)?.parts, [
      {
        kind: "function-response",
        id: "call-end_session",
        name: "end_session",
        response: { status: "error", error: "Tool not found: end_session" },
      },
    ]);
  });
});
