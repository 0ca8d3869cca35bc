import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { SessionOutput } from "@frontdesk/protos/ces/session_service";
import type { StreamPart } from "#models";
import { call, ScriptedModel, say, TEST_APP, testSession } from "#testing/engine";

const thought = (text: string): StreamPart => ({ kind: "thought-delta", text });

/** Outputs as [kind, text]. */
const shown = (outputs: readonly SessionOutput[]) =>
  outputs.map(({ outputType }) => [outputType.case, outputType.value]);

const AGENTS = { Root: { children: ["Billing"] }, Billing: {} };

describe("progress of a turn", () => {
  const answers = () => [
    [thought("They want "), thought("a bill."), ...call("transfer_to_agent", { agent_name: "Billing" })],
    [thought("Say so."), ...say("Here ", "it is.")],
  ];

  it("is sent to a client that asks for it, and recorded nowhere", async () => {
    const model = new ScriptedModel(...answers());
    await using session = await testSession({ model, agents: AGENTS });
    const outputs = await session.send("My bill?", { config: { includeProgressUpdate: true } });
    assert.deepEqual(shown(outputs), [
      ["progress", "Transferring to Billing"],
      ["text", "Here it is."],
    ]);
    const { messages = [] } = outputs.at(-1)?.diagnosticInfo ?? {};
    assert.doesNotMatch(JSON.stringify(messages.flatMap(({ chunks }) => chunks)), /Transferring|They want/);
  });

  it("has summaries of thoughts when the client asks for them, before what came of them", async () => {
    const model = new ScriptedModel(...answers());
    await using session = await testSession({ model, agents: AGENTS });
    const outputs = await session.send("My bill?", { config: { includeLlmThoughtSummary: true }, streamText: true });
    assert.deepEqual(
      shown(outputs).map(([, text]) => text),
      ["They want ", "a bill.", "Say so.", "Here it is."],
    );
    assert.deepEqual(
      model.requests.map(({ thoughtSummaries }) => thoughtSummaries),
      [true, true],
    );
  });

  it("has no thoughts where a guardrail waits for the answer, and nothing unless the client asks", async () => {
    const name = `${TEST_APP}/guardrails/manners`;
    const manners = {
      name,
      enabled: true,
      guardrailType: {
        case: "contentFilter" as const,
        value: { bannedContentsInAgentResponse: ["darn"], matchType: 1 },
      },
      action: { action: { case: "respondImmediately" as const, value: { responses: [{ text: "No." }] } } },
    };
    const model = new ScriptedModel(...answers());
    await using guarded = await testSession({
      model,
      agents: AGENTS,
      app: { guardrails: [name] },
      more: { guardrails: [manners] },
    });
    assert.deepEqual(shown(await guarded.send("My bill?", { config: { includeLlmThoughtSummary: true } })), [
      ["text", "Here it is."],
    ]);
    const silent = new ScriptedModel(...answers());
    await using session = await testSession({ model: silent, agents: AGENTS });
    assert.deepEqual(shown(await session.send("My bill?")), [["text", "Here it is."]]);
    assert.equal(silent.requests[0]?.thoughtSummaries, undefined);
  });
});
