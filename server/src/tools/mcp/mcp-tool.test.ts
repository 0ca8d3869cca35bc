import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { startModernServer } from "../__fixtures__/modern-server.ts";
import { openMembers, openTools, respond, TEST_APP } from "../__fixtures__/open-tools.ts";

/** What the tool `pay` of a server answers with an error of the protocol, and how often it was called. */
async function callRefused(error: { readonly code: number; readonly message: string; readonly data: object }) {
  let calls = 0;
  await using server = await startModernServer([{ name: "pay", inputSchema: { type: "object" } }], () => {
    calls += 1;
    throw Object.assign(new Error(error.message), error);
  });
  await using tools = openTools();
  const toolset = create(ToolsetSchema, {
    name: `${TEST_APP}/toolsets/set-1`,
    displayName: "set",
    toolsetType: { case: "mcpToolset", value: { serverAddress: server.address } },
  });
  const [pay] = [...(await openMembers(tools, toolset)).values()];
  assert.ok(pay);
  return { response: await respond(tools, pay, {}), calls };
}

describe("A tool of an MCP server", () => {
  it("has the data of an error of the protocol told, such as where the user must go first (MCP-14)", async () => {
    const elicitations = [
      { mode: "url", elicitationId: "e-1", url: "https://shop.example/connect", message: "Connect your account." },
    ];
    const refused = { code: -32042, message: "The user must connect an account.", data: { elicitations } };
    const { response } = await callRefused(refused);
    assert.deepEqual((response as { readonly output?: unknown }).output, { elicitations });
    assert.match(
      String((response as { readonly error?: unknown }).error),
      /^Calling MCP tool 'pay' failed: .*must connect/,
    );
  });

  for (const data of [
    { status: 404, text: "no such order" },
    { status: 400, text: "the session is over" },
  ])
    it(`is called once when its server's error speaks of the status ${data.status} (MCP-14)`, async () => {
      const { response, calls } = await callRefused({ code: -32000, message: "The order was not found.", data });
      assert.equal(calls, 1);
      const { error, output } = response as { readonly error?: string; readonly output?: unknown };
      assert.match(error ?? "", /The order was not found\./);
      assert.deepEqual(output, data);
    });

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
