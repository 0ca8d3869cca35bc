import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { McpTool_State } from "@frontdesk/protos/ces/mcp_tool";
import type { McpToolsetSchema } from "@frontdesk/protos/ces/mcp_toolset";
import type { Tool } from "@frontdesk/protos/ces/tool";
import { type Toolset, ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { systemClock } from "#base";
import { freePort } from "#testing";
import { type EverythingServer, startEverythingServer } from "../__fixtures__/everything-server.ts";
import { serveLoopback } from "../__fixtures__/loopback.ts";
import { callContext, type OpenTools, openMembers, openTools, respond, TEST_APP } from "../__fixtures__/open-tools.ts";

let server: EverythingServer;
let tools: OpenTools;
before(async () => {
  server = await startEverythingServer(await freePort());
  tools = openTools();
});
after(async () => {
  await tools[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

function toolsetAt(serverAddress: string, more: MessageInitShape<typeof McpToolsetSchema> = {}): Toolset {
  return create(ToolsetSchema, {
    name: `${TEST_APP}/toolsets/everything`,
    displayName: "everything",
    toolsetType: { case: "mcpToolset", value: { serverAddress, ...more } },
  });
}

function found(members: ReadonlyMap<string, Tool>, toolId: string): Tool {
  const tool = members.get(toolId);
  assert.ok(tool, `${toolId} is among ${[...members.keys()].join(", ")}`);
  return tool;
}

describe("An MCP toolset over the protocol's example server", () => {
  it("offers the server's tools with their descriptions and schemas", async () => {
    const members = await openMembers(tools, toolsetAt(server.address));
    assert.equal(members.size, 12);
    assert.deepEqual(await tools.declare(found(members, "get-sum")), {
      name: "everything_get-sum",
      description: "Returns the sum of two numbers",
      parameters: {
        type: "object",
        properties: {
          a: { type: "number", description: "First number" },
          b: { type: "number", description: "Second number" },
        },
        required: ["a", "b"],
      },
      tool: `${TEST_APP}/toolsets/everything/tools/get-sum`,
      runs: "server",
    });
  });

  it("returns text, structured content, images and links in one shape", async () => {
    const members = await openMembers(tools, toolsetAt(server.address));
    assert.deepEqual(await respond(tools, found(members, "echo"), { message: "hi" }), { output: "Echo: hi" });
    assert.deepEqual(await respond(tools, found(members, "get-structured-content"), { location: "Chicago" }), {
      output: { temperature: 36, conditions: "Light rain / drizzle", humidity: 82 },
    });
    assert.deepEqual(await respond(tools, found(members, "get-tiny-image"), {}), {
      output: "Here's the image you requested:\nThe image above is the MCP logo.",
      content: [{ type: "image", mimeType: "image/png", bytes: 4033 }],
    });
    const { content } = await respond(tools, found(members, "get-resource-links"), { count: 1 });
    assert.equal(JSON.stringify(content).includes("demo://resource/dynamic/"), true);
  });

  it("is not offered a tool that runs as a task only, which would fail each time (MCP-12)", async () => {
    const members = await openMembers(tools, toolsetAt(server.address));
    assert.ok([...members.keys()].includes("trigger-long-running-operation"));
    assert.ok(![...members.keys()].includes("simulate-research-query"));
  });

  it("returns the tool's own error", async () => {
    const members = await openMembers(tools, toolsetAt(server.address));
    const { status, error } = await respond(tools, found(members, "get-sum"), { a: 1 });
    assert.equal(status, "error");
    assert.match(String(error), /^Calling MCP tool 'get-sum' failed: .*Invalid arguments for tool get-sum/);
  });

  it("cancels a slow call after the tool's timeout, and serves the next one", async () => {
    const toolset = { ...toolsetAt(server.address), timeout: { seconds: 0n, nanos: 200_000_000 } } as Toolset;
    const members = await openMembers(tools, toolset);
    const slow = found(members, "trigger-long-running-operation");
    assert.deepEqual(await respond(tools, slow, { duration: 30, steps: 1 }), {
      status: "error",
      error: "Calling MCP tool 'trigger-long-running-operation' failed: the server did not answer within 200 ms",
    });
    const other = await openMembers(tools, toolsetAt(server.address));
    assert.deepEqual(await respond(tools, found(other, "echo"), { message: "on" }), { output: "Echo: on" });
  });

  it("stops waiting when the turn is cancelled", async () => {
    const members = await openMembers(tools, toolsetAt(server.address));
    const left = new AbortController();
    const context = callContext({}, { signal: left.signal });
    const answer = respond(
      tools,
      found(members, "trigger-long-running-operation"),
      { duration: 30, steps: 1 },
      context,
    );
    setTimeout(() => left.abort(new Error("the user hung up")), 50);
    await assert.rejects(answer, /the user hung up/);
  });

  it("renames and describes tools as its overrides say, but not when the server's own list is requested", async () => {
    const toolset = toolsetAt(server.address, {
      toolOverrides: [{ tool: "echo", nameOverride: "repeat", descriptionOverride: "Says it again." }],
    });
    const tool = found(await openMembers(tools, toolset), "echo");
    const { name, description } = await tools.declare(tool);
    assert.deepEqual([name, description], ["everything_repeat", "Says it again."]);
    assert.deepEqual(await respond(tools, tool, { message: "hi" }), { output: "Echo: hi" });
    const raw = found(await openMembers(tools, toolset, {}, true), "echo");
    assert.deepEqual(
      [raw.displayName, raw.toolType.case === "mcpTool" && raw.toolType.value.description],
      ["everything_echo", "Echoes back the input string"],
    );
  });

  it("keeps a pinned tool as in its snapshot, and reports how the server differs", async () => {
    const toolset = toolsetAt(server.address, {
      toolOverrides: [
        { tool: "echo", snapshot: { description: "As it was once." } },
        { tool: "gone", snapshot: { description: "No longer there." } },
      ],
    });
    const members = await openMembers(tools, toolset);
    const states = ["echo", "gone", "get-sum"].map((id) => {
      const { toolType } = found(members, id);
      return toolType.case === "mcpTool" && [toolType.value.state, toolType.value.description];
    });
    assert.deepEqual(states, [
      [McpTool_State.STALE, "As it was once."],
      [McpTool_State.INACTIVE, "No longer there."],
      [McpTool_State.ACTIVE, "Returns the sum of two numbers"],
    ]);
    await assert.rejects(tools.declare(found(members, "gone")), /no longer offers the tool 'gone'/);
  });
});

describe("An MCP toolset whose server is unreachable", () => {
  it("cannot be listed, and reports why", async () => {
    await assert.rejects(
      openMembers(tools, toolsetAt("http://127.0.0.1:1/mcp")),
      /The tools of MCP toolset 'everything' cannot be listed: .*ECONNREFUSED/,
    );
  });

  it("has its pinned tools, whose calls report the error", async () => {
    const toolset = toolsetAt("http://127.0.0.1:1/mcp", {
      toolOverrides: [{ tool: "echo", snapshot: { description: "Echoes." } }],
    });
    const members = await openMembers(tools, toolset);
    assert.deepEqual([...members.keys()], ["echo"]);
    const { error } = await respond(tools, found(members, "echo"), {});
    assert.match(String(error), /^Calling MCP tool 'echo' failed: .*ECONNREFUSED/);
  });

  it("does not ask again at once, so that turns do not wait one after the other", async () => {
    await using asked = await serveLoopback((_, response) => void response.writeHead(503).end());
    const toolset = toolsetAt(`${asked.origin}/mcp`);
    await assert.rejects(openMembers(tools, toolset), /HTTP 503/);
    const requests = asked.got.length;
    await assert.rejects(openMembers(tools, toolset), /HTTP 503/);
    assert.equal(asked.got.length, requests);
  });

  it("keeps the tools of its last list", async () => {
    let hour = 0;
    await using patient = openTools({ clock: { ...systemClock, now: () => hour * 3_600_000 } });
    const brief = await startEverythingServer(await freePort());
    const toolset = toolsetAt(brief.address);
    assert.equal((await openMembers(patient, toolset)).size, 12);
    await brief[Symbol.asyncDispose]();
    hour = 0.5;
    assert.equal((await openMembers(patient, toolset)).size, 12);
    hour = 2;
    await assert.rejects(openMembers(patient, toolset), /cannot be listed/);
  });

  it("fails when the address is private and not allowed", async () => {
    await using closed = openTools({ allow: [] });
    await assert.rejects(
      openMembers(closed, toolsetAt(server.address)),
      /cannot be listed: Requests to '127.0.0.1' are refused: 127.0.0.1 is a loopback address/,
    );
  });
});

describe("A server that dropped the conversation's session", () => {
  it("gets a new one, and the call succeeds", async () => {
    const first = await startEverythingServer(await freePort());
    const members = await openMembers(tools, toolsetAt(first.address));
    assert.deepEqual(await respond(tools, found(members, "echo"), { message: "one" }), { output: "Echo: one" });
    await first[Symbol.asyncDispose]();
    await using _again = await startEverythingServer(first.port);
    assert.deepEqual(await respond(tools, found(members, "echo"), { message: "two" }), { output: "Echo: two" });
  });
});
