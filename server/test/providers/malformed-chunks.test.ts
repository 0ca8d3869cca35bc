// What no mock of a third party sends: single broken chunks. A raw server on loopback plays each provider's wire.
import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, it } from "node:test";
import { modelsConfigFrom } from "#models";
import { startTestServer } from "#testing";
import { appOfOneAgent } from "../flows/app-of-one-agent.ts";
import { WIRES, type WireName } from "./mock-provider.ts";
import { runTurn } from "./run-turn.ts";

const event = (data: object) => `data: ${JSON.stringify(data)}\n\n`;

/** The beginning of an answer, as each provider's wire has it. */
const WORDS: Readonly<Record<WireName, string>> = {
  gemini: event({ candidates: [{ content: { role: "model", parts: [{ text: "Half a word" }] } }] }),
  openai: event({ choices: [{ index: 0, delta: { content: "Half a word" } }] }),
  anthropic:
    event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }) +
    event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "Half a word" } }),
};

/** Chunks that follow it, by what is wrong with them. */
const BROKEN: ReadonlyMap<string, string> = new Map([
  ["is no JSON", 'data: {"candidates": [{"content"\n\n'],
  ["is JSON of another shape", 'data: [1, "two", null]\n\n'],
  ["has fields of other types", 'data: {"candidates":"none","choices":7,"type":["x"]}\n\n'],
  ["is of no known kind", "event: weather\ndata: {}\n\n"],
  ["has bytes that are no UTF-8", 'data: {"x":"\u00ff"}\n\n'],
]);

for (const wire of WIRES) {
  describe(`a turn whose model streams over ${wire} a chunk that`, () => {
    it("is broken keeps the words before it and ends", async () => {
      const provider = await rawProvider(wire);
      try {
        const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
        const file = { default: "raw/any-model", providers: { raw: { type: wire, apiKey: "key", baseUrl: url } } };
        await using server = await startTestServer({ config: { models: modelsConfigFrom({ environment: {}, file }) } });
        const app = await appOfOneAgent(server, "raw-app", { instruction: "Answer." });
        for (const [position, what] of [...BROKEN.keys()].entries()) {
          const turn = await runTurn({ server, app }, "streamRunSession", `broken-${position}`, { text: what });
          assert.deepEqual([turn.httpStatus, turn.pieces, turn.completed], [200, ["Half a word"], true], what);
        }
      } finally {
        provider.closeAllConnections();
        provider.close();
      }
    });
  });
}

/** Answers with the words and then the chunk that the user's text names. */
async function rawProvider(wire: WireName): Promise<Server> {
  const provider = createServer(async (request, response) => {
    const prompt = await textOf(request);
    const chunk = [...BROKEN].find(([what]) => prompt.includes(what))?.[1] ?? "";
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(WORDS[wire]);
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
