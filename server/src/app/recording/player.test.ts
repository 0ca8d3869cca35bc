import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import type { ToolContext, ToolOutcome, Tools } from "#tools";
import { Player } from "./player.ts";
import type { RecordedTurn } from "./recording.ts";

const TURN: RecordedTurn = {
  kind: "turn",
  time: "2026-11-20T00:00:00Z",
  config: {},
  inputs: [],
  outputs: [],
  models: [],
  tools: [],
  hostCalls: [],
};

const OUTCOME: ToolOutcome = {
  kind: "answered",
  response: { result: "rye" },
  durationMs: 1,
  output: [],
  state: { set: {}, removed: [] },
};

describe("a tool that answered after its turn", () => {
  it("returns in the replay at the turn that reports it, even two turns later", async () => {
    const player = new Player();
    player.late([{ tool: "mill", args: {}, outcome: OUTCOME }]);
    await player.begin(1, TURN);
    const tools = player.tools({} as Tools);
    const call = { id: "c-1", name: "mill", args: {} };
    let answer: ToolOutcome | undefined;
    const asked = tools.execute(create(ToolSchema), call, {} as ToolContext).then((outcome) => {
      answer = outcome;
    });
    await player.begin(2, TURN);
    assert.equal(answer, undefined);
    await player.begin(3, { ...TURN, told: ["mill"] });
    await asked;
    assert.deepEqual([answer, player.difference], [OUTCOME, undefined]);
  });
});
