import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import { type ToolContext, type ToolOutcome, type Tools, toolError } from "#tools";
import { countTools } from "./count-tools.ts";
import { createMetrics } from "./metrics.ts";

const RECORD = { durationMs: 1, output: [], state: { set: {}, removed: [] } };

describe("tool calls", () => {
  it("are counted by kind of tool and outcome, and return the same", async () => {
    const outcomes: ToolOutcome[] = [
      { ...RECORD, kind: "answered", response: { result: 1 } },
      { ...RECORD, kind: "failed", response: toolError("no"), error: "no", frames: [] },
    ];
    const answers = [...outcomes];
    const metrics = createMetrics({ isReady: async () => true, guests: () => 0 });
    const execute = async () => answers.shift();
    const tools = countTools({ execute } as unknown as Tools, metrics);
    const tool = create(ToolSchema, { toolType: { case: "pythonFunction", value: {} } });
    const call = { id: "1", name: "t", args: {} };
    const observed = [
      await tools.execute(tool, call, {} as unknown as ToolContext),
      await tools.execute(tool, call, {} as unknown as ToolContext),
    ];
    assert.deepEqual(observed, outcomes);
    const counted = (await metrics.text()).split("\n").filter((line) => line.startsWith("frontdesk_tool_calls_total"));
    assert.deepEqual(counted, [
      'frontdesk_tool_calls_total{kind="pythonFunction",outcome="answered"} 1',
      'frontdesk_tool_calls_total{kind="pythonFunction",outcome="failed"} 1',
    ]);
  });
});
