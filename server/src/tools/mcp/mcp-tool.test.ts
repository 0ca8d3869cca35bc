import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { startModernServer } from "../__fixtures__/modern-server.ts";
import { openMembers, openTools, respond, TEST_APP } from "../__fixtures__/open-tools.ts";

describe("A tool of an MCP server", () => {
  it("has its tool's error told with the structured content and the links that came with it (MCP-11)", async () => {
    const result = {
      content: [
        { type: "text" as const, text: "Two fields are wrong." },
        { type: "resource_link" as const, uri: "https://shop.example/form", name: "form" },
      ],
      structuredContent: { fields: ["zip", "city"] },
      isError: true,
    };
    await using server = await startModernServer([{ name: "send", inputSchema: { type: "object" } }], () => result);
    await using tools = openTools();
    const toolset = create(ToolsetSchema, {
      name: `${TEST_APP}/toolsets/set-1`,
      displayName: "set",
      toolsetType: { case: "mcpToolset", value: { serverAddress: server.address } },
    });
    const [send] = [...(await openMembers(tools, toolset)).values()];
    assert.ok(send);
    assert.deepEqual(await respond(tools, send, {}), {
      status: "error",
      error: "Calling MCP tool 'send' failed: Two fields are wrong.",
      output: { fields: ["zip", "city"] },
      content: [{ type: "resource_link", uri: "https://shop.example/form", name: "form" }],
    });
  });
});
