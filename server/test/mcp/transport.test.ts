import assert from "node:assert/strict";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { after, before, describe, it } from "node:test";
import { AgentService } from "@frontdesk/protos/ces/agent_service";
import type { JsonObject } from "#base";
import { definedFields } from "#base";
import { unauthenticated } from "#status";
import { readToEnd, startWireServer, type WireServer } from "../wire/wire-server.ts";
import { ask, callTool, ENVELOPE, modernHeaders } from "./client.ts";
import { createProductServer } from "./product-server.ts";

let server: WireServer;
before(async () => {
  server = await createProductServer();
});
after(() => server[Symbol.asyncDispose]());

const NAME = "projects/p/locations/us/apps/a";
const EVENTS = { accept: "application/json, text/event-stream" };

describe("revision 2026-07-28 over HTTP", () => {
  const discover = (headers: Record<string, string>, meta: JsonObject = ENVELOPE) =>
    ask(server.url, "server/discover", { _meta: meta }, { headers });

  it("is discovered without a handshake", async () => {
    const { status, result } = await discover(modernHeaders("server/discover"));
    const { instructions, ...rest } = result;
    assert.match(String(instructions), /list_apps/);
    assert.deepEqual(
      [status, rest],
      [
        200,
        {
          supportedVersions: ["2026-07-28"],
          capabilities: { tools: {}, resources: {}, prompts: {} },
          resultType: "complete",
          ttlMs: 3_600_000,
          cacheScope: "public",
          _meta: { "io.modelcontextprotocol/serverInfo": { name: "frontdesk", title: "Frontdesk", version: "1.2.3" } },
        },
      ],
    );
  });

  it("rejects headers that are missing or differ from the body", async () => {
    for (const headers of [
      {},
      { "mcp-method": "server/discover" },
      { "mcp-protocol-version": "2026-07-28" },
      modernHeaders("tools/list"),
      { ...modernHeaders("server/discover"), "mcp-protocol-version": "2025-11-25" },
    ]) {
      const { status, error } = await discover(headers as Record<string, string>);
      assert.deepEqual([status, error?.code], [400, -32020], JSON.stringify(headers));
    }
    const params = { name: "get_app", arguments: { name: NAME }, _meta: ENVELOPE };
    const wrong = await ask(server.url, "tools/call", params, { headers: modernHeaders("tools/call", "get_tool") });
    assert.deepEqual([wrong.status, wrong.error?.code], [400, -32020]);
    const wrapped = modernHeaders("tools/call", `=?base64?${Buffer.from("get_app").toString("base64")}?=`);
    assert.equal((await ask(server.url, "tools/call", params, { headers: wrapped })).status, 200);
  });

  it("rejects requests without the required keys", async () => {
    const { "io.modelcontextprotocol/clientCapabilities": _, ...half } = ENVELOPE;
    for (const meta of [half, {}]) {
      const { status, error } = await discover(modernHeaders("server/discover"), meta as JsonObject);
      assert.deepEqual([status, error?.code], [400, -32602]);
      assert.match(JSON.stringify(error?.data), /"missing":\["io\.modelcontextprotocol/);
    }
  });

  it("lists the supported revisions when a client requests another", async () => {
    const version = "2099-01-01";
    const meta = { ...ENVELOPE, "io.modelcontextprotocol/protocolVersion": version };
    const headers = { ...modernHeaders("server/discover"), "mcp-protocol-version": version };
    const { status, error } = await discover(headers, meta);
    assert.deepEqual(
      [status, error?.code, error?.data],
      [400, -32022, { supported: ["2026-07-28"], requested: version }],
    );
  });

  it("has no methods of the old era", async () => {
    for (const method of ["ping", "initialize", "logging/setLevel", "nonsense"]) {
      const { status, error } = await ask(server.url, method, { _meta: ENVELOPE }, { headers: modernHeaders(method) });
      assert.deepEqual([status, error?.code], [404, -32601], method);
    }
  });
});

describe("older revisions over HTTP", () => {
  it("are served with or without a handshake", async () => {
    for (const version of ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]) {
      const { status, result } = await ask(
        server.url,
        "tools/list",
        {},
        { headers: { "mcp-protocol-version": version } },
      );
      assert.equal(status, 200);
      assert.ok(!("resultType" in result) && !("ttlMs" in result));
    }
  });

  it("have no methods of the new era", async () => {
    const { status, error } = await ask(server.url, "server/discover");
    assert.deepEqual([status, error?.code], [200, -32601]);
  });
});

describe("responses of the MCP endpoint", () => {
  it("are plain JSON unless there is progress and the client accepts events", async () => {
    const call = (headers: Record<string, string>, meta?: JsonObject) =>
      callTool(server.url, "get_app", { name: NAME }, { headers, ...definedFields({ meta }) });
    const token = { progressToken: 1 };
    for (const reply of [
      await call({}),
      await call(EVENTS),
      await call({ accept: "*/*" }, token),
      await call(EVENTS, token),
    ])
      assert.match(reply.type, /^application\/json/);
    assert.equal((await call({ accept: "text/event-stream" })).type, "text/event-stream");
  });

  it("have the region's host in the name, and the slash at the end, as clients write them", async () => {
    for (const path of ["/mcp", "/mcp/"]) {
      const status = await new Promise((resolve, reject) => {
        const headers = { host: "ces.us.rep.googleapis.com", "content-type": "application/json" };
        const options = { port: server.port, host: "127.0.0.1", path, method: "POST", headers };
        httpRequest(options, (response) => resolve(response.resume().statusCode))
          .on("error", reject)
          .end(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }));
      });
      assert.equal(status, 200);
    }
  });

  it("are errors for pages of other sites and for other host names", async () => {
    const foreign = { origin: "https://evil.example" };
    assert.equal((await ask(server.url, "ping", {}, { headers: foreign })).status, 403);
  });

  it("name the endpoints at an unknown path", async () => {
    const { status, error } = await ask(server.url, "ping", {}, { path: "/mcp/analytix" });
    assert.deepEqual(
      [status, error?.message],
      [404, "There is no MCP endpoint here. The endpoints are /mcp and /mcp/analytics."],
    );
  });

  it("are errors for empty batches and for batches that are too long", async () => {
    for (const batch of [[], Array.from({ length: 51 }, (_, id) => ({ jsonrpc: "2.0", id, method: "ping" }))]) {
      const response = await fetch(`${server.url}/mcp`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(batch),
      });
      assert.equal(response.status, 400);
    }
  });
});

describe("a caller without credentials", () => {
  const agents = {
    getApp: async () => {
      throw unauthenticated("Send a token.");
    },
  };

  it("may list the tools, and learns where to sign in when it calls one", async () => {
    const oauth = { issuers: ["https://login.example.com/"], scopes: ["desk"] };
    await using guarded = await startWireServer({ agents, mcp: { oauth } });
    assert.equal((await ask(guarded.url, "tools/list")).status, 200);
    const { status, headers, error } = await callTool(guarded.url, "get_app", { name: NAME });
    const metadata = `${guarded.url}/.well-known/oauth-protected-resource/mcp`;
    assert.deepEqual(
      [status, headers.get("www-authenticate"), error?.message],
      [401, `Bearer realm="frontdesk", resource_metadata="${metadata}", scope="desk"`, "Send a token."],
    );
    assert.deepEqual(await (await fetch(metadata)).json(), {
      resource: `${guarded.url}/mcp`,
      authorization_servers: ["https://login.example.com/"],
      bearer_methods_supported: ["header"],
      scopes_supported: ["desk"],
    });
  });

  it("gets no address when no issuer is configured", async () => {
    await using guarded = await startWireServer({ agents });
    const { status, headers } = await callTool(guarded.url, "get_app", { name: NAME });
    assert.deepEqual([status, headers.get("www-authenticate")], [401, 'Bearer realm="frontdesk"']);
    assert.equal((await fetch(`${guarded.url}/.well-known/oauth-protected-resource/mcp`)).status, 404);
  });
});

/** A server whose GetApp goes on until it is cancelled. */
async function startSlowServer() {
  const begun = Promise.withResolvers<void>();
  const cancelled = Promise.withResolvers<void>();
  const agents = {
    getApp: (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
      new Promise<never>((_resolve, reject) => {
        begun.resolve();
        signal.addEventListener("abort", () => {
          cancelled.resolve();
          reject(signal.reason);
        });
      }),
  };
  const server = await startWireServer({ agents: agents as never });
  return { ...server, begun, cancelled };
}

describe("a client of a revision with sessions", () => {
  const post = (url: string, session: string, message: object, accept = "application/json") =>
    fetch(`${url}/mcp`, {
      method: "POST",
      headers: { "content-type": "application/json", accept, "mcp-session-id": session },
      body: JSON.stringify({ jsonrpc: "2.0", ...message }),
    });
  const handshake = async (url: string) => {
    const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } };
    return (await ask(url, "initialize", params)).headers.get("mcp-session-id") ?? "";
  };
  const call = { id: 7, method: "tools/call", params: { name: "get_app", arguments: { name: NAME } } };
  const notice = { method: "notifications/cancelled", params: { requestId: 7 } };

  for (const accept of ["application/json", "application/json, text/event-stream"]) {
    it(`cancels its call with a notification, and gets no response to it (${accept})`, async () => {
      await using slow = await startSlowServer();
      const session = await handshake(slow.url);
      assert.match(session, /^[\w-]{36}$/);
      const answer = post(slow.url, session, call, accept);
      await slow.begun.promise;
      assert.equal((await post(slow.url, session, notice)).status, 202);
      await slow.cancelled.promise;
      const { status } = await answer;
      assert.deepEqual([status, await (await answer).text()], [202, ""]);
    });
  }

  it("cannot cancel the call of another session", async () => {
    await using slow = await startSlowServer();
    const [mine, yours] = [await handshake(slow.url), await handshake(slow.url)];
    assert.notEqual(mine, yours);
    const controller = new AbortController();
    let cancelled = false;
    void slow.cancelled.promise.then(() => {
      cancelled = true;
    });
    const sending = { headers: { "mcp-session-id": mine }, signal: controller.signal };
    const answer = callTool(slow.url, "get_app", { name: NAME }, sending);
    await slow.begun.promise;
    for (const session of [yours, ""]) {
      const params = { requestId: 1 };
      await post(slow.url, session, { ...notice, params });
    }
    assert.equal(cancelled, false);
    controller.abort();
    await assert.rejects(answer);
  });
});

describe("a client that disconnects", () => {
  it("cancels its call", async () => {
    await using slow = await startSlowServer();
    const controller = new AbortController();
    const call = callTool(slow.url, "get_app", { name: NAME }, { signal: controller.signal });
    await slow.begun.promise;
    controller.abort();
    await assert.rejects(call);
    await slow.cancelled.promise;
  });
});

describe("a client that does not read its stream", () => {
  it("misses notifications instead of filling the memory, and still gets the response", async () => {
    const count = 20_000;
    const ended = Promise.withResolvers<void>();
    const outputs = [{ outputType: { case: "text" as const, value: "word ".repeat(100) } }];
    const sessions = {
      runSession: async () => ({ outputs }),
      streamRunSession: async function* () {
        for (let sent = 0; sent < count; sent++) yield { outputs };
        ended.resolve();
      },
    };
    await using flooded = await startWireServer({ sessions });
    const args = { config: { session: `${NAME}/sessions/12345` }, inputs: [{ text: "Tell me all." }] };
    const params = { name: "run_session", arguments: args, _meta: { progressToken: "t" } };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const socket = connect(flooded.port, "127.0.0.1").pause();
    const length = Buffer.byteLength(body);
    socket.write(
      `POST /mcp HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: application/json\r\naccept: ${EVENTS.accept}\r\ncontent-length: ${length}\r\n\r\n${body}`,
    );
    await ended.promise;
    assert.equal((await ask(flooded.url, "ping")).status, 200);
    const read = readToEnd(socket);
    socket.resume();
    const text = await read;
    const notices = text.split('"method":"notifications/progress"').length - 1;
    assert.ok(notices > 0 && notices < count, `${notices} notices`);
    assert.match(text, /"jsonrpc":"2.0","id":1,"result":/);
  });
});

describe("methods of an unregistered service", () => {
  it("are not tools", async () => {
    await using few = await startWireServer({ agents: { getApp: async ({ name }) => ({ name }) } });
    const { result } = await ask(few.url, "tools/list");
    assert.deepEqual(
      result.tools?.map(({ name }) => name),
      ["get_app"],
    );
    assert.ok(AgentService.methods.length > 40);
  });
});
