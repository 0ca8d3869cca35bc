import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fromBinary } from "@bufbuild/protobuf";
import { ErrorHandlingSettings_ErrorHandlingStrategy as Strategy } from "@frontdesk/protos/ces/app";
import { Conversation_InputType, Conversation_TurnSchema } from "@frontdesk/protos/ces/conversation";
import { createLogger } from "#base";
import { Code, ConnectError, retryMsOf, unavailable } from "#status";
import {
  CONVERSATION,
  call,
  diagnostics,
  ScriptedModel,
  say,
  shape,
  spoken,
  TEST_APP,
  testSession,
  toolResource,
} from "#testing/engine";

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
      // Behind what the turn is marked with (CONV-28).
      assert.match(turns[0]?.text ?? "", /^\S+\nHi\nHello\.$/);
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

  it("that goes in circles is told in the log, step by step, since nothing of it is stored (TURN-3)", async () => {
    const steps: unknown[] = [];
    const warn = (fields: { readonly steps?: unknown }) => steps.push(fields.steps);
    const ids = ["1", "2"].map((id) => `call-${id}`);
    const model = new ScriptedModel(
      call("transfer_to_agent", { agent_name: "Child" }),
      ...ids.map((id) => call("end_session", { reason: "done" }, id)),
    );
    await using session = await testSession({
      model,
      agents: { Root: { children: ["Child"] }, Child: {} },
      engine: { maxModelCalls: 3, logger: Object.assign(createLogger("silent"), { warn }) },
    });
    await assert.rejects(session.send("Go"), /the limit of 3 reasoning loops/);
    const ending = ["Child calls end_session", "end_session fails: Tool not found: end_session"];
    assert.deepEqual(steps, [["Root transfers to Child", ...ending, ...ending]]);
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

  it("says of an empty answer why it is empty, where that is known", async () => {
    const ends = [
      ["length", "max_tokens", "(length): it used all of its tokens before it said anything."],
      ["malformed", "not a JSON object: <html>", "(malformed): not a JSON object: <html>"],
      [
        "safety",
        "PROHIBITED_CONTENT",
        "(safety): the provider blocked it (PROHIBITED_CONTENT), and would block the same conversation again. Send other words, or start a new session.",
      ],
      ["other", "LANGUAGE", "(other): it ended with LANGUAGE. Try again."],
      ["other", "", "(other). Try again."],
      ["stop", "STOP", "(stop). Try again."],
    ] as const;
    const answers = ends.map(([reason, rawReason]) => [{ kind: "finish", reason, rawReason, usage: {} } as const]);
    await using session = await testSession({ model: new ScriptedModel(...answers), agents: { Root: {} } });
    for (const [reason, , why] of ends)
      await assert.rejects(session.send("a"), (error) => {
        assert.ok(error instanceof ConnectError);
        assert.equal(error.rawMessage, `The model test/scripted returned an empty answer ${why}`);
        // Clients call again by themselves what is UNAVAILABLE (TURN-92).
        const isBlocked = reason === "safety";
        assert.equal(error.code, isBlocked ? Code.FailedPrecondition : Code.Unavailable);
        assert.equal(retryMsOf(error), isBlocked ? undefined : 1_000);
        return true;
      });
  });

  it("keeps the words of an answer that is not whole, which the trace says (TURN-79)", async () => {
    const ends = [
      ["length", "max_tokens"],
      ["malformed", "MALFORMED_FUNCTION_CALL: print("],
      ["other", "LANGUAGE"],
    ] as const;
    const answers = ends.map(([reason, rawReason]) => [
      ...say("Words."),
      { kind: "finish", reason, rawReason, usage: {} } as const,
    ]);
    await using session = await testSession({ model: new ScriptedModel(...answers), agents: { Root: {} } });
    for (const [, rawReason] of ends) {
      const outputs = await session.send("a");
      assert.deepEqual(spoken(outputs), ["Words."]);
      const { rootSpan } = diagnostics(outputs);
      assert.ok(JSON.stringify(rootSpan.attributes).includes(`(${rawReason})`), rawReason);
    }
  });

  it("fails of an answer that cannot be read, also when something was said before (TURN-79)", async () => {
    const unread = [{ kind: "finish", reason: "malformed", rawReason: "MALFORMED_FUNCTION_CALL", usage: {} }] as const;
    const model = new ScriptedModel([...say("Let me see."), ...call("nothing")], unread);
    await using session = await testSession({ model, agents: { Root: {} } });
    await assert.rejects(session.send("a"), /empty answer \(malformed\): MALFORMED_FUNCTION_CALL/);
  });
});
