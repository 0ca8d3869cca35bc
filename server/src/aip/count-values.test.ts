import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { AgentSchema } from "@frontdesk/protos/ces/agent";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import { hasMoreValues } from "./count-values.ts";

describe("hasMoreValues", () => {
  it("counts set fields, items of lists and what is inside them", () => {
    const agent = create(AgentSchema, {
      displayName: "A",
      tools: ["x", ""],
      toolsets: [{ toolset: "t", toolIds: ["a"] }],
    });
    // display_name; tools and two items; toolsets, one item, its toolset, tool_ids and an id.
    assert.deepEqual([hasMoreValues(agent, 8), hasMoreValues(agent, 9)], [true, false]);
  });

  it("counts the member of a oneof once, and members of JSON objects", () => {
    const tool = create(ToolSchema, {
      toolType: { case: "pythonFunction", value: { name: "f", pythonCode: "def f(): pass" } },
    });
    assert.deepEqual([hasMoreValues(tool, 2), hasMoreValues(tool, 3)], [true, false]);
  });
});
