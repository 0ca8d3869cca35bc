import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, it } from "node:test";
import { status } from "@grpc/grpc-js";
import type { ModelRequest, StreamOptions, StreamPart } from "#models";
import { call as callTool, ScriptedModel, say, startTestServer, type TestServer } from "#testing";
import { openGrpc } from "./grpc-client.ts";
import { textOf } from "./messages.ts";
import { openRaw } from "./raw-client.ts";
import { openWebSocket, WS_PATH } from "./web-socket-client.ts";

const PARENT = "projects/test/locations/us";
const APP = `${PARENT}/apps/one-agent`;
const newSession = () => `${APP}/sessions/${randomUUID()}`;

/** A server with an app of one agent that says what the model says. */
async function serverWith(model: ScriptedModel, config = {}): Promise<TestServer> {
  const server = await startTestServer({ model, config });
  await call(server, "POST", `${PARENT}/apps?appId=one-agent`, { displayName: "One agent" });
  await call(server, "POST", `${APP}/agents?agentId=root-agent`, { displayName: "Root", instruction: "Be kind." });
  await call(server, "PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/root-agent` });
  return server;
}

async function call(server: TestServer, method: string, path: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${server.address}/v1beta/${path}`, { method, headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(await response.text());
}

/** Turns of a session's conversation, as stored; 0 when there is none. */
async function storedTurns(server: TestServer, session: string): Promise<number> {
  const response = await fetch(`${server.address}/v1beta/${session.replace("/sessions/", "/conversations/")}`);
  if (response.status === 404) return 0;
  return ((await response.json()) as { turnCount: number }).turnCount;
}

/** An answer that waits until it is let go, or given up; says when it began and how it ended. */
function heldAnswer(...text: readonly string[]) {
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<"answered" | "given up">();
  const answer = async (_request: ModelRequest, { signal }: StreamOptions): Promise<readonly StreamPart[]> => {
    begun.resolve();
    signal.addEventListener("abort", () => release.resolve());
    await release.promise;
    ended.resolve(signal.aborted ? "given up" : "answered");
    return say(...text);
  };
  return { answer, begun: begun.promise, ended: ended.promise, release: () => release.resolve() };
}

describe("a client that disconnects in the middle of a turn", () => {
  it("leaves no half turn behind over WebSocket, and the session continues", async () => {
    const held = heldAnswer("Nobody hears this.");
    await using server = await serverWith(new ScriptedModel(held.answer, say("Hello.")));
    const session = newSession();
    const client = await openRaw(server.address, WS_PATH);
    client.send({ config: { session } });
    client.send({ realtimeInput: { text: "Hi" } });
    await held.begun;
    client.reset();
    assert.equal(await held.ended, "given up");
    assert.equal(await storedTurns(server, session), 0);
    await using again = await openWebSocket(server.address);
    again.send({ config: { session } });
    again.say("Hi");
    assert.equal((await again.turn()).at(-1)?.sessionOutput?.turnIndex, 1);
  });

  it("leaves no half turn behind over gRPC", async () => {
    const held = heldAnswer("Nobody hears this.");
    await using server = await serverWith(new ScriptedModel(held.answer));
    const session = newSession();
    await using client = openGrpc(server.address);
    client.send({ config: { session } });
    client.say("Hi");
    await held.begun;
    client.cancel();
    assert.equal(await held.ended, "given up");
    assert.equal(await storedTurns(server, session), 0);
  });

  it("is answered completely when it half-closed before: the turn is stored whole", async () => {
    const held = heldAnswer("Hello.");
    await using server = await serverWith(new ScriptedModel(held.answer));
    const session = newSession();
    const client = await openWebSocket(server.address);
    client.send({ config: { session } });
    client.say("Hi");
    await held.begun;
    client.halfClose();
    await client.closed;
    held.release();
    assert.equal(await held.ended, "answered");
    await server.app.sessions.drained();
    assert.equal(await storedTurns(server, session), 1);
  });

  it("does not disturb another client of the same session", async () => {
    const held = heldAnswer("Nobody hears this.");
    await using server = await serverWith(new ScriptedModel(held.answer, say("Hello.")));
    const session = newSession();
    const leaving = await openRaw(server.address, WS_PATH);
    leaving.send({ config: { session } });
    leaving.send({ realtimeInput: { text: "Hi" } });
    await held.begun;
    await using staying = openGrpc(server.address);
    staying.send({ config: { session } });
    staying.say("Hi");
    leaving.reset();
    assert.equal((await staying.turn())[0]?.sessionOutput?.text, "Hello.");
  });
});

describe("a server that stops", () => {
  it("lets the running turn end, sends everybody go_away, and closes cleanly", async () => {
    const held = heldAnswer("Hello.");
    const server = await serverWith(new ScriptedModel(held.answer), { live: { goAwayMs: 20 } });
    await using resting = openGrpc(server.address);
    resting.send({ config: { session: newSession() } });
    resting.send({ realtimeInput: { variables: {} } });
    await resting.next(); // The acknowledgement: the conversation is open.
    await using busy = await openWebSocket(server.address);
    busy.send({ config: { session: newSession() } });
    busy.say("Hi");
    await held.begun;
    const stopped = server[Symbol.asyncDispose]();
    assert.ok((await resting.next())?.goAway, "the idle client gets it at once");
    held.release();
    assert.equal((await busy.turn())[0]?.sessionOutput?.text, "Hello.");
    assert.ok((await busy.next())?.goAway, "the busy client gets it after its turn");
    assert.deepEqual(await busy.closed, { code: 1000, reason: "" });
    assert.equal((await resting.status).code, status.OK);
    await stopped;
  });

  it("cuts off a turn that does not end in time", async () => {
    const held = heldAnswer("Too late.");
    const server = await serverWith(new ScriptedModel(held.answer), { drainMs: 50 });
    const client = await openWebSocket(server.address);
    client.send({ config: { session: newSession() } });
    client.say("Hi");
    await held.begun;
    await server[Symbol.asyncDispose]();
    assert.equal(await held.ended, "given up");
    assert.equal((await client.closed).code, 1006);
  });
});

describe("a tool that answers late", () => {
  it("is spoken of on the open stream without being asked", async () => {
    const model = new ScriptedModel(callTool("make_report"), say("I am on it."), say("Your report has three pages."));
    await using server = await serverWith(model);
    await call(server, "POST", `${APP}/tools?toolId=make-report`, {
      executionType: "ASYNCHRONOUS",
      pythonFunction: { name: "make_report", pythonCode: "def make_report() -> dict:\n  return {'pages': 3}\n" },
    });
    await call(server, "PATCH", `${APP}/agents/root-agent?updateMask=tools`, { tools: [`${APP}/tools/make-report`] });
    await using client = await openWebSocket(server.address);
    client.send({ config: { session: newSession() } });
    client.say("Make a report");
    assert.equal(textOf(await client.turn()), "I am on it.");
    assert.equal(textOf(await client.turn()), "Your report has three pages.");
    const last = model.requests.at(-1)?.messages.at(-1);
    assert.match(JSON.stringify(last), /make_report\b.* completed with response .*pages/);
  });
});

describe("a model that fails in the middle of a stream", () => {
  it("ends the stream with the error and leaves the session as it was", async () => {
    const model = new ScriptedModel(new Error("the model broke"), say("Hello."));
    await using server = await serverWith(model);
    const session = newSession();
    await using broken = openGrpc(server.address);
    broken.send({ config: { session } });
    broken.say("Hi");
    assert.equal((await broken.status).code, status.INTERNAL);
    await using again = openGrpc(server.address);
    again.send({ config: { session } });
    again.say("Hi");
    assert.equal((await again.turn()).at(-1)?.sessionOutput?.turnIndex, 1);
  });
});
