import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { call, ScriptedModel, say, startTestServer, type TestServer } from "#testing";
import { openWebSocket } from "../live/web-socket-client.ts";
import { restOf } from "../rest.ts";
import { type EchoServer, startEchoServer } from "./echo-server.ts";
import { documentOf } from "./tool-bench.ts";

const PARENT = "projects/shop/locations/us";
const APP = `${PARENT}/apps/the-desk`;

/** A shop whose answer to an order waits until it is let go. */
let shop: EchoServer;
let ordered: PromiseWithResolvers<void>;
let answered: PromiseWithResolvers<void>;
let dataDir: string;
let server: TestServer;
const send = restOf(() => server);
const model = new ScriptedModel();

const start = async (drainMs: number) => {
  server = await startTestServer({ model, dataDir, config: { egressAllow: ["127.0.0.1"], drainMs } });
};

before(async () => {
  shop = await startEchoServer((_request, response) => {
    ordered.resolve();
    void answered.promise.then(() => response.setHeader("content-type", "application/json").end('{"order":"A-17"}'));
  });
  dataDir = await mkdtemp(join(tmpdir(), "frontdesk-stop-"));
  await start(20_000);
  await send("POST", `${PARENT}/apps?appId=the-desk`, { displayName: "Desk" });
  await send("POST", `${APP}/tools?toolId=order-it`, {
    executionType: "ASYNCHRONOUS",
    openApiTool: {
      name: "order",
      openApiSchema: JSON.stringify(
        documentOf(shop.url, { "/orders": { post: { operationId: "order", responses: {} } } }),
      ),
    },
  });
  await send("POST", `${APP}/agents?agentId=root-agent`, { displayName: "Root", tools: [`${APP}/tools/order-it`] });
  await send("PATCH", `${APP}?updateMask=rootAgent`, { rootAgent: `${APP}/agents/root-agent` });
});
after(async () => {
  await server?.[Symbol.asyncDispose]();
  await shop[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true, force: true });
});

/** A turn after which the order runs on. */
async function order(session: string): Promise<void> {
  ordered = Promise.withResolvers();
  answered = Promise.withResolvers();
  model.extend(call("order", {}), say("Ordered."));
  await turn(session, "Order it");
  await ordered.promise;
}

function turn(session: string, text: string) {
  const name = `${APP}/sessions/${session}`;
  return send("POST", `${name}:runSession`, { config: { session: name }, inputs: [{ text }] });
}

/** What the agent is told of the order. */
const told = () =>
  model.requests
    .at(-1)
    ?.messages.at(-1)
    ?.parts.map((part) => ("text" in part ? part.text : part.kind));

describe("an asynchronous call that runs when the server stops", () => {
  it("is waited for, and the next turn after the start has its result (TOOL-65)", async () => {
    await order("session-1");
    const stopped = server.stop();
    answered.resolve();
    await stopped;
    await start(20_000);
    model.extend(say("It came."));
    await turn("session-1", "And?");
    assert.deepEqual(told(), [
      '<context>function [order] completed with response {\n  "order": "A-17"\n}</context>',
      "And?",
    ]);
  });

  it("is told on the stream that the client opens again, without a word of the user (TOOL-66)", async () => {
    await order("session-2");
    const stopped = server.stop();
    answered.resolve();
    await stopped;
    await start(100);
    model.extend(say("It came."));
    await using stream = await openWebSocket(server.address);
    stream.send({ config: { session: `${APP}/sessions/session-2` } });
    assert.equal((await stream.turn())[0]?.sessionOutput?.text, "It came.");
    assert.deepEqual(told(), ['<context>function [order] completed with response {\n  "order": "A-17"\n}</context>']);
  });

  it("fails when it takes longer than a stop may, and the agent is told that it may have had an effect", async () => {
    await order("session-3");
    await server.stop();
    await start(20_000);
    model.extend(say("I do not know."));
    await turn("session-3", "And?");
    assert.match(told()?.[0] ?? "", /\[order\] failed with error [\s\S]*The server stopped before the call ended/);
    assert.match(told()?.[0] ?? "", /Whether it had an effect is not known/);
  });
});
