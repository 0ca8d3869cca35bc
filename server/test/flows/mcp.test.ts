import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, it } from "node:test";
import { startTestServer, type TestServer } from "#testing";

const APP = "projects/local/locations/us/apps/order-desk";

let server: TestServer;
before(async () => {
  server = await startTestServer({ example: true });
});
after(() => server[Symbol.asyncDispose]());

interface RpcAnswer {
  readonly result?: {
    readonly isError?: boolean;
    readonly content: { readonly text: string }[];
    readonly structuredContent?: unknown;
    readonly tools?: { name: string }[];
  };
}

async function post(body: object): Promise<RpcAnswer> {
  const response = await fetch(`${server.address}/mcp`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, ...body }),
  });
  return (await response.json()) as RpcAnswer;
}

describe("tools/call get_conversation", () => {
  it("answers a bare call with the conversation that REST answers", async () => {
    const id = randomUUID();
    const session = `${APP}/sessions/${id}`;
    const run = await fetch(`${server.address}/v1beta/${session}:runSession`, {
      method: "POST",
      body: JSON.stringify({ config: { session }, inputs: [{ text: "Where is my order A-1001?" }] }),
    });
    assert.equal(run.status, 200);
    const name = `${APP}/conversations/${id}`;
    const { result } = await post({ method: "tools/call", params: { name: "get_conversation", arguments: { name } } });
    const rest = await (await fetch(`${server.address}/v1beta/${name}`)).json();
    assert.deepEqual(JSON.parse(result?.content[0]?.text ?? ""), rest);
    assert.deepEqual(result?.structuredContent, rest);
  });

  it("reports a missing conversation as a tool error", async () => {
    const { result } = await post({
      method: "tools/call",
      params: { name: "get_conversation", arguments: { name: `${APP}/conversations/nowhere` } },
    });
    assert.equal(result?.isError, true);
    assert.match(result?.content[0]?.text ?? "", /was not found/);
  });

  it("is listed among the read-only tools", async () => {
    const { result } = await post({ method: "tools/list" });
    assert.ok(result?.tools?.some(({ name }) => name === "get_conversation"));
  });
});
