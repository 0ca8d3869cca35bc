import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Schema_Type as Type } from "@frontdesk/protos/ces/schema";
import type { SessionEngine } from "#session";
import { Code, ConnectError } from "#status";
import { CONVERSATION, call, diagnostics, ScriptedModel, say, shape, spoken, testSession } from "#testing/engine";

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

  it("that are not of their declared types are kept as they came, and told in the trace (TURN-71)", async () => {
    const model = new ScriptedModel(say("ok"));
    const declared = {
      count: Type.INTEGER,
      price: Type.NUMBER,
      member: Type.BOOLEAN,
      order: Type.OBJECT,
      tags: Type.ARRAY,
    };
    const variableDeclarations = Object.entries(declared).map(([name, type]) => ({ name, schema: { type } }));
    await using session = await testSession({
      model,
      agents: { Root: { instruction: "{{count}} {{price}}" } },
      app: { variableDeclarations },
    });
    const outputs = await session.send([
      { case: "variables", value: { count: "3", price: 4, member: null, order: [], tags: { a: 1.5 } } },
      { case: "text", value: "Hi" },
    ]);
    assert.deepEqual(diagnostics(outputs).rootSpan.attributes?.warnings, [
      "The client gave variable 'count' a string, declared as INTEGER: it is kept as it came.",
      "The client gave variable 'order' a list, declared as OBJECT: it is kept as it came.",
      "The client gave variable 'tags' an object, declared as ARRAY: it is kept as it came.",
    ]);
    assert.equal(model.requests[0]?.system, "3 4");
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
    for (const timeZone of ["Mars/Base", "+02:00"])
      await assert.rejects(
        session.send("c", { config: { timeZone } }),
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
