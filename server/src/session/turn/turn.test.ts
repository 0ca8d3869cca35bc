import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fromBinary } from "@bufbuild/protobuf";
import { ErrorHandlingSettings_ErrorHandlingStrategy as Strategy } from "@frontdesk/protos/ces/app";
import { Conversation_InputType, Conversation_TurnSchema } from "@frontdesk/protos/ces/conversation";
import type { Message } from "@frontdesk/protos/ces/example";
import type { SessionOutput } from "@frontdesk/protos/ces/session_service";
import type { SessionEngine } from "#session";
import { Code, ConnectError, unavailable } from "#status";
import { agentName, call, ScriptedModel, say, spoken, TEST_APP, testSession, toolResource } from "#testing/engine";

const CONVERSATION = `${TEST_APP}/conversations/session-1`;

/** Role and chunk cases of each message. */
function shape(messages: readonly Message[]): readonly unknown[] {
  return messages.map(({ role, chunks }) => [role, ...chunks.map(({ data }) => data.case)]);
}

function diagnostics(outputs: readonly SessionOutput[]) {
  const info = outputs.at(-1)?.diagnosticInfo;
  assert.ok(info?.rootSpan, "the last output has diagnostic info");
  return { messages: info.messages, rootSpan: info.rootSpan };
}

const clientTool = (name: string) => ({
  name: toolResource(name),
  displayName: name,
  toolType: { case: "clientFunction" as const, value: { name, description: `Does ${name}.` } },
});

describe("a turn", () => {
  it("answers a text with one output that closes the turn", async () => {
    const model = new ScriptedModel(say("Hello", " there."));
    await using session = await testSession({ model, agents: { Root: { instruction: "Be kind." } } });
    const outputs = await session.send("Hi");
    assert.deepEqual(spoken(outputs), ["Hello there."]);
    assert.deepEqual(
      outputs.map(({ turnIndex, turnCompleted }) => [turnIndex, turnCompleted]),
      [[1, true]],
    );
    const { messages, rootSpan } = diagnostics(outputs);
    assert.deepEqual(shape(messages), [
      ["user", "text"],
      ["Root", "text"],
    ]);
    assert.deepEqual(
      rootSpan.childSpans.map(({ name, attributes }) => [name, attributes]),
      [
        [
          "LLM",
          {
            agent: "Root",
            model: "test/scripted",
            "input token count": 7,
            "output token count": 3,
            "finish reason": "stop",
            "time to first chunk (ms)": rootSpan.childSpans[0]?.attributes?.["time to first chunk (ms)"],
          },
        ],
      ],
    );
    assert.equal(model.requests[0]?.system, "Be kind.");
    assert.deepEqual(model.requests[0]?.messages, [{ role: "user", parts: [{ kind: "text", text: "Hi" }] }]);
  });

  it("leaves diagnostics out on request", async () => {
    await using session = await testSession({ model: new ScriptedModel(say("Hello.")), agents: { Root: {} } });
    const outputs = await session.send("Hi", { config: { excludeDiagnosticInfo: true } });
    assert.deepEqual(
      outputs.map(({ turnCompleted, diagnosticInfo }) => [turnCompleted, diagnosticInfo]),
      [[true, undefined]],
    );
  });

  it("is stored whole before turn_completed is sent", async () => {
    await using session = await testSession({ model: new ScriptedModel(say("Hello.")), agents: { Root: {} } });
    for await (const event of session.events("Hi")) {
      const turns = await session.storage.conversations.getTurns(CONVERSATION);
      assert.equal(turns.length, event.kind === "turn-completed" ? 1 : 0);
      if (event.kind !== "turn-completed") continue;
      const stored = fromBinary(Conversation_TurnSchema, turns[0]?.body ?? new Uint8Array());
      assert.deepEqual(stored.messages, event.messages);
      assert.deepEqual(stored.rootSpan, event.rootSpan);
      assert.equal(turns[0]?.text, "Hi\nHello.");
    }
    const head = await session.storage.conversations.getHead(CONVERSATION);
    assert.deepEqual(
      [head?.app, head?.turnCount, head?.inputTypes, head?.source],
      [TEST_APP, 1, [Conversation_InputType.TEXT], 1],
    );
  });

  it("streams model text and does not repeat it", async () => {
    await using session = await testSession({ model: new ScriptedModel(say("Hel", "lo.")), agents: { Root: {} } });
    const seen: unknown[] = [];
    for await (const event of session.events("Hi", { streamText: true })) {
      if (event.kind === "text-delta") seen.push(event.text);
      if (event.kind === "output") seen.push([event.output.outputType.value, event.alreadyStreamed]);
    }
    assert.deepEqual(seen, ["Hel", "lo.", ["Hello.", true]]);
  });

  it("gives the model an error for a tool that does not exist instead of failing", async () => {
    const model = new ScriptedModel(call("launch"), say("I cannot."));
    await using session = await testSession({ model, agents: { Root: {} } });
    assert.deepEqual(spoken(await session.send("Launch")), ["I cannot."]);
    assert.deepEqual(model.requests[1]?.messages.slice(1), [
      { role: "model", parts: [{ kind: "function-call", id: "call-launch", name: "launch", args: {} }] },
      {
        role: "user",
        parts: [
          {
            kind: "function-response",
            id: "call-launch",
            name: "launch",
            response: { status: "error", error: "Tool not found: launch" },
          },
        ],
      },
    ]);
  });

  it("rejects the eleventh model call with the hosted message and stores nothing", async () => {
    const model = new ScriptedModel(...Array.from({ length: 10 }, () => call("again")));
    await using session = await testSession({ model, agents: { Root: {} } });
    await assert.rejects(session.send("Go"), (error: unknown) => {
      assert.ok(error instanceof ConnectError);
      assert.equal(error.code, Code.InvalidArgument);
      assert.equal(error.rawMessage, "Agent has reached the limit of 10 reasoning loops for the input.");
      return true;
    });
    assert.equal(await session.storage.conversations.getHead(CONVERSATION), undefined);
  });
});

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

describe("a client function", () => {
  const sketch = { agents: { Root: { tools: ["pick_seat"] } }, tools: [clientTool("pick_seat")] };

  it("is sent to the client, waits, and continues with the client's result", async () => {
    const model = new ScriptedModel([...say("Choose."), ...call("pick_seat", { row: 4 })], say("Seat 4A it is."));
    await using session = await testSession({ model, ...sketch });
    const asked = await session.send("A seat please");
    assert.equal(asked[0]?.outputType.value, "Choose.");
    const calls = asked[1]?.outputType.case === "toolCalls" ? asked[1].outputType.value.toolCalls : [];
    assert.deepEqual(
      calls.map(({ id, displayName, args, toolIdentifier }) => [id, displayName, args, toolIdentifier]),
      [["call-pick_seat", "pick_seat", { row: 4 }, { case: "tool", value: toolResource("pick_seat") }]],
    );
    const toolResponses = [{ id: "call-pick_seat", response: { output: "4A" } }];
    const answered = await session.send([{ case: "toolResponses", value: { toolResponses } }]);
    assert.deepEqual(spoken(answered), ["Seat 4A it is."]);
    assert.equal(answered.at(-1)?.turnIndex, 2);
    assert.deepEqual(model.requests[1]?.messages.at(-1), {
      role: "user",
      parts: [{ kind: "function-response", id: "call-pick_seat", name: "pick_seat", response: { output: "4A" } }],
    });
  });

  it("rejects a tool response that no call waits for", async () => {
    const model = new ScriptedModel(call("pick_seat"));
    await using session = await testSession({ model, ...sketch });
    await session.send("A seat please");
    const toolResponses = [{ id: "other", response: {} }];
    await assert.rejects(
      session.send([{ case: "toolResponses", value: { toolResponses } }]),
      (error: unknown) => error instanceof ConnectError && error.code === Code.InvalidArgument,
    );
  });

  it("has failed when the user continues without it", async () => {
    const model = new ScriptedModel(call("pick_seat"), say("Never mind then."));
    await using session = await testSession({ model, ...sketch });
    await session.send("A seat please");
    assert.deepEqual(spoken(await session.send("Forget it")), ["Never mind then."]);
    assert.deepEqual(model.requests[1]?.messages.at(-1)?.parts, [
      {
        kind: "function-response",
        id: "call-pick_seat",
        name: "pick_seat",
        response: {
          status: "error",
          error: "The client did not answer the call of pick_seat; the user went on instead.",
        },
      },
      { kind: "text", text: "Forget it" },
    ]);
  });

  it("is sent again while part of the results is missing", async () => {
    const model = new ScriptedModel(
      [...call("pick_seat", {}, "a"), ...call("pick_seat", {}, "b")],
      say("Both are booked."),
    );
    await using session = await testSession({ model, ...sketch });
    await session.send("Two seats");
    const answer = (id: string) => [
      { case: "toolResponses" as const, value: { toolResponses: [{ id, response: {} }] } },
    ];
    const half = await session.send(answer("a"));
    const calls = half[0]?.outputType.case === "toolCalls" ? half[0].outputType.value.toolCalls : [];
    assert.deepEqual(
      calls.map(({ id }) => id),
      ["b"],
    );
    assert.deepEqual(spoken(await session.send(answer("b"))), ["Both are booked."]);
  });
});

describe("a session", () => {
  const agents = { Root: { children: ["Billing"], instruction: "Speak to {{name}}. Status: {status}." }, Billing: {} };
  const variables = { name: "Ana", status: "new" };

  it("continues after a restart with the same prompt as without one", async () => {
    const script = () =>
      new ScriptedModel(call("transfer_to_agent", { agent_name: "Billing" }), say("Yes?"), say("Done."));
    const prompts: unknown[] = [];
    for (const restarts of [false, true]) {
      const model = script();
      await using session = await testSession({ model, agents, variables });
      await session.send([
        { case: "variables", value: { status: "gold", unknown: 1 } },
        { case: "text", value: "Hi" },
      ]);
      if (restarts) await session.restart();
      assert.equal((await session.send("Go on")).at(-1)?.turnIndex, 2);
      prompts.push(model.requests.map(({ system, messages }) => ({ system, messages })));
    }
    assert.deepEqual(prompts[1], prompts[0]);
  });

  it("runs the turns of one session one after the other, and other sessions meanwhile", async () => {
    const order: string[] = [];
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const model = new ScriptedModel(
      async () => {
        await gate;
        order.push("first");
        return say("1");
      },
      () => {
        order.push("other");
        return say("3");
      },
      () => {
        order.push("second");
        return say("2");
      },
    );
    await using session = await testSession({ model, agents: { Root: {} } });
    const first = session.send("a");
    while (model.requests.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const second = session.send("b");
    await session.send("c", { session: "elsewhere" });
    open();
    assert.deepEqual([...spoken(await first), ...spoken(await second)], ["1", "2"]);
    assert.deepEqual(order, ["other", "first", "second"]);
    assert.deepEqual(
      model.requests[2]?.messages.flatMap(({ parts }) => parts),
      ["a", "1", "b"].map((text) => ({ kind: "text", text })),
    );
    await session.engine.drained();
  });

  it("stores nothing of an aborted turn and lets the next one run", async () => {
    const controller = new AbortController();
    const model = new ScriptedModel((_request, { signal }) => {
      controller.abort(new Error("gone"));
      signal.throwIfAborted();
      return say("never");
    }, say("Here."));
    await using session = await testSession({ model, agents: { Root: {} } });
    await assert.rejects(session.send("Hi", { signal: controller.signal }), /gone/);
    assert.equal(await session.storage.conversations.getHead(CONVERSATION), undefined);
    const outputs = await session.send("Again");
    assert.deepEqual(spoken(outputs), ["Here."]);
    assert.equal(outputs[0]?.turnIndex, 1);
    assert.deepEqual(model.requests[1]?.messages, [{ role: "user", parts: [{ kind: "text", text: "Again" }] }]);
  });

  it("stores nothing of a turn whose reader left the loop", async () => {
    const model = new ScriptedModel(say("One.", "Two."), say("Here."));
    await using session = await testSession({ model, agents: { Root: {} } });
    for await (const event of session.events("Hi", { streamText: true })) {
      if (event.kind === "text-delta") break;
    }
    await session.engine.drained();
    assert.equal(await session.storage.conversations.getHead(CONVERSATION), undefined);
    assert.deepEqual(spoken(await session.send("Again")), ["Here."]);
  });

  it("starts anew after its conversation was deleted", async () => {
    const model = new ScriptedModel(say("1"), say("2"));
    await using session = await testSession({ model, agents: { Root: {} } });
    await session.send("a");
    await session.storage.conversations.remove([CONVERSATION]);
    assert.equal((await session.send("b"))[0]?.turnIndex, 1);
    assert.deepEqual(model.requests[1]?.messages, [{ role: "user", parts: [{ kind: "text", text: "b" }] }]);
  });

  it("that another server continued is continued from there", async () => {
    const model = new ScriptedModel(say("1"), say("2"), say("3"));
    await using session = await testSession({ model, agents: { Root: {} } });
    await session.send("a");
    await session.send("b", { engine: session.anotherEngine() });
    assert.equal((await session.send("c"))[0]?.turnIndex, 3);
    assert.deepEqual(
      model.requests[2]?.messages.flatMap(({ parts }) => parts),
      ["a", "1", "b", "2", "c"].map((text) => ({ kind: "text", text })),
    );
  });

  it("gives a turn up when another server stored one meanwhile", async () => {
    const other: { engine?: SessionEngine } = {};
    const model = new ScriptedModel(
      async () => {
        await session.send("from elsewhere", { engine: other.engine });
        return say("late");
      },
      say("early"),
      say("fine"),
    );
    await using session = await testSession({ model, agents: { Root: {} } });
    other.engine = session.anotherEngine();
    await assert.rejects(
      session.send("a"),
      (error: unknown) => error instanceof ConnectError && error.code === Code.Aborted,
    );
    assert.equal((await session.send("b"))[0]?.turnIndex, 2);
  });

  it("continues while a turn that waits behind it is aborted", async () => {
    const { promise: gate, resolve: open } = Promise.withResolvers<void>();
    const model = new ScriptedModel(async () => {
      await gate;
      return say("1");
    }, say("3"));
    await using session = await testSession({ model, agents: { Root: {} } });
    const controller = new AbortController();
    const first = session.send("a");
    const second = session.send("b", { signal: controller.signal });
    const third = session.send("c");
    controller.abort(new Error("gone"));
    await assert.rejects(second, /gone/);
    open();
    assert.deepEqual([...spoken(await first), ...spoken(await third)], ["1", "3"]);
    await session.engine.drained();
  });

  it("starts from historical contexts, also after a restart", async () => {
    const model = new ScriptedModel(say("As I said."), say("Yes."));
    await using session = await testSession({ model, agents: { Root: {} } });
    const historicalContexts = [
      { role: "user", chunks: [{ data: { case: "text" as const, value: "Before" } }] },
      { role: "Root", chunks: [{ data: { case: "text" as const, value: "Noted." } }] },
    ];
    await session.send("Hi", { config: { historicalContexts } });
    await session.restart();
    await session.send("Ok");
    assert.deepEqual(
      model.requests.map(({ messages }) =>
        messages.flatMap(({ parts }) => parts.map((part) => "text" in part && part.text)),
      ),
      [
        ["Before", "Noted.", "Hi"],
        ["Before", "Noted.", "Hi", "As I said.", "Ok"],
      ],
    );
  });
});

describe("variables", () => {
  it("fill static placeholders, are state updates for dynamic ones, and stay out of the prompt otherwise", async () => {
    const model = new ScriptedModel(say("ok"), say("ok"));
    const instruction =
      "{{user.name}} {{missing}} {{undeclared}} {status} {undeclared} {@TOOL: find} {@AGENT: Billing}";
    await using session = await testSession({
      model,
      agents: { Root: { instruction } },
      variables: { user: { name: "Ana" }, status: "new", secret: "s3cret", missing: null },
    });
    const outputs = await session.send("Hi");
    await session.send([
      { case: "variables", value: { status: "gold", secret: "t0ken", undeclared: 1 } },
      { case: "text", value: "And now?" },
    ]);
    const [first, second] = model.requests;
    assert.equal(first?.system, "Ana {{missing}} {{undeclared}} {status} {undeclared} find Billing");
    assert.equal(second?.system, first?.system);
    assert.deepEqual(first?.messages, [
      {
        role: "user",
        parts: [
          { kind: "text", text: "<state_update>status: new</state_update>" },
          { kind: "text", text: "Hi" },
        ],
      },
    ]);
    assert.deepEqual(second?.messages.at(-1), {
      role: "user",
      parts: [
        { kind: "text", text: "<state_update>status: gold</state_update>" },
        { kind: "text", text: "And now?" },
      ],
    });
    assert.doesNotMatch(JSON.stringify(model.requests), /s3cret|t0ken/);
    assert.deepEqual(diagnostics(outputs).messages[0]?.chunks[0]?.data, {
      case: "defaultVariables",
      value: { user: { name: "Ana" }, status: "new", secret: "s3cret", missing: null },
    });
  });

  it("that the app does not declare are told in the trace and reach nothing", async () => {
    const model = new ScriptedModel(say("ok"));
    await using session = await testSession({ model, agents: { Root: {} }, variables: { status: "new" } });
    const outputs = await session.send([
      { case: "variables", value: { status: "gold", mood: "good", size: 3 } },
      { case: "text", value: "Hi" },
    ]);
    assert.deepEqual(diagnostics(outputs).rootSpan.attributes?.warnings, [
      "The app declares no variable 'mood', 'size': ignored. Declare what clients may set.",
    ]);
    assert.doesNotMatch(JSON.stringify(model.requests), /mood/);
  });

  it("current_date follows the session's time zone", async () => {
    const model = new ScriptedModel(say("ok"), say("ok"), say("ok"));
    const now = Date.UTC(2026, 10, 20, 23, 30);
    await using session = await testSession({
      model,
      agents: { Root: { instruction: "Today is {{current_date}}." } },
      engine: { clock: { now: () => now } },
    });
    await session.send("a");
    await session.send("b", { config: { timeZone: "Europe/Paris" } });
    await assert.rejects(
      session.send("c", { config: { timeZone: "Mars/Base" } }),
      (error: unknown) => error instanceof ConnectError && error.code === Code.InvalidArgument,
    );
    await session.send("d", { config: { timeZone: "America/New_York" } });
    assert.deepEqual(
      model.requests.map(({ system }) => system),
      ["Today is 2026-11-20.", "Today is 2026-11-21.", "Today is 2026-11-20."],
    );
  });

  it("alone change the state and ask no agent", async () => {
    const model = new ScriptedModel();
    await using session = await testSession({ model, agents: { Root: {} }, variables: { tier: "none" } });
    const outputs = await session.send([{ case: "variables", value: { tier: "gold" } }]);
    assert.deepEqual(spoken(outputs), [{ case: undefined }]);
    assert.deepEqual(shape(diagnostics(outputs).messages), [["user", "defaultVariables", "updatedVariables"]]);
  });
});

describe("inputs", () => {
  it("reach the agent in the platform's forms", async () => {
    const model = new ScriptedModel(say("ok"), say("ok"), say("ok"));
    await using session = await testSession({ model, agents: { Root: {} } });
    await session.send([{ case: "event", value: { event: "WELCOME" } }]);
    await session.send([{ case: "event", value: { event: "sys.no-input" } }]);
    await session.send([
      { case: "dtmf", value: "12#" },
      { case: "image", value: { mimeType: "image/png", data: new Uint8Array([1]) } },
    ]);
    assert.deepEqual(
      model.requests[2]?.messages.filter(({ role }) => role === "user").map(({ parts }) => parts),
      [
        [{ kind: "text", text: "<event>session start</event>" }],
        [{ kind: "text", text: "<event>sys.no-input</event>" }],
        [
          { kind: "text", text: "<context>user pressed 12 on keypad.</context>" },
          { kind: "blob", mimeType: "image/png", data: new Uint8Array([1]) },
        ],
      ],
    );
  });

  it("are rejected with all violations, and change nothing", async () => {
    await using session = await testSession({ model: new ScriptedModel(), agents: { Root: {} } });
    const wrong = session.send([
      { case: "audio", value: new Uint8Array([0]) },
      { case: "text", value: "" },
      { case: "image", value: { mimeType: "image/gif", data: new Uint8Array() } },
    ]);
    await assert.rejects(wrong, (error: unknown) => {
      assert.ok(error instanceof ConnectError);
      assert.equal(
        error.rawMessage,
        "inputs[0].audio: audio needs config.input_audio_config, which says how it is encoded; inputs[1].text: must not be empty; " +
          "inputs[2].image.mime_type: must be one of image/png, image/jpeg, image/webp",
      );
      return true;
    });
    assert.equal(await session.storage.conversations.getHead(CONVERSATION), undefined);
  });
});

describe("a failing model", () => {
  const outage = unavailable("The model is down.");
  const settings = (errorHandlingStrategy: Strategy, more = {}) => ({
    app: { errorHandlingSettings: { errorHandlingStrategy, ...more }, languageSettings: { defaultLanguageCode: "fr" } },
  });

  it("reaches the client and leaves nothing when the app handles nothing", async () => {
    await using session = await testSession({ model: new ScriptedModel(outage), agents: { Root: {} } });
    await assert.rejects(session.send("Hi"), outage);
    assert.equal(await session.storage.conversations.getHead(CONVERSATION), undefined);
  });

  it("is answered with the app's fallback, and ends the session after the last attempt", async () => {
    const fallbackResponseConfig = { customFallbackMessages: { en: "Sorry.", fr: "Désolé." }, maxFallbackAttempts: 1 };
    await using session = await testSession({
      model: new ScriptedModel(outage, say("Ça va."), outage, outage),
      agents: { Root: {} },
      ...settings(Strategy.FALLBACK_RESPONSE, { fallbackResponseConfig }),
    });
    assert.deepEqual(spoken(await session.send("a")), ["Désolé."]);
    assert.deepEqual(spoken(await session.send("b")), ["Ça va."]);
    assert.deepEqual(spoken(await session.send("c")), ["Désolé."]);
    assert.deepEqual(
      (await session.send("d")).map(({ outputType }) => outputType.case),
      ["endSession"],
    );
    assert.equal((await session.storage.conversations.getTurns(CONVERSATION)).length, 4);
  });

  it("ends the session when the app sets that", async () => {
    await using session = await testSession({
      model: new ScriptedModel(outage),
      agents: { Root: {} },
      ...settings(Strategy.END_SESSION, { endSessionConfig: { escalateSession: true } }),
    });
    const [output] = await session.send("Hi");
    assert.deepEqual(output?.outputType.case === "endSession" && output.outputType.value.metadata, {
      reason: "unavailable",
      session_escalated: true,
    });
  });

  it("includes an empty answer, unless something was sent already", async () => {
    const model = new ScriptedModel([], [...say("Let me see."), ...call("nothing")], []);
    await using session = await testSession({ model, agents: { Root: {} } });
    await assert.rejects(session.send("a"), /returned an empty answer/);
    assert.deepEqual(spoken(await session.send("b")), ["Let me see."]);
  });
});
