import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { diagnostics, ScriptedModel, say, spoken, testSession } from "#testing/engine";

describe("the time zone of an app that there is none of (TURN-65)", () => {
  it("is UTC, which the trace says", async () => {
    await using session = await testSession({
      model: new ScriptedModel(say("Hello.")),
      agents: { Root: { instruction: "Today is {current_date}." } },
      app: { timeZoneSettings: { timeZone: "Mars/Phobos" } },
    });
    const outputs = await session.send("Hi");
    assert.deepEqual(spoken(outputs), ["Hello."]);
    assert.deepEqual(diagnostics(outputs).rootSpan.attributes?.warnings, [
      "'Mars/Phobos' of time_zone_settings is no time zone: dates are those of UTC.",
    ]);
  });
});
