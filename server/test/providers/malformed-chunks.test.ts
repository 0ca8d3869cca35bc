// What no third party's mock sends: single malformed chunks. A raw server on loopback plays each provider's API.
import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { modelsConfigFrom } from "#models";
import { startTestServer } from "#testing";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";
import { PROVIDER_TYPES, type ProviderType } from "./mock-provider.ts";
import { runTurn } from "./run-turn.ts";

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;

/** The beginning of a response, in each provider's format. */
const WORDS: Readonly<Record<ProviderType, string>> = {
  gemini: event({ candidates: [{ content: { role: "model", parts: [{ text: "Half a word" }] } }] }),
  openai: event({ choices: [{ index: 0, delta: { content: "Half a word" } }] }),
  anthropic:
    event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }) +
    event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Half a word" } }),
};

/** Malformed chunks that follow it, by their fault. */
const BROKEN: ReadonlyMap<string, string> = new Map([
  ["is no JSON", 'data: {"candidates": [{"content"\n\n'],
  ["is JSON of another shape", 'data: [1, "two", null]\n\n'],
  ["has fields of other types", 'data: {"candidates":"none","choices":7,"type":["x"]}\n\n'],
  ["is of no known kind", "event: weather\ndata: {}\n\n"],
  ["has bytes that are no UTF-8", 'data: {"x":"\u00ff"}\n\n'],
]);

for (const type of PROVIDER_TYPES) {
  describe(`a turn whose model streams a malformed chunk from ${type}`, () => {
    it("fails with the cause, and stores nothing: the words before it are no answer (TURN-77)", async () => {
      const provider = await rawProvider(type);
      try {
        const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
        const providers = { raw: { type, apiKey: "key", baseUrl: url } };
        const file = { default: "raw/any-model", providers, retries: { attempts: 1 } };
        await using server = await startTestServer({ config: { models: modelsConfigFrom({ environment: {}, file }) } });
        const app = await appOfOneAgent(server, "raw-app", { instruction: "Answer." });
        for (const [position, what] of [...BROKEN.keys()].entries()) {
          const session = `broken-${position}`;
          const { error, completed } = await runTurn({ server, app }, "streamRunSession", session, { text: what });
          assert.deepEqual([error?.status, completed], ["UNAVAILABLE", false], what);
          assert.match(
            error?.message ?? "",
            /'raw\/any-model' broke its answer off.*: (a part of it|the stream ended)/,
            what,
          );
          assert.equal((await fetch(`${server.address}/v1beta/${app}/conversations/${session}`)).status, 404, what);
        }
      } finally {
        provider.closeAllConnections();
        provider.close();
      }
    });
  });
}

/** Answers with the words and then the chunk that the user's text names. */
async function rawProvider(type: ProviderType): Promise<Server> {
  const provider = createServer(async (request, response) => {
    const prompt = await textOf(request);
    const chunk = [...BROKEN].find(([what]) => prompt.includes(what))?.[1] ?? "";
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(WORDS[type]);
    response.end(Buffer.from(chunk, "latin1"));
  });
  await new Promise<void>((resolve) => provider.listen(0, "127.0.0.1", resolve));
  return provider;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
