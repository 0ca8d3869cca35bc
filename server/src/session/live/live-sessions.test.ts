import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setImmediate } from "node:timers/promises";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Conversation_Source } from "@frontdesk/protos/ces/conversation";
import {
  type BidiSessionClientMessage,
  BidiSessionClientMessageSchema,
  type BidiSessionServerMessage,
  BidiSessionServerMessageSchema,
  type SessionConfigSchema,
  SessionInputSchema,
} from "@frontdesk/protos/ces/session_service";
import { AsyncQueue, createLogger } from "#base";
import { Code, type ConnectError, notFound } from "#status";
import {
  type AppSketch,
  appSnapshot,
  call,
  ScriptedModel,
  say,
  TEST_APP,
  type TestSession,
  testSession,
  toolResource,
} from "#testing/engine";
import type { LiveDeps, LiveRequest, LiveSessions } from "./contract.ts";
import { createLiveSessions } from "./live-sessions.ts";

const SESSION = `${TEST_APP}/sessions/session-1`;
const ONE_AGENT: AppSketch = { agents: { Root: { instruction: "Be kind." } } };

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

type Config = MessageInitShape<typeof SessionConfigSchema>;
type Input = NonNullable<MessageInitShape<typeof SessionInputSchema>["inputType"]>;

function liveSessions(session: TestSession, deps: Partial<LiveDeps> = {}): LiveSessions {
  return createLiveSessions({ engine: session.engine, logger: createLogger("silent"), ...deps });
}

/** One stream, from the client's side. */
function openStream(live: LiveSessions, sketch: AppSketch = ONE_AGENT, more: Partial<LiveRequest> = {}) {
  const sent = new AsyncQueue<BidiSessionClientMessage>();
  const gone = new AbortController();
  const send = (
    messageType: MessageInitShape<typeof BidiSessionClientMessageSchema>["messageType"] = { case: undefined },
  ) => sent.push(create(BidiSessionClientMessageSchema, { messageType }));
  const received = live.converse(sent, {
    admit: (config) => ({ config, source: Conversation_Source.LIVE }),
    snapshot: async () => ({ snapshot: appSnapshot(sketch), generation: "1", appVersion: "", deployment: "" }),
    signal: gone.signal,
    ...more,
  });
  const next = async (): Promise<BidiSessionServerMessage | undefined> => (await received.next()).value ?? undefined;
  return {
    send,
    config: (config: Config = {}) => send({ case: "config", value: { session: SESSION, ...config } }),
    input: (inputType: Input, willContinue = false) =>
      send({ case: "realtimeInput", value: { inputType, willContinue } }),
    text: (value: string, willContinue = false) =>
      send({ case: "realtimeInput", value: { inputType: { case: "text", value }, willContinue } }),
    halfClose: () => sent.end(),
    disconnect: () => gone.abort(new Error("gone")),
    leave: () => received.return(),
    next,
    /** Messages up to the one that completes a turn, in short. */
    turn: async (): Promise<readonly string[]> => {
      const briefs: string[] = [];
      for (;;) {
        const message = await next();
        briefs.push(brief(message));
        if (!message || isTurnEnd(message)) return briefs;
      }
    },
    /** Messages up to the end of the stream, in short. */
    rest: async (): Promise<readonly string[]> => {
      const briefs: string[] = [];
      for await (const message of received) briefs.push(brief(message));
      return briefs;
    },
    error: async (): Promise<ConnectError> => {
      try {
        for await (const _message of received);
      } catch (error) {
        return error as ConnectError;
      }
      return assert.fail("the stream did not fail");
    },
  };
}

function isTurnEnd({ messageType }: BidiSessionServerMessage): boolean {
  return messageType.case === "sessionOutput" && messageType.value.turnCompleted;
}

/** A message in a word or two. */
function brief(message: BidiSessionServerMessage | undefined): string {
  if (!message) return "(end)";
  const { messageType } = message;
  if (messageType.case !== "sessionOutput") return messageType.case ?? "(nothing)";
  const { outputType, turnIndex, turnCompleted } = messageType.value;
  if (turnCompleted) return `completed ${turnIndex}`;
  return outputType.case === "text" ? outputType.value : (outputType.case ?? "(empty)");
}

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
    stream.input({ case: "toolResponses", value: { toolResponses: [{ id: "call-9", response: {} }] } });
    assert.equal((await stream.error()).code, Code.InvalidArgument);
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

describe("a live stream is rejected", () => {
  /** What ends a stream that begins so. */
  async function errorOf(act: (stream: ReturnType<typeof openStream>) => void, deps: Partial<LiveDeps> = {}) {
    await using session = await testSession({ ...ONE_AGENT, model: new ScriptedModel() });
    const stream = openStream(liveSessions(session, deps));
    act(stream);
    const { code, rawMessage } = await stream.error();
    return [code, rawMessage] as const;
  }

  it("that begins with an input", async () => {
    assert.deepEqual(await errorOf((stream) => stream.text("Hi")), [
      Code.InvalidArgument,
      "config: the first message of the stream must be the config",
    ]);
  });

  it("that ends before its config", async () => {
    assert.equal((await errorOf((stream) => stream.halfClose()))[0], Code.InvalidArgument);
  });

  it("whose config does not come in time", async () => {
    assert.deepEqual(await errorOf(() => {}, { limits: { configMs: 10 } }), [
      Code.FailedPrecondition,
      "No config came within 0.01 seconds. The first message must be the config.",
    ]);
  });

  it("that sends a second config", async () => {
    const second = await errorOf((stream) => {
      stream.config();
      stream.config();
    });
    assert.deepEqual(second, [
      Code.InvalidArgument,
      "config: the config was sent already; it is the first message only",
    ]);
  });

  it("that brings audio to a conversation by text", async () => {
    const audio = await errorOf((stream) => {
      stream.config();
      stream.input({ case: "audio", value: new Uint8Array(320) });
    });
    assert.deepEqual(audio, [
      Code.InvalidArgument,
      "realtime_input.audio: this conversation is by text; one by voice needs input_audio_config in its config message",
    ]);
  });

  it("with audio at a server without speech providers", async () => {
    const [code, message] = await errorOf((stream) =>
      stream.config({ inputAudioConfig: { audioEncoding: 1, sampleRateHertz: 16_000 } }),
    );
    assert.equal(code, Code.FailedPrecondition);
    assert.match(message, /^Set speech\.listen in the configuration file .* no provider of speech to text\./);
  });

  it("whose session has nothing to run, at once", async () => {
    await using session = await testSession({ ...ONE_AGENT, model: new ScriptedModel() });
    const missing = () => Promise.reject(notFound("projects/p/locations/us/apps/nowhere"));
    const stream = openStream(liveSessions(session), ONE_AGENT, { snapshot: missing });
    stream.config();
    assert.equal((await stream.error()).code, Code.NotFound);
  });

  it("when too many are open, until one of them ends", async () => {
    await using session = await testSession({ ...ONE_AGENT, model: new ScriptedModel(say("Hello.")) });
    const live = liveSessions(session, { limits: { maxConversations: 1 } });
    const first = openStream(live);
    first.config();
    first.text("Hi");
    await first.turn();
    assert.equal((await openStream(live).error()).code, Code.ResourceExhausted);
    await first.leave();
    const third = openStream(live);
    third.config();
    third.halfClose();
    assert.deepEqual(await third.rest(), []);
  });
});

describe("a live stream", () => {
  it("is by voice when the server has speech providers", async () => {
    await using session = await testSession({ ...ONE_AGENT, model: new ScriptedModel() });
    const live = liveSessions(session, {
      voice: async function* (connection) {
        const received = await connection.nextInput();
        const transcript = received.kind === "input" ? `${received.input.inputType.case}` : received.kind;
        yield create(BidiSessionServerMessageSchema, {
          messageType: { case: "recognitionResult", value: { transcript } },
        });
      },
    });
    const stream = openStream(live);
    stream.config({ outputAudioConfig: { audioEncoding: 1, sampleRateHertz: 16_000 } });
    stream.input({ case: "audio", value: new Uint8Array(320) });
    const message = await stream.next();
    assert.deepEqual(message?.messageType.value, { ...message?.messageType.value, transcript: "audio" });
    assert.deepEqual(await stream.rest(), []);
  });

  it("passes over messages of a kind that it does not know", async () => {
    await using session = await testSession({ ...ONE_AGENT, model: new ScriptedModel(say("Hello.")) });
    const stream = openStream(liveSessions(session));
    stream.config();
    stream.send();
    stream.text("Hi");
    assert.deepEqual(await stream.turn(), ["Hello.", "completed 1"]);
    await stream.leave();
  });

  it("gets goAway when nobody speaks", async () => {
    await using session = await testSession({ ...ONE_AGENT, model: new ScriptedModel() });
    const stream = openStream(liveSessions(session, { limits: { idleMs: 10, goAwayMs: 10 } }));
    stream.config();
    assert.deepEqual(await stream.rest(), ["goAway"]);
  });

  it("still gets an answer to its last input after goAway", async () => {
    await using session = await testSession({ ...ONE_AGENT, model: new ScriptedModel(say("Hello.")) });
    const stream = openStream(liveSessions(session, { limits: { idleMs: 10 } }));
    stream.config();
    assert.equal(brief(await stream.next()), "goAway");
    stream.text("Hi");
    stream.halfClose();
    assert.deepEqual(await stream.rest(), ["Hello.", "completed 1"]);
  });

  it("gets goAway when the server stops, after the turn that runs", async () => {
    const model = new ScriptedModel(() => {
      live.drain();
      return say("Hello.");
    });
    await using session = await testSession({ ...ONE_AGENT, model });
    const live = liveSessions(session, { limits: { goAwayMs: 10 } });
    const [busy, idle, silent] = [openStream(live), openStream(live), openStream(live)];
    idle.config();
    const idleMessages = idle.rest();
    const rejected = silent.error();
    busy.config();
    busy.text("Hi");
    assert.deepEqual(await busy.rest(), ["Hello.", "completed 1", "goAway"]);
    assert.deepEqual(await idleMessages, ["goAway"]);
    assert.equal((await rejected).code, Code.Unavailable);
    assert.equal((await openStream(live).error()).code, Code.Unavailable);
  });

  it("stores nothing of a turn when its client disconnects before the end", async () => {
    const model = new ScriptedModel(async (_request, { signal }) => {
      stream.disconnect();
      await new Promise((resolve) => (signal.aborted ? resolve(0) : signal.addEventListener("abort", resolve)));
      return say("Nobody hears this.");
    });
    await using session = await testSession({ ...ONE_AGENT, model });
    const stream = openStream(liveSessions(session));
    stream.config();
    stream.text("Hi");
    await stream.error();
    await session.engine.drained();
    assert.equal(await session.storage.conversations.getHead(SESSION.replace("sessions", "conversations")), undefined);
  });

  it("does not delay its turn by reading slowly", async () => {
    await using session = await testSession({ ...ONE_AGENT, model: new ScriptedModel(say("a", "b", "c")) });
    const stream = openStream(liveSessions(session));
    stream.config({ enableTextStreaming: true });
    stream.text("Hi");
    assert.equal(brief(await stream.next()), "a");
    await session.engine.drained();
    const head = await session.storage.conversations.getHead(SESSION.replace("sessions", "conversations"));
    assert.equal(head?.turnCount, 1);
    assert.deepEqual(await stream.turn(), ["b", "c", "completed 1"]);
    await stream.leave();
  });
});
