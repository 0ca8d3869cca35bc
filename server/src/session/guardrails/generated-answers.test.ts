import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ErrorHandlingSettings_ErrorHandlingStrategy as Strategy } from "@frontdesk/protos/ces/app";
import { type ConnectError, reasonOf } from "#status";
import { agentName, guardrailSpans, ScriptedModel, say, spoken, TEST_APP, testSession } from "#testing/engine";

const name = (id: string) => `${TEST_APP}/guardrails/${id}`;
const GENERATE = { action: { case: "generativeAnswer" as const, value: { prompt: "Decline kindly." } } };
const RESPOND = {
  action: { case: "respondImmediately" as const, value: { responses: [{ text: "Let us stay polite." }] } },
};

const TRANSFER = { action: { case: "transferAgent" as const, value: { agent: agentName("Other") } } };

/** Guardrails that ban a word in answers, by id; each with what it does. */
function banning(words: Readonly<Record<string, typeof GENERATE | typeof RESPOND | typeof TRANSFER>>) {
  const guardrails = Object.entries(words).map(([word, action]) => ({
    name: name(word),
    displayName: word,
    enabled: true,
    guardrailType: { case: "contentFilter" as const, value: { bannedContentsInAgentResponse: [word], matchType: 1 } },
    action,
  }));
  return { app: { guardrails: guardrails.map((guardrail) => guardrail.name) }, more: { guardrails } };
}

describe("a guardrail that transfers", () => {
  it("does so once in a turn: the agent that it leads to may be blocked by it, too (GUARD-33)", async () => {
    const { app, more } = banning({
      acme: TRANSFER,
    });
    const model = new ScriptedModel(say("Try Acme."), say("Try Acme."));
    await using session = await testSession({ model, agents: { Root: { children: ["Other"] }, Other: {} }, app, more });
    await assert.rejects(session.send("Where do I buy?"), (error: ConnectError) => {
      assert.equal(reasonOf(error), "GUARDRAIL_ANSWER_BLOCKED");
      assert.match(error.rawMessage, /Guardrail 'acme' triggered again after it had transferred to agent 'Other'/);
      return true;
    });
  });
});

describe("an answer that a model writes for a guardrail (GUARD-6)", () => {
  it("is judged like any other: another guardrail may take its place", async () => {
    const model = new ScriptedModel(say("Try Acme."), say("Acme is rude."));
    await using session = await testSession({
      model,
      agents: { Root: {} },
      ...banning({ acme: GENERATE, rude: RESPOND }),
    });
    // The first one that is listed decides, and what it would have written says its word again.
    await assert.rejects(
      session.send("Where do I buy?"),
      (error: ConnectError) => reasonOf(error) === "GUARDRAIL_ANSWER_BLOCKED",
    );
    model.extend(say("Try Acme."), say("That is rude."));
    const outputs = await session.send("Where do I buy?");
    assert.deepEqual(spoken(outputs), ["Let us stay polite."]);
    assert.deepEqual(
      guardrailSpans(outputs)?.map((attributes) => [attributes?.name, attributes?.triggered]),
      [
        ["acme", true],
        ["acme", false],
        ["rude", true],
      ],
    );
  });

  it("is handled by the app when it is blocked again, like an answer that did not come", async () => {
    const model = new ScriptedModel(say("Try Acme."), say("Not Acme."), say("Try Acme."), say(""));
    const { app, more } = banning({ acme: GENERATE });
    const errorHandlingSettings = {
      errorHandlingStrategy: Strategy.FALLBACK_RESPONSE,
      fallbackResponseConfig: { customFallbackMessages: { en: "I cannot say." } },
    };
    await using session = await testSession({
      model,
      agents: { Root: {} },
      app: { ...app, errorHandlingSettings },
      more,
    });
    assert.deepEqual(spoken(await session.send("Where do I buy?")), ["I cannot say."]);
    assert.deepEqual(spoken(await session.send("Where do I buy?")), ["I cannot say."], "nor when it is empty");
  });

  it("reaches the user when it passes", async () => {
    const model = new ScriptedModel(say("Try Acme."), say("I would rather not."));
    await using session = await testSession({ model, agents: { Root: {} }, ...banning({ acme: GENERATE }) });
    assert.deepEqual(spoken(await session.send("Where do I buy?")), ["I would rather not."]);
  });
});
