import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import type { JsonObject } from "#base";
import { serveLoopback } from "../__fixtures__/loopback.ts";
import { type OpenTools, openTools, respond, TEST_APP } from "../__fixtures__/open-tools.ts";

let tools: OpenTools;
before(() => {
  tools = openTools();
});
after(() => tools[Symbol.asyncDispose]());

/** An agent at `/rpc` of an origin, that has half a second for an answer. */
function toolOf(origin: string): Tool {
  return create(ToolSchema, {
    name: `${TEST_APP}/tools/stranger`,
    displayName: "stranger",
    timeout: { nanos: 500_000_000 },
    toolType: {
      case: "remoteAgentTool",
      value: {
        name: "stranger",
        agentCard: {
          name: "Stranger",
          supportedInterfaces: [{ url: `${origin}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
        },
      },
    },
  });
}

/** A sequence of numbers from 0 to 1 that is the same in every run. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const NAMES = [
  "task",
  "message",
  "statusUpdate",
  "artifactUpdate",
  "status",
  "state",
  "parts",
  "text",
  "data",
  "raw",
  "id",
];
const MORE_NAMES = [
  "taskId",
  "contextId",
  "artifacts",
  "artifact",
  "history",
  "capabilities",
  "supportedInterfaces",
  "__proto__",
];
const WORDS = [
  "",
  "a",
  "\u0000",
  "TASK_STATE_COMPLETED",
  "TASK_STATE_ASLEEP",
  "ROLE_AGENT",
  "../..",
  "x".repeat(5_000),
];

function randomJson(random: () => number, depth = 0): unknown {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const kind = depth > 5 ? 0 : Math.floor(random() * 6);
  if (kind === 0) return pick(WORDS);
  if (kind === 1) return pick([0, -1, 1e308, null, true]);
  if (kind === 2) return Array.from({ length: Math.floor(random() * 4) }, () => randomJson(random, depth + 1));
  const names = [...NAMES, ...MORE_NAMES];
  return Object.fromEntries(Array.from({ length: 4 }, () => [pick(names), randomJson(random, depth + 1)]));
}

/** A card with members replaced, or something else. */
function damagedCard(random: () => number, address: string): unknown {
  if (random() < 0.2) return randomJson(random);
  const entry = { url: address, protocolBinding: "JSONRPC", protocolVersion: "1.0" };
  const card: Record<string, unknown> = { name: "S", capabilities: { streaming: true }, supportedInterfaces: [entry] };
  const name = Object.keys(card)[Math.floor(random() * 3)] ?? "";
  if (random() < 0.6) card[name] = randomJson(random);
  return card;
}

describe("an agent that is hostile (TOOL-26)", () => {
  it("is reported, or answers: its cards and answers break nothing, whatever they are", async () => {
    const random = randomOf(17);
    await using server = await serveLoopback((request, response) => {
      const answer = { jsonrpc: "2.0", id: 1, result: randomJson(random) };
      if (request.method === "GET")
        return void response.end(JSON.stringify(damagedCard(random, `${server.origin}/rpc`)));
      if (random() < 0.5) return void response.end(JSON.stringify(random() < 0.8 ? answer : answer.result));
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (let count = random() * 4; count > 0; count--) response.write(`data: ${JSON.stringify(answer)}\n\n`);
      response.end(random() < 0.3 ? "data: {" : "");
    });
    const answers: JsonObject[] = [];
    for (let round = 0; round < 60; round++)
      answers.push(await respond(tools, toolOf(server.origin), { request: "hello" }));
    for (const { error, response } of answers) {
      assert.equal(typeof (error ?? response), "string");
      assert.doesNotMatch(String(error ?? ""), /internal error/i);
    }
    assert.deepEqual(Object.keys(Object.prototype), []);
  });

  it("is asked at the address of the tool's card, whatever its own card says", async () => {
    await using elsewhere = await serveLoopback(() => ({}));
    const addresses = [`${elsewhere.origin}/rpc`, "http://169.254.169.254/latest", "file:///etc/passwd"];
    const supportedInterfaces = addresses.map((url) => ({ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }));
    const message = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "Hello." }] };
    await using server = await serveLoopback(({ method }) =>
      method === "POST"
        ? { jsonrpc: "2.0", id: 1, result: { message } }
        : { name: "S", url: elsewhere.origin, capabilities: { streaming: true }, supportedInterfaces },
    );
    assert.equal((await respond(tools, toolOf(server.origin), { request: "hello" })).response, "Hello.");
    assert.deepEqual(
      server.got.filter(({ method }) => method === "POST").map(({ path }) => path),
      ["/rpc"],
    );
    assert.deepEqual(elsewhere.got, []);
  });
});
