import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import type { Tool } from "@frontdesk/protos/ces/tool";
import { ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { serveLoopback } from "../__fixtures__/loopback.ts";
import { startModernServer } from "../__fixtures__/modern-server.ts";
import { callContext, type OpenTools, openMembers, openTools, respond, TEST_APP } from "../__fixtures__/open-tools.ts";

/** A toolset whose calls carry a token and a header of the session's variables. */
const toolsetAt = (serverAddress: string) =>
  create(ToolsetSchema, {
    name: `${TEST_APP}/toolsets/set-1`,
    displayName: "set",
    toolsetType: {
      case: "mcpToolset",
      value: {
        serverAddress,
        apiAuthentication: { authConfig: { case: "bearerTokenConfig", value: { token: "$context.variables.token" } } },
        customHeaders: { "x-step": "$context.variables.step" },
      },
    },
  });

const echo = { name: "echo", inputSchema: { type: "object" as const } };

interface Sent {
  readonly asked: string;
  readonly session: string;
  readonly authorization: string;
  readonly step: string;
}

/** A server with sessions. `bound`: a session is taken from the token that opened it and from no other. */
async function startSessionServer(bound = false) {
  const sent: Sent[] = [];
  const openedBy = new Map<string, string>();
  const server = await serveLoopback(({ method, headers, body }, response) => {
    if (method === "DELETE") return void response.writeHead(200).end();
    const { id, method: asked } = body as { id?: number; method: string };
    if (asked === "server/discover") return void response.writeHead(400).end();
    const { authorization = "", "x-step": step = "" } = headers as Readonly<Record<string, string | undefined>>;
    const session = String(headers["mcp-session-id"] ?? `s${openedBy.size + 1}`);
    if (asked === "initialize") openedBy.set(session, authorization);
    if (bound && openedBy.get(session) !== authorization) return void response.writeHead(403).end();
    sent.push({ asked, session, authorization, step });
    if (id === undefined) return void response.writeHead(202).end();
    const serverInfo = { name: "x", version: "1" };
    const results: Readonly<Record<string, object>> = {
      initialize: { protocolVersion: "2025-03-26", capabilities: { tools: {} }, serverInfo },
      "tools/list": { tools: [echo] },
      "tools/call": { content: [{ type: "text", text: `${authorization} ${step}` }] },
    };
    response.setHeader("mcp-session-id", session);
    return { jsonrpc: "2.0", id, result: results[asked] };
  });
  return {
    server,
    address: `${server.origin}/mcp`,
    asked: (what: string) => sent.filter(({ asked }) => asked === what),
  };
}

async function echoTool(tools: OpenTools, address: string): Promise<Tool> {
  const found = (await openMembers(tools, toolsetAt(address))).get("echo");
  assert.ok(found);
  return found;
}

describe("Headers of an MCP toolset that change from call to call (TSET-8)", () => {
  it("are sent with each call, in one session of the conversation", async () => {
    const { server, address, asked } = await startSessionServer();
    await using _server = server;
    await using tools = openTools();
    const tool = await echoTool(tools, address);
    const before = asked("initialize").length;
    for (let step = 1; step <= 5; step++) {
      const answer = await respond(tools, tool, {}, callContext({ token: `t${step}`, step: `${step}` }));
      assert.deepEqual(answer, { output: `Bearer t${step} ${step}` });
    }
    assert.equal(asked("initialize").length, before + 1);
    assert.equal(new Set(asked("tools/call").map(({ session }) => session)).size, 1);
  });

  it("do not mix between calls at the same time", async () => {
    const { server, address, asked } = await startSessionServer();
    await using _server = server;
    await using tools = openTools();
    const tool = await echoTool(tools, address);
    const before = asked("initialize").length;
    const steps = Array.from({ length: 20 }, (_, step) => step);
    const answers = await Promise.all(
      steps.map((step) => respond(tools, tool, {}, callContext({ token: `t${step}`, step: `${step}` }))),
    );
    assert.deepEqual(
      answers,
      steps.map((step) => ({ output: `Bearer t${step} ${step}` })),
    );
    assert.equal(asked("initialize").length, before + 1);
  });

  it("open another session where the server binds one to its caller", async () => {
    const { server, address, asked } = await startSessionServer(true);
    await using _server = server;
    await using tools = openTools();
    const tool = await echoTool(tools, address);
    for (const token of ["ann", "ann", "bob", "bob"])
      assert.deepEqual(await respond(tools, tool, {}, callContext({ token, step: "1" })), {
        output: `Bearer ${token} 1`,
      });
    const calls = asked("tools/call").map(({ session }) => session);
    assert.deepEqual([calls[0] === calls[1], calls[2] === calls[3], calls[1] === calls[2]], [true, true, false]);
  });

  it("do not negotiate the revision again with a server without sessions", async () => {
    await using server = await startModernServer([echo], () => ({ content: [{ type: "text", text: "ok" }] }));
    await using tools = openTools();
    const tool = await echoTool(tools, server.address);
    const discovered = () => server.got.filter(({ method }) => method === "server/discover").length;
    await respond(tools, tool, {}, callContext({ token: "t0", step: "0" }));
    const before = discovered();
    for (const step of ["1", "2", "3"]) await respond(tools, tool, {}, callContext({ token: `t${step}`, step }));
    assert.equal(discovered(), before);
    assert.equal(server.got.at(-1)?.headers["x-step"], "3");
  });
});
