import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ScriptedModel, testSession } from "#testing/engine";
import type { DialogflowAgents } from "./contract.ts";

const REMOTE = "projects/p/locations/us/agents/a";

/** Answers every query with a message that may be interrupted and one without that setting. */
const agents: DialogflowAgents = {
  detectIntent: async () => ({
    messages: [
      { kind: "text", text: "Long terms.", interruptible: true },
      { kind: "text", text: "Agreed?", interruptible: false },
    ],
    parameters: {},
    ended: false,
    trace: {},
  }),
};

describe("the interruption settings of a Dialogflow message", () => {
  for (const respected of [true, false])
    it(`are ${respected ? "kept" : "left out"} where the agent ${respected ? "respects" : "does not respect"} them`, async () => {
      const value = { agent: REMOTE, respectResponseInterruptionSettings: respected };
      await using session = await testSession({
        model: new ScriptedModel(),
        agents: { Flow: { more: { agentType: { case: "remoteDialogflowAgent", value } } } },
        engine: { dialogflow: agents },
      });
      const outputs: unknown[] = [];
      for await (const event of session.events("hi"))
        if (event.kind === "output")
          outputs.push([event.output.outputType.value, event.speech?.alwaysBargeIn ?? false]);
      assert.deepEqual(outputs, [
        ["Long terms.", respected],
        ["Agreed?", false],
      ]);
    });
});
