import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { ExecutionType } from "@frontdesk/protos/ces/common";
import { Conversation_Source } from "@frontdesk/protos/ces/conversation";
import { type BidiSessionClientMessage, BidiSessionClientMessageSchema } from "@frontdesk/protos/ces/session_service";
import { AsyncQueue, createLogger } from "#base";
import { LLM_CAPABILITIES } from "#models";
import {
  agentName,
  appSnapshot,
  call,
  ScriptedModel,
  say,
  spoken,
  TEST_APP,
  testSandbox,
  testSession,
  toolResource,
} from "#testing/engine";
import { createLiveSessions } from "../live/live-sessions.ts";

const sandbox = testSandbox();
after(() => sandbox.close());

const SESSION = `${TEST_APP}/sessions/session-1`;

const python = (name: string, pythonCode: string, more: object = {}) => ({
  name: toolResource(name),
  displayName: name,
  executionType: ExecutionType.ASYNCHRONOUS,
  toolType: { case: "pythonFunction" as const, value: { name, pythonCode } },
  ...more,
});

const REPORT = `def report(days: int) -> dict:
  "Writes a report."
  context.state['reported'] = days
  return {'lines': days}`;

const HANG = "import time\ndef hang() -> str:\n  time.sleep(3)";

/** Resolves when an asynchronous call of the session has ended. */
function ended(session: Awaited<ReturnType<typeof testSession>>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  session.engine.unprompted.subscribe(SESSION, resolve);
  return promise;
}

function lastUserText(model: ScriptedModel, request: number) {
  return model.requests[request]?.messages.at(-1)?.parts.map((part) => (part.kind === "text" ? part.text : part.kind));
}

describe("an asynchronous tool", () => {
  it("answers pending at once, and its result as a text of its own before the next input of the user", async () => {
    const model = new ScriptedModel(call("report", { days: 7 }), say("I am on it."), say("Done: 7 lines."));
    await using session = await testSession({
      model,
      sandbox,
      agents: {
        Root: {
          tools: ["report"],
          afterTool: ["def after_tool_callback(tool, input, context, response):\n  context.state['after'] = response"],
          beforeModel: ["def before_model_callback(c, r):\n  c.state['user'] = c.user_content.parts[0].text"],
        },
      },
      tools: [python("report", REPORT)],
      variables: { reported: undefined, after: undefined, user: undefined },
    });
    const done = ended(session);
    assert.deepEqual(spoken(await session.send("A report, please")), ["I am on it."]);
    assert.deepEqual(model.requests[1]?.messages.at(-1)?.parts, [
      { kind: "function-response", id: "call-report", name: "report", response: { result: "pending" } },
    ]);
    await done;
    const outputs = await session.send("And?");
    assert.deepEqual(spoken(outputs), ["Done: 7 lines."]);
    const text =
      '<context>function [report] completed with response {\n  "result": {\n    "lines": 7\n  }\n}</context>';
    assert.deepEqual(lastUserText(model, 2), [text, "And?"]);
    const messages = outputs.at(-1)?.diagnosticInfo?.messages ?? [];
    assert.deepEqual(
      messages.slice(0, 3).map(({ role, chunks }) => [role, ...chunks.map(({ data }) => data.value)]),
      [
        ["user", { reported: 7 }, text],
        ["user", "And?"],
        ["Root", { user: "And?" }, "Done: 7 lines."],
      ],
    );
  });

  it("that wrote a variable before the client set it does not overwrite what the client says (TURN-91)", async () => {
    for (const clientAnswers of [false, true]) {
      const calls = [...call("report", { days: 7 }), ...(clientAnswers ? call("show_map", {}, "c-1") : [])];
      const model = new ScriptedModel(calls, ...(clientAnswers ? [] : [say("I am on it.")]), say("Done."));
      await using session = await testSession({
        model,
        sandbox,
        agents: { Root: { tools: ["report", "show_map"], instruction: "{reported}" } },
        tools: [
          python("report", REPORT.replace("return", "context.state['other'] = 1\n  return")),
          {
            name: toolResource("show_map"),
            displayName: "show_map",
            toolType: { case: "clientFunction", value: { name: "show_map" } },
          },
        ],
        variables: { reported: undefined, other: undefined },
      });
      const done = ended(session);
      await session.send("A report, please");
      await done;
      const response = {
        id: "c-1",
        toolIdentifier: { case: "tool" as const, value: toolResource("show_map") },
        response: {},
      };
      const outputs = await session.send([
        { case: "variables", value: { reported: 30 } },
        ...(clientAnswers
          ? [{ case: "toolResponses" as const, value: { toolResponses: [response] } }]
          : [{ case: "text" as const, value: "And?" }]),
      ]);
      assert.deepEqual(spoken(outputs), ["Done."]);
      const head = await session.storage.conversations.getHead(`${TEST_APP}/conversations/session-1`);
      assert.deepEqual(JSON.parse(head?.state ?? "").variables, { reported: 30, other: 1 });
      const told = model.requests
        .at(-1)
        ?.messages.flatMap(({ parts }) => parts.map((part) => ("text" in part ? part.text : "")));
      assert.equal(
        told?.findLast((text) => text.startsWith("<state_update>")),
        "<state_update>reported: 30</state_update>",
      );
    }
  });

  it("that still runs is reported in a later turn", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = new ScriptedModel(async () => {
      await promise;
      return call("report", { days: 4 });
    }, say("It is 4."));
    const main = new ScriptedModel(call("ask", { request: "slow" }), say("Wait."), say("Not yet."), say("4."));
    await using session = await testSession({
      model: new ScriptedModel(),
      sandbox,
      agents: { Root: { tools: ["ask"] }, Slow: { instruction: "Slow.", tools: ["report"] } },
      python: { report: REPORT },
      variables: { reported: undefined },
      tools: [
        {
          name: toolResource("ask"),
          displayName: "ask",
          executionType: ExecutionType.ASYNCHRONOUS,
          toolType: { case: "agentTool", value: { name: "ask", agent: agentName("Slow") } },
        },
      ],
      engine: {
        models: {
          resolve: () => ({
            label: "test/by-agent",
            capabilities: LLM_CAPABILITIES,
            // The slow agent's call may come before or after its caller's next one.
            stream: (request, options) =>
              request.system === "Slow." ? slow.stream(request, options) : main.stream(request, options),
          }),
        },
      },
    });
    const done = ended(session);
    assert.deepEqual(spoken(await session.send("Ask")), ["Wait."]);
    assert.deepEqual(main.requests[1]?.messages.at(-1)?.parts.at(-1), {
      kind: "function-response",
      id: "call-ask",
      name: "ask",
      response: { response: "pending" },
    });
    assert.deepEqual(spoken(await session.send("And?")), ["Not yet."]);
    resolve();
    await done;
    const outputs = await session.send("Now?");
    const [, first] = outputs.at(-1)?.diagnosticInfo?.messages[0]?.chunks ?? [];
    assert.equal(first?.data.case, "text");
    assert.deepEqual(outputs.at(-1)?.diagnosticInfo?.messages[0]?.chunks[0]?.data.value, { reported: 4 });
    assert.deepEqual(lastUserText(main, 3), [
      '<context>function [ask] completed with response {\n  "response": "It is 4."\n}</context>',
      "Now?",
    ]);
    main.assertDone();
    slow.assertDone();
  });

  it("may start an unprompted turn, without input of the user", async () => {
    const model = new ScriptedModel(call("report", { days: 1 }), say("On it."), say("One line."));
    await using session = await testSession({
      model,
      sandbox,
      agents: { Root: { tools: ["report"] } },
      tools: [python("report", REPORT)],
      variables: { reported: undefined },
    });
    const { unprompted } = session.engine;
    const done = ended(session);
    await session.send("Report");
    await done;
    const inputs = unprompted.take(SESSION);
    assert.deepEqual(spoken(await session.send(inputs?.map(({ inputType }) => inputType) ?? [])), ["One line."]);
    assert.equal(unprompted.take(SESSION), undefined);
  });

  it("is spoken of on an open stream as soon as it has ended", async () => {
    const tools = [python("report", REPORT)];
    const sketch = { agents: { Root: { tools: ["report"] } }, tools, variables: { reported: undefined } };
    const model = new ScriptedModel(call("report", { days: 2 }), say("On it."), say("Two lines."));
    await using session = await testSession({ model, sandbox, ...sketch });
    const live = createLiveSessions({
      engine: session.engine,
      unprompted: session.engine.unprompted,
      logger: createLogger("silent"),
    });
    const sent = new AsyncQueue<BidiSessionClientMessage>();
    const config = { case: "config" as const, value: { session: SESSION } };
    const input = { case: "realtimeInput" as const, value: { inputType: { case: "text" as const, value: "Report" } } };
    for (const messageType of [config, input]) sent.push(create(BidiSessionClientMessageSchema, { messageType }));
    const received = live.converse(sent, {
      admit: (given) => ({ config: given, source: Conversation_Source.LIVE }),
      snapshot: async () => ({ snapshot: appSnapshot(sketch), generation: "1", appVersion: "", deployment: "" }),
      signal: new AbortController().signal,
    });
    const texts: string[] = [];
    for await (const { messageType } of received) {
      if (messageType.case !== "sessionOutput") continue;
      const { outputType, turnCompleted, turnIndex } = messageType.value;
      if (outputType.case === "text") texts.push(outputType.value);
      if (turnCompleted && turnIndex === 2) break;
    }
    assert.deepEqual(texts, ["On it.", "Two lines."]);
  });

  it("that fails or times out is reported as failed", async () => {
    const model = new ScriptedModel(
      [...call("crash", {}, "call-1"), ...call("hang", {}, "call-2")],
      say("Wait."),
      say("Both failed."),
    );
    await using session = await testSession({
      model,
      sandbox,
      agents: { Root: { tools: ["crash", "hang"] } },
      tools: [
        python("crash", "def crash() -> str:\n  raise ValueError('no')"),
        python("hang", "import time\ndef hang() -> str:\n  time.sleep(20)", { timeout: { nanos: 300_000_000 } }),
      ],
    });
    let left = 2;
    const { promise, resolve } = Promise.withResolvers<void>();
    session.engine.unprompted.subscribe(SESSION, () => --left === 0 && resolve());
    await session.send("Go");
    await promise;
    await session.send("And?");
    const [crash, hang] = lastUserText(model, 2) ?? [];
    assert.match(
      crash ?? "",
      /^<context>function \[crash\] failed with error \{\n {2}"status": "error",\n {2}"error": "Python function execution failed: ValueError: no/,
    );
    assert.match(hang ?? "", /^<context>function \[hang\] failed with error [\s\S]*Code execution timed out/);
  });

  it("is reported as failed when the server stopped meanwhile", async () => {
    const model = new ScriptedModel(call("hang"), say("Wait."), say("It is lost."));
    await using session = await testSession({
      model,
      sandbox,
      agents: { Root: { tools: ["hang"] } },
      tools: [python("hang", HANG)],
    });
    await session.send("Go");
    await session.restart();
    await session.send("And?");
    assert.match(
      lastUserText(model, 2)?.[0] ?? "",
      /failed with error [\s\S]*The server stopped before the call ended/,
    );
  });

  it("that a stopped server ran is spoken of on the next stream, before the user says anything (TOOL-66)", async () => {
    const sketch = { agents: { Root: { tools: ["hang"] } }, tools: [python("hang", HANG)] };
    const model = new ScriptedModel(call("hang"), say("Wait."), say("It is lost."));
    await using session = await testSession({ model, sandbox, ...sketch });
    await session.send("Go");
    await session.restart();
    const live = createLiveSessions({
      engine: session.engine,
      unprompted: session.engine.unprompted,
      logger: createLogger("silent"),
    });
    const sent = new AsyncQueue<BidiSessionClientMessage>();
    sent.push(create(BidiSessionClientMessageSchema, { messageType: { case: "config", value: { session: SESSION } } }));
    const received = live.converse(sent, {
      admit: (given) => ({ config: given, source: Conversation_Source.LIVE }),
      snapshot: async () => ({ snapshot: appSnapshot(sketch), generation: "1", appVersion: "", deployment: "" }),
      signal: new AbortController().signal,
    });
    const { value } = await received.next();
    const output = value?.messageType.case === "sessionOutput" ? value.messageType.value.outputType : undefined;
    assert.deepEqual(output, { case: "text", value: "It is lost." });
    assert.match(lastUserText(model, 2)?.[0] ?? "", /\[hang\] failed with error [\s\S]*an effect is not known/);
    await received.return();
  });

  it("whose fake is honoured answers at once", async () => {
    const fake = {
      enableFakeMode: true,
      toolResponse: {
        case: "codeBlock" as const,
        value: { pythonCode: "def fake_tool_call(t, i, c): return {'fake': True}" },
      },
    };
    const model = new ScriptedModel(call("report", { days: 1 }), say("Done."));
    await using session = await testSession({
      model,
      sandbox,
      agents: { Root: { tools: ["report"] } },
      tools: [python("report", REPORT, { toolFakeConfig: fake })],
    });
    await session.send("Go", { config: { useToolFakes: true } });
    assert.deepEqual(model.requests[1]?.messages.at(-1)?.parts, [
      { kind: "function-response", id: "call-report", name: "report", response: { result: { fake: true } } },
    ]);
  });

  it("of a turn that failed is stopped with it", async () => {
    const model = new ScriptedModel(call("report", { days: 1 }), new Error("model bug"), say("Hello."));
    await using session = await testSession({
      model,
      sandbox,
      agents: { Root: { tools: ["report"] } },
      tools: [python("report", REPORT)],
    });
    await assert.rejects(session.send("Go"), /model bug/);
    await session.send("Hi");
    assert.deepEqual(lastUserText(model, 2), ["Hi"]);
  });
});
