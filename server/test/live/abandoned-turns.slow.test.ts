import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { type LanguageModel, LLM_CAPABILITIES, type StreamPart } from "#models";
import { call as callTool, ScriptedModel, say, startTestServer, type TestServer } from "#testing";
import { type Rest, restOf } from "../rest.ts";
import { openGrpc } from "./grpc-client.ts";
import { openRaw } from "./raw-client.ts";
import { openWebSocket, WS_PATH } from "./web-socket-client.ts";

const PARENT = "projects/test/locations/us";
const APP = `${PARENT}/apps/orders`;
const FINISH: StreamPart = { kind: "finish", reason: "stop", rawReason: "STOP", usage: {} };

/** A way to say something that can be broken off. */
interface Wire {
  say(server: TestServer, session: string): Promise<{ leave(): void }>;
}

function overRest(method: string): Wire {
  return {
    async say({ address }, session) {
      const stop = new AbortController();
      const request = fetch(`${address}/v1beta/${session}:${method}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ config: { session, enableTextStreaming: true }, inputs: [{ text: "Order a lamp" }] }),
        signal: stop.signal,
      });
      request.catch(() => {}); // It is broken off.
      return { leave: () => stop.abort() };
    },
  };
}

const WIRES: Readonly<Record<string, Wire>> = {
  WebSocket: {
    async say({ address }, session) {
      const client = await openRaw(address, WS_PATH);
      client.send({ config: { session, enableTextStreaming: true } });
      client.send({ realtimeInput: { text: "Order a lamp" } });
      return { leave: () => client.reset() };
    },
  },
  gRPC: {
    async say({ address }, session) {
      const client = openGrpc(address);
      client.send({ config: { session, enableTextStreaming: true } });
      client.say("Order a lamp");
      return { leave: () => client.cancel() };
    },
  },
  runSession: overRest("runSession"),
  streamRunSession: overRest("streamRunSession"),
};

/** A place in an answer where the model waits until it is let go, or stopped. */
function hold() {
  const begun = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<"answered" | "given up">();
  const here = async (signal: AbortSignal) => {
    begun.resolve();
    signal.addEventListener("abort", () => go.resolve());
    await go.promise;
    ended.resolve(signal.aborted ? "given up" : "answered");
  };
  return { here, begun: begun.promise, ended: ended.promise, go: go.resolve };
}

describe("a turn whose client is gone before it ends (TURN-48)", () => {
  let model: LanguageModel;
  let server: TestServer;
  let rest: Rest;
  before(async () => {
    const current: LanguageModel = {
      label: "test/current",
      capabilities: LLM_CAPABILITIES,
      stream: (request, options) => model.stream(request, options),
    };
    server = await startTestServer({ model: current });
    rest = restOf(() => server);
    await rest("POST", `${PARENT}/apps?appId=orders`, { displayName: "Orders" });
    await rest("POST", `${APP}/tools?toolId=place`, {
      pythonFunction: { name: "place", pythonCode: "def place() -> dict:\n  return {'order': 7}\n" },
    });
    const root = { displayName: "Root", instruction: "Take orders.", tools: [`${APP}/tools/place`] };
    await rest("POST", `${APP}/agents?agentId=root-agent`, root);
    await rest("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/root-agent` });
  });
  after(() => server[Symbol.asyncDispose]());

  const conversationOf = (session: string) => session.replace("/sessions/", "/conversations/");
  /** The stored turns, once no turn runs. */
  const turnsOf = async (session: string): Promise<string> => {
    await delay(50); // The server has noticed that the client is gone.
    await server.app.sessions.drained();
    const found = await fetch(`${server.address}/v1beta/${conversationOf(session)}`);
    return found.status === 404 ? "" : JSON.stringify(await found.json());
  };

  for (const [name, wire] of Object.entries(WIRES)) {
    it(`goes on to its end and is stored when a tool has run: ${name}`, async () => {
      const held = hold();
      model = new ScriptedModel(callTool("place"), async (_request, { signal }) => {
        await held.here(signal);
        return say("Order 7 is placed.");
      });
      const session = `${APP}/sessions/${randomUUID()}`;
      const client = await wire.say(server, session);
      await held.begun;
      client.leave();
      await delay(50);
      held.go();
      assert.equal(await held.ended, "answered");
      assert.match(await turnsOf(session), /Order a lamp.*"order":7.*Order 7 is placed\./);
      await using again = await openWebSocket(server.address);
      model = new ScriptedModel(say("It is on its way."));
      again.send({ config: { session } });
      again.say("And my lamp?");
      assert.equal((await again.turn()).at(-1)?.sessionOutput?.turnIndex, 2);
    });

    it(`is given up when nothing of it has happened yet: ${name}`, async () => {
      const held = hold();
      model = new ScriptedModel(async (_request, { signal }) => {
        await held.here(signal);
        return say("Nobody waits for this.");
      });
      const session = `${APP}/sessions/${randomUUID()}`;
      const client = await wire.say(server, session);
      await held.begun;
      client.leave();
      assert.equal(await held.ended, "given up");
      assert.equal(await turnsOf(session), "");
    });
  }

  for (const name of ["WebSocket", "gRPC", "streamRunSession"])
    it(`goes on to its end and is stored when a part of the answer has been sent: ${name}`, async () => {
      const held = hold();
      model = {
        label: "test/pieces",
        capabilities: LLM_CAPABILITIES,
        async *stream(_request, { signal }) {
          yield { kind: "text-delta", text: "A lamp " };
          await held.here(signal);
          yield* [...say("costs 20."), FINISH];
        },
      };
      const session = `${APP}/sessions/${randomUUID()}`;
      const client = await (WIRES[name] as Wire).say(server, session);
      await held.begun;
      client.leave();
      await delay(50);
      held.go();
      assert.equal(await held.ended, "answered");
      assert.match(await turnsOf(session), /A lamp costs 20\./);
    });
});
