// Versions and kinds that this server does not know, on every binding: refused by the protocol's own errors (A2A-3, A2A-7, A2A-8).
import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { A2AService } from "@frontdesk/protos/a2a/a2a";
import { type AgentServer, APP, startAgentServer } from "./agent-server.ts";
import { type Answer, type Method, StreamFault, type Wire, wiresTo } from "./wires.ts";

let guide: AgentServer;
let wires: readonly Wire[];
before(async () => {
  guide = await startAgentServer();
  wires = wiresTo(guide.server.address, APP);
});
after(async () => {
  for (const wire of wires) wire.close();
  await guide[Symbol.asyncDispose]();
});

const VERSION_NOT_SUPPORTED = { "JSON-RPC": -32009, "HTTP+JSON": 400, gRPC: 9 };
const CONTENT_TYPE_NOT_SUPPORTED = { "JSON-RPC": -32005, "HTTP+JSON": 400, gRPC: 3 };

const messageOf = (parts: readonly object[]) => ({ message: { messageId: "m-1", role: "ROLE_USER", parts } });

/** A request of each method, as far as it needs one. */
const REQUESTS: Readonly<Record<Method, object>> = {
  sendMessage: messageOf([{ text: "say Hello." }]),
  sendStreamingMessage: messageOf([{ text: "say Hello." }]),
  getTask: { id: "gone" },
  listTasks: {},
  cancelTask: { id: "gone" },
  subscribeToTask: { id: "gone" },
  createTaskPushNotificationConfig: { taskId: "gone", id: "c-1", url: "https://example.com/hook" },
  getTaskPushNotificationConfig: { taskId: "gone", id: "c-1" },
  listTaskPushNotificationConfigs: { taskId: "gone" },
  deleteTaskPushNotificationConfig: { taskId: "gone", id: "c-1" },
  getExtendedAgentCard: {},
};

/** The answer of a method, the first one of a stream. */
async function answerOf(wire: Wire, method: Method, headers: Readonly<Record<string, string>>): Promise<Answer> {
  const request = REQUESTS[method];
  if (A2AService.method[method].methodKind === "unary") return wire.call(method, request, headers);
  try {
    return { value: await wire.stream(method, request, headers).next() };
  } catch (error) {
    if (error instanceof StreamFault) return error.answer;
    throw error;
  }
}

describe("a version of the protocol that there is not", () => {
  for (const method of Object.keys(REQUESTS) as Method[]) {
    it(`is refused by ${method} on every binding`, async () => {
      for (const wire of wires) {
        for (const version of ["0.2", "2.0", "99", "nonsense"]) {
          const { fault } = await answerOf(wire, method, { "a2a-version": version });
          const told = [fault?.code, fault?.reason];
          assert.deepEqual(
            told,
            [VERSION_NOT_SUPPORTED[wire.name], "VERSION_NOT_SUPPORTED"],
            `${wire.name} ${version}`,
          );
        }
      }
    });
  }

  it("gets the card for readers of all versions", async () => {
    const cardFor = async (version: string) => {
      const headers = { "a2a-version": version };
      const response = await fetch(`${guide.server.address}/a2a/${APP}/.well-known/agent-card.json`, { headers });
      return response.text();
    };
    assert.equal(await cardFor("2.0"), await cardFor(""));
    assert.notEqual(await cardFor("0.3"), await cardFor(""));
  });
});

describe("a file of a kind that nobody can read", () => {
  for (const mediaType of ["application/x-hologram", "video/mp4", "no type at all", "*/*"]) {
    it(`is refused on every binding: ${mediaType}`, async () => {
      for (const wire of wires) {
        const { fault } = await wire.call("sendMessage", messageOf([{ raw: "AAEC/w==", mediaType }]));
        const told = [fault?.code, fault?.reason];
        assert.deepEqual(told, [CONTENT_TYPE_NOT_SUPPORTED[wire.name], "CONTENT_TYPE_NOT_SUPPORTED"], wire.name);
        assert.match(fault?.message ?? "", /parts\[0\]|media/);
      }
    });
  }
});

describe("a part of version 0.3 of a kind that there is not", () => {
  const PARTS: Readonly<Record<string, unknown>> = {
    "another kind": { kind: "hologram", hologram: "x" },
    "no kind": { text: "say Hello." },
    "a file without a file": { kind: "file" },
    "a file that is empty": { kind: "file", file: {} },
    "a text without a text": { kind: "text" },
    "no object": 7,
    nothing: null,
  };
  for (const [what, part] of Object.entries(PARTS)) {
    it(`is refused: ${what}`, async () => {
      const message = { kind: "message", messageId: "m-1", role: "user", parts: [part] };
      const response = await fetch(`${guide.server.address}/a2a/${APP}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "message/send", params: { message } }),
      });
      const { error } = (await response.json()) as { readonly error?: { readonly code: number } };
      assert.ok(error?.code === -32602 || error?.code === -32005, JSON.stringify(error));
    });
  }
});
