import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { createTestSandbox } from "./test-sandbox.ts";

const { sandbox } = createTestSandbox();
after(() => sandbox.close());

const STUBS = join(import.meta.dirname, "../../guest/frontdesk.pyi");

describe("frontdesk.pyi", () => {
  const stub = readFileSync(STUBS, "utf8");

  it("has every public name of the platform, each member with its parameters, and no other", async () => {
    assert.partialDeepStrictEqual(await compare(stub), { kind: "returned", value: [] });
  });

  it("is compared name by name", async () => {
    const changed = stub
      .replace("def is_model", "def is_modal")
      .replace("(self, tool_name: str)", "(self, tool: str)")
      .replace("class Tool(", "class Device(");
    assert.partialDeepStrictEqual(await compare(changed), {
      kind: "returned",
      value: [
        "Tool",
        "Device",
        "Content.is_modal",
        "Content.is_model",
        "GenerateContentConfig.hide_tool(self, tool_name)",
      ],
    });
  });
});

function compare(stub: string) {
  return sandbox.run(
    {
      code: readFileSync(join(import.meta.dirname, "compare_stubs.py"), "utf8"),
      filename: "compare_stubs.py",
      entry: "f",
      keyword: { stub },
      context: { invocationId: "i", agentName: "a", sessionId: "s", state: {}, userContent: null, events: [] },
      toolNames: [],
    },
    {
      tenant: "apps/a",
      turn: "one",
      limits: { cpuMs: 20_000, wallMs: 60_000 },
      onHostCall: async () => ({ status: 404, reason: "", text: "" }),
    },
  );
}
