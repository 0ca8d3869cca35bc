import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { BidiSessionServerMessageSchema } from "@frontdesk/protos/ces/session_service";
import { Code, notFound } from "#status";
import { brief, liveSessions, ONE_AGENT, openStream, ScriptedModel, SESSION, say, testSession } from "#testing/engine";
import type { LiveDeps } from "./contract.ts";

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
