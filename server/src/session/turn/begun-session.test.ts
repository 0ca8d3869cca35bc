import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { SessionOutput } from "@frontdesk/protos/ces/session_service";
import { agentName, diagnostics, ScriptedModel, say, testSession } from "#testing/engine";

const warningsOf = (outputs: readonly SessionOutput[]) => diagnostics(outputs).rootSpan.attributes?.warnings;

describe("what of a config only the first turn of a session can use (TURN-66)", () => {
  const agents = { Root: { children: ["Billing"] }, Billing: {} };
  const history = [{ role: "user", chunks: [{ data: { case: "text" as const, value: "Before." } }] }];

  it("is ignored later, which the trace says", async () => {
    const model = new ScriptedModel(say("1"), say("2"), say("3"));
    await using session = await testSession({ model, agents });
    assert.equal(warningsOf(await session.send("Hi")), undefined);
    const late = { entryAgent: agentName("Billing"), historicalContexts: history, deployment: "other" };
    assert.deepEqual(warningsOf(await session.send("Hi", { config: late })), [
      `config.entry_agent was ignored: the session had begun without one. Start another session with '${agentName("Billing")}'.`,
      "config.historical_contexts was ignored: the session had begun. Start another session with them.",
      "config.deployment was ignored: the session had begun without one. Start another session with 'other'.",
    ]);
    assert.equal(warningsOf(await session.send("Hi")), undefined);
    assert.equal(model.requests[2]?.messages.length, 5);
  });

  it("may be sent with every request", async () => {
    const model = new ScriptedModel(say("1"), say("2"));
    await using session = await testSession({ model, agents });
    const config = { entryAgent: agentName("Billing"), historicalContexts: history };
    for (const input of ["Hi", "Again"]) assert.equal(warningsOf(await session.send(input, { config })), undefined);
  });
});
