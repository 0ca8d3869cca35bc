import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { create } from "@bufbuild/protobuf";
import { Conversation_Source } from "@frontdesk/protos/ces/conversation";
import {
  type BidiSessionClientMessage,
  BidiSessionClientMessageSchema,
  SessionInputSchema,
} from "@frontdesk/protos/ces/session_service";
import { Code } from "#status";
import {
  type AppSketch,
  appSnapshot,
  brief,
  call,
  liveSessions,
  ONE_AGENT,
  openStream,
  ScriptedModel,
  SESSION,
  say,
  testSession,
  toolResource,
} from "#testing/engine";
import type { LiveRequest } from "./contract.ts";

/** An app whose agent ends the session. */
const ENDING: AppSketch = {
  agents: { Root: { tools: ["end_session"] } },
  tools: [
    {
      name: toolResource("end_session"),
      displayName: "end_session",
      toolType: { case: "systemTool", value: { name: "end_session" } },
    },
  ],
};
const ENDS_SESSION = [...say("Bye."), ...call("end_session", { reason: "done" })];

/** A value after everything has run that waits for nothing but the event loop. */
async function afterPendingWork<Value>(value: Value): Promise<Value> {
  for (let round = 0; round < 20; round++) await setImmediate();
  return value;
}

/** A config, then text without end, each message there as soon as it is asked for. */
async function* endlessMessages(): AsyncGenerator<BidiSessionClientMessage, void> {
  yield create(BidiSessionClientMessageSchema, { messageType: { case: "config", value: { session: SESSION } } });
  const text = { inputType: { case: "text", value: "Bye" } } as const;
  for (;;) yield create(BidiSessionClientMessageSchema, { messageType: { case: "realtimeInput", value: text } });
}

const REQUEST_OF_ENDING: LiveRequest = {
  admit: (config) => ({ config, source: Conversation_Source.LIVE }),
  snapshot: async () => ({ snapshot: appSnapshot(ENDING), generation: "1", appVersion: "", deployment: "" }),
  signal: new AbortController().signal,
};

/** The last message that the model got. */
const lastUserText = (model: ScriptedModel): unknown => model.requests.at(-1)?.messages.at(-1);

describe("BidiRunSession", () => {
  it("stays silent after the config and answers the first input", async () => {
    await using session = await testSession({ ...ONE_AGENT, model: new ScriptedModel(say("Hello", " there.")) });
    const stream = openStream(liveSessions(session));
    stream.config();
    stream.text("Hi");
    assert.deepEqual(await stream.turn(), ["Hello there.", "completed 1"]);
    stream.halfClose();
    assert.deepEqual(await stream.rest(), []);
  });

  it("sends messages and trace with the completion alone", async () => {
    await using session = await testSession({ ...ONE_AGENT, model: new ScriptedModel(say("Hello.")) });
    const stream = openStream(liveSessions(session));
    stream.config();
    stream.text("Hi");
    const outputs = [await stream.next(), await stream.next()].map((message) =>
      message?.messageType.case === "sessionOutput" ? message.messageType.value : assert.fail("no output"),
    );
    assert.deepEqual(
      outputs.map(({ diagnosticInfo }) => diagnosticInfo?.messages.length),
      [undefined, 2],
    );
    await stream.leave();
  });

  it("sends text as the model generates it when the client asks for that", async () => {
    await using session = await testSession({ ...ONE_AGENT, model: new ScriptedModel(say("Hel", "lo")) });
    const stream = openStream(liveSessions(session));
    stream.config({ enableTextStreaming: true });
    stream.text("Hi");
    assert.deepEqual(await stream.turn(), ["Hel", "lo", "completed 1"]);
    await stream.leave();
  });

  it("answers inputs that come during a turn after it, in their order", async () => {
    const model = new ScriptedModel(
      () => {
        stream.text("two");
        stream.text("three");
        return say("first");
      },
      say("second"),
      say("third"),
    );
    await using session = await testSession({ ...ONE_AGENT, model });
    const stream = openStream(liveSessions(session));
    stream.config();
    stream.text("one");
    const turns = [await stream.turn(), await stream.turn(), await stream.turn()];
    assert.deepEqual(turns, [
      ["first", "completed 1"],
      ["second", "completed 2"],
      ["third", "completed 3"],
    ]);
    await stream.leave();
  });

  it("answers the input before a half-close, and then ends", async () => {
    await using session = await testSession({ ...ONE_AGENT, model: new ScriptedModel(say("first"), say("second")) });
    const stream = openStream(liveSessions(session));
    stream.config();
    stream.text("one");
    stream.text("two");
    stream.halfClose();
    assert.deepEqual(await stream.rest(), ["first", "completed 1", "second", "completed 2"]);
  });

  it("continues in a new stream where the last one ended", async () => {
    await using session = await testSession({ ...ONE_AGENT, model: new ScriptedModel(say("first"), say("second")) });
    const live = liveSessions(session);
    for (const [index, answer] of ["first", "second"].entries()) {
      const stream = openStream(live);
      stream.config();
      stream.text("Hi");
      stream.halfClose();
      assert.deepEqual(await stream.rest(), [answer, `completed ${index + 1}`]);
    }
  });

  it("gives the agent the history that the client sends", async () => {
    const model = new ScriptedModel(say("Hello again."));
    await using session = await testSession({ ...ONE_AGENT, model });
    const stream = openStream(liveSessions(session));
    stream.config({ historicalContexts: [{ role: "user", chunks: [{ data: { case: "text", value: "I am Ada." } }] }] });
    stream.text("Hi");
    await stream.turn();
    assert.match(JSON.stringify(model.requests[0]?.messages[0]), /I am Ada\./);
    await stream.leave();
  });

  it("keeps the stream open after the session's end until the client half-closes, and ignores what it sends meanwhile", async () => {
    await using session = await testSession({ ...ENDING, model: new ScriptedModel(ENDS_SESSION) });
    const stream = openStream(liveSessions(session, { limits: { endSessionMs: 60_000 } }), ENDING);
    stream.config();
    stream.text("Bye");
    stream.text("Are you there?");
    assert.deepEqual(await stream.turn(), ["Bye.", "endSession", "completed 1"]);
    assert.equal(brief(await stream.next()), "endSession");
    const end = stream.next();
    assert.equal(await Promise.race([end, afterPendingWork("open")]), "open");
    stream.text("Still there?");
    stream.halfClose();
    assert.equal(await end, undefined);
  });

  it("closes the stream after the session's end although the client never stops sending", {
    timeout: 30_000,
  }, async () => {
    await using session = await testSession({ ...ENDING, model: new ScriptedModel(ENDS_SESSION) });
    const live = liveSessions(session, { limits: { endSessionMs: 20 } });
    const received: string[] = [];
    for await (const message of live.converse(endlessMessages(), REQUEST_OF_ENDING)) received.push(brief(message));
    assert.deepEqual(received, ["Bye.", "endSession", "completed 1", "endSession"]);
  });

  it("closes the stream some time after the session's end when the client does not", async () => {
    await using session = await testSession({ ...ENDING, model: new ScriptedModel(ENDS_SESSION) });
    const stream = openStream(liveSessions(session, { limits: { endSessionMs: 20 } }), ENDING);
    stream.config();
    stream.text("Bye");
    assert.deepEqual(await stream.rest(), ["Bye.", "endSession", "completed 1", "endSession"]);
  });
});

describe("the inputs of a live turn", () => {
  it("are joined while more is announced", async () => {
    const model = new ScriptedModel(say("Good."));
    await using session = await testSession({ ...ONE_AGENT, model });
    const stream = openStream(liveSessions(session));
    stream.config();
    stream.text("I am ", true);
    stream.text("well", true);
    stream.text("");
    assert.deepEqual(await stream.turn(), ["Good.", "completed 1"]);
    assert.deepEqual(lastUserText(model), { role: "user", parts: [{ kind: "text", text: "I am well" }] });
    await stream.leave();
  });

  it("are dropped when the client leaves in the middle of a sentence", async () => {
    await using session = await testSession({ ...ONE_AGENT, model: new ScriptedModel() });
    const stream = openStream(liveSessions(session));
    stream.config();
    stream.text("I am ", true);
    stream.halfClose();
    assert.deepEqual(await stream.rest(), []);
    assert.equal(await session.storage.conversations.getHead(SESSION.replace("sessions", "conversations")), undefined);
  });

  it("take variables along that were sent by themselves, which are only acknowledged", async () => {
    const sketch: AppSketch = { agents: { Root: { instruction: "The name is {{name}}." } }, variables: { name: "" } };
    const model = new ScriptedModel(say("Hello Ada."));
    await using session = await testSession({ ...sketch, model });
    const stream = openStream(liveSessions(session), sketch);
    stream.config();
    stream.input({ case: "variables", value: { name: "Ada" } });
    stream.text("Hi");
    assert.deepEqual(await stream.turn(), ["(empty)", "Hello Ada.", "completed 1"]);
    await stream.leave();
  });

  it("begin no turn when they say nothing, and do not end the stream (WIRE-50)", async () => {
    const sketch: AppSketch = { agents: { Root: { instruction: "The name is {{name}}." } }, variables: { name: "" } };
    const model = new ScriptedModel(say("Hello Ada."));
    await using session = await testSession({ ...sketch, model });
    const stream = openStream(liveSessions(session), sketch);
    stream.config();
    stream.text("");
    stream.input({ case: undefined });
    stream.text("", true);
    stream.text("");
    stream.input({ case: "variables", value: { name: "Ada" } });
    stream.text("");
    for (let place = 0; place < 5; place++) assert.equal(brief(await stream.next()), "(empty)");
    stream.text("", true);
    stream.text("Hi");
    assert.deepEqual(await stream.turn(), ["Hello Ada.", "completed 1"]);
    assert.deepEqual(lastUserText(model), { role: "user", parts: [{ kind: "text", text: "Hi" }] });
    await stream.leave();
  });

  it("keep variables without other input for the next stream", async () => {
    const sketch: AppSketch = { agents: { Root: {} }, variables: { name: "" } };
    await using session = await testSession({ ...sketch, model: new ScriptedModel() });
    const stream = openStream(liveSessions(session), sketch);
    stream.config();
    stream.input({ case: "variables", value: { name: "Ada" } });
    stream.halfClose();
    assert.deepEqual(await stream.rest(), ["(empty)"]);
    const head = await session.storage.conversations.getHead(SESSION.replace("sessions", "conversations"));
    assert.deepEqual(JSON.parse(head?.state ?? "{}").variables, { name: "Ada" });
  });

  it("are events, keys and images as well as text", async () => {
    const model = new ScriptedModel(say("a"), say("b"), say("c"));
    await using session = await testSession({ ...ONE_AGENT, model });
    const stream = openStream(liveSessions(session));
    stream.config();
    stream.input({ case: "event", value: { event: "welcome" } });
    stream.input({ case: "dtmf", value: "12#" }, true);
    stream.input({ case: "image", value: { mimeType: "image/png", data: new Uint8Array([1]) } }, true);
    stream.text("What is this?");
    for (let turn = 0; turn < 3; turn++) await stream.turn();
    const seen = JSON.stringify(model.requests.map(({ messages }) => messages.at(-1)));
    assert.match(seen, /session start.*user pressed 12 on keypad.*What is this\?/);
    await stream.leave();
  });

  it("may be results of client functions", async () => {
    const sketch: AppSketch = {
      agents: { Root: { tools: ["look"] } },
      tools: [
        {
          name: toolResource("look"),
          displayName: "look",
          toolType: { case: "clientFunction", value: { name: "look" } },
        },
      ],
    };
    const model = new ScriptedModel(call("look", {}, "call-1"), say("I see."));
    await using session = await testSession({ ...sketch, model });
    const stream = openStream(liveSessions(session), sketch);
    stream.config();
    stream.text("Look");
    assert.deepEqual(await stream.turn(), ["toolCalls", "completed 1"]);
    stream.input({
      case: "toolResponses",
      value: { toolResponses: [{ id: "call-1", response: { output: "a cup" } }] },
    });
    assert.deepEqual(await stream.turn(), ["I see.", "completed 2"]);
    stream.halfClose();
    assert.deepEqual(await stream.rest(), []);
  });

  it("may come in so many messages and be so large, and no more", async () => {
    for (const limits of [{ maxFragments: 3 }, { maxInputSize: 9 }]) {
      await using session = await testSession({ ...ONE_AGENT, model: new ScriptedModel() });
      const stream = openStream(liveSessions(session, { limits }));
      stream.config();
      for (let fragment = 0; fragment < 4; fragment++) stream.text("abc", true);
      assert.equal((await stream.error()).code, Code.ResourceExhausted);
    }
  });

  it("may also come from the server itself, and are answered unprompted", async () => {
    const model = new ScriptedModel(say("first"), say("Your report is ready."));
    await using session = await testSession({ ...ONE_AGENT, model });
    let wake = () => {};
    let waiting: readonly string[] = [];
    const live = liveSessions(session, {
      unprompted: {
        subscribe: (_session, callback) => {
          wake = callback;
          return () => {};
        },
        take: () => {
          const [value] = waiting;
          waiting = [];
          return value === undefined ? undefined : [create(SessionInputSchema, { inputType: { case: "text", value } })];
        },
        follow: async () => {},
      },
    });
    const stream = openStream(live);
    stream.config();
    stream.text("Make a report");
    assert.deepEqual(await stream.turn(), ["first", "completed 1"]);
    const unasked = stream.turn();
    waiting = ["<context>function [report] completed</context>"];
    wake();
    assert.deepEqual(await unasked, ["Your report is ready.", "completed 2"]);
    await stream.leave();
  });
});
