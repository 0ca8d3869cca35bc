import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { A2AService } from "@frontdesk/protos/a2a/a2a";
import { ANONYMOUS, createLogger, systemClock } from "#base";
import { createA2aHandler } from "#protocols";
import { createRegistry, defineService } from "#rpc";
import { permissionDenied, unauthenticated } from "#status";
import { startWireServer, type WireServer } from "../wire/wire-server.ts";
import { type Wire, wiresTo } from "./wires.ts";

/** Knows the token `good`; what it may do, the service decides. */
const authenticator = {
  async authenticate({ headers }: { readonly headers: ReadonlyMap<string, string> }) {
    const header = headers.get("authorization");
    if (header === undefined) return ANONYMOUS;
    if (header === "Bearer good") return { ...ANONYMOUS, kind: "user" as const, principal: "user:ann@example.com" };
    throw unauthenticated(
      "The token is not valid.",
      { reason: "ACCESS_TOKEN_INVALID" },
      'Bearer error="invalid_token"',
    );
  },
};

const service = defineService(A2AService, [], {
  getTask: async ({ id }, { caller }) => ({ id: `${id} of ${caller.principal}` }),
  listTasks: async () => {
    throw permissionDenied("You may not list tasks.");
  },
});

let server: WireServer;
let wires: readonly Wire[];
before(async () => {
  const logger = createLogger("silent");
  const registry = createRegistry([service], { logger, clock: systemClock });
  const card = async () => Promise.reject(new Error("no card"));
  const deps = { logger, authenticator, card, cards: "all" } as const;
  server = await startWireServer({
    authenticator,
    more: [service],
    handlers: { a2a: createA2aHandler(registry, deps) },
  });
  wires = wiresTo(server.url, "");
});
after(async () => {
  for (const wire of wires) wire.close();
  await server[Symbol.asyncDispose]();
});

describe("a caller of an agent", () => {
  it("is told to the service on every binding", async () => {
    for (const wire of wires) {
      const { value } = await wire.call("getTask", { id: "t-1" }, { authorization: "Bearer good" });
      assert.equal(value.id, "t-1 of user:ann@example.com", wire.name);
    }
  });

  it("with a token that is not valid is refused", async () => {
    const codes = { "JSON-RPC": -32000, "HTTP+JSON": 401, gRPC: 16 };
    for (const wire of wires) {
      const { fault } = await wire.call("getTask", { id: "t-1" }, { authorization: "Bearer bad" });
      assert.deepEqual([fault?.code, fault?.reason], [codes[wire.name], "ACCESS_TOKEN_INVALID"], wire.name);
    }
  });

  it("without the right is refused", async () => {
    const codes = { "JSON-RPC": -32000, "HTTP+JSON": 403, gRPC: 7 };
    for (const wire of wires) assert.equal((await wire.call("listTasks", {})).fault?.code, codes[wire.name], wire.name);
  });

  it("reads the status and the challenge of HTTP with JSON-RPC too", async () => {
    const post = (headers: Record<string, string>, method: string) =>
      fetch(`${server.url}/a2a`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: {} }),
      });
    const unknown = await post({ authorization: "Bearer bad" }, "GetTask");
    assert.equal(unknown.status, 401);
    assert.match(unknown.headers.get("www-authenticate") ?? "", /^Bearer/);
    assert.equal((await post({}, "ListTasks")).status, 403);
  });
});
