import assert from "node:assert/strict";
import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { modelsConfigFrom } from "#models";
import { startTestServer, type TestServer } from "#testing";
import { appOfOneAgent, say } from "./app-of-one-agent.ts";

/** A provider that misbehaves on a real socket, and a server whose only model it is. */
async function withProvider(
  listener: RequestListener,
): Promise<{ server: TestServer; provider: Server; app: string } & AsyncDisposable> {
  const provider = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => provider.once("listening", resolve));
  const baseUrl = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/v1beta`;
  const models = modelsConfigFrom({
    environment: {},
    file: { providers: { google: { type: "gemini", apiKey: "secret-key", baseUrl } }, retries: { attempts: 1 } },
  });
  const server = await startTestServer({ config: { models } });
  const app = await appOfOneAgent(
    server,
    "one-agent",
    { instruction: "Answer." },
    { modelSettings: { model: "gemini-2.5-flash" } as never },
  );
  return {
    server,
    provider,
    app,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      provider.closeAllConnections();
      provider.close();
    },
  };
}

const json =
  (body: unknown): RequestListener =>
  (_, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));

const CASES: readonly (readonly [title: string, listener: RequestListener, says: RegExp])[] = [
  ["answers HTTP 500", (_, response) => response.writeHead(500).end("upstream is down"), /500/],
  [
    "refuses the key",
    (_, response) => response.writeHead(403).end('{"error":{"message":"key is bad"}}'),
    /key is bad|403/,
  ],
  [
    "answers something that is not JSON",
    (_, response) => response.writeHead(200, { "content-type": "application/json" }).end("<html>"),
    /gemini/i,
  ],
  ["answers nothing", json({ candidates: [] }), /empty|nothing|no /i],
];

describe("a model that", () => {
  for (const [title, listener, says] of CASES) {
    it(`${title} gives a clear status, and nothing of the turn is stored`, async () => {
      await using product = await withProvider(listener);
      const { status, json: answer } = await say(product.server, product.app, "model-failure", "hello");
      assert.ok(status >= 400, JSON.stringify(answer));
      assert.match(answer.error.message, says);
      assert.ok(!JSON.stringify(answer).includes("secret-key"));
      const stored = await fetch(`${product.server.address}/v1beta/${product.app}/conversations/model-failure`);
      assert.equal(stored.status, 404);
    });
  }

  it("calls a tool that does not exist gets an error and may answer", async () => {
    let calls = 0;
    const part = () =>
      ++calls === 1 ? { functionCall: { name: "no_such_tool", args: {} } } : { text: "I cannot do that." };
    const listener: RequestListener = (request, response) =>
      json({ candidates: [{ content: { role: "model", parts: [part()] }, finishReason: "STOP" }] })(request, response);
    await using product = await withProvider(listener);
    const { json: answer } = await say(product.server, product.app, "model-nonsense", "hello");
    assert.equal(answer.outputs[0].text, "I cannot do that.");
    assert.match(JSON.stringify(answer.outputs.at(-1).diagnosticInfo.messages), /Tool not found: no_such_tool/);
  });
});
