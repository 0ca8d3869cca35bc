import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ErrorHandlingSettings_ErrorHandlingStrategy as Strategy } from "@frontdesk/protos/ces/app";
import { Guardrail_ContentFilter_MatchType as MatchType } from "@frontdesk/protos/ces/guardrail";
import { Code, ConnectError, reasonOf } from "#status";
import { agentName, call, ScriptedModel, say, spoken, TEST_APP, testSession } from "#testing/engine";

/** A guardrail against a word that passes the input to another agent. */
function passingOn(word: string, target: string) {
  const value = { matchType: MatchType.SIMPLE_STRING_MATCH, bannedContentsInUserInput: [word] };
  return {
    name: `${TEST_APP}/guardrails/${word}`,
    displayName: `No ${word}`,
    enabled: true,
    guardrailType: { case: "contentFilter" as const, value },
    action: { action: { case: "transferAgent" as const, value: { agent: agentName(target) } } },
  };
}

const guardedBy = (...words: readonly string[]) => ({
  guardrails: words.map((word) => `${TEST_APP}/guardrails/${word}`),
});

describe("an input that a guardrail kept from an agent and passed to another (GUARD-2)", () => {
  const circle = {
    agents: { Root: { more: guardedBy("gold") }, Vault: { more: guardedBy("ring") } },
    more: { guardrails: [passingOn("gold", "Vault"), passingOn("ring", "Root")] },
  };

  it("does not come back to it by a guardrail of the other", async () => {
    await using session = await testSession({ model: new ScriptedModel(), ...circle });
    await assert.rejects(session.send("a gold ring"), (error: unknown) => {
      assert.ok(error instanceof ConnectError);
      assert.equal(error.code, Code.FailedPrecondition);
      assert.equal(reasonOf(error), "GUARDRAIL_INPUT_BLOCKED");
      assert.equal(
        error.rawMessage,
        "Guardrail 'No gold' keeps this input from agent 'Root', to which it was transferred, so no agent may answer it.",
      );
      return true;
    });
  });

  it("is answered as the app handles failures", async () => {
    await using session = await testSession({
      model: new ScriptedModel(),
      ...circle,
      app: {
        errorHandlingSettings: {
          errorHandlingStrategy: Strategy.FALLBACK_RESPONSE,
          fallbackResponseConfig: { customFallbackMessages: { "en-US": "No." } },
        },
      },
    });
    assert.deepEqual(spoken(await session.send("a gold ring")), ["No."]);
  });

  it("does not come back to it, or to another agent with the guardrail, by a transfer of the model", async () => {
    const model = new ScriptedModel(
      call("transfer_to_agent", { agent_name: "Root" }),
      call("transfer_to_agent", { agent_name: "Bank" }, "call-2"),
      call("transfer_to_agent", { agent_name: "Clerk" }, "call-3"),
      say("Clerk speaking."),
    );
    await using session = await testSession({
      model,
      agents: {
        Root: { children: ["Vault"], more: guardedBy("gold") },
        Vault: { children: ["Bank", "Clerk"] },
        Bank: { more: guardedBy("gold") },
        Clerk: {},
      },
      more: { guardrails: [passingOn("gold", "Vault")] },
    });
    assert.deepEqual(spoken(await session.send("gold")), ["Clerk speaking."]);
    assert.deepEqual(
      model.requests.slice(1, 3).map(({ messages }) => messages.at(-1)?.parts.at(-1)),
      ["Root", "Bank"].map((name, at) => ({
        kind: "function-response",
        id: ["call-transfer_to_agent", "call-2"][at],
        name: "transfer_to_agent",
        response: {
          status: "error",
          error: `Agent ${name} cannot take over now: a transfer rule or a guardrail of the app forbids it. Agents: Clerk.`,
        },
      })),
    );
  });

  it("is free for all agents in the next turn", async () => {
    const model = new ScriptedModel(say("Vault."), call("transfer_to_agent", { agent_name: "Root" }), say("Root."));
    await using session = await testSession({
      model,
      agents: { Root: { children: ["Vault"], more: guardedBy("gold") }, Vault: {} },
      more: { guardrails: [passingOn("gold", "Vault")] },
    });
    assert.deepEqual(spoken(await session.send("gold")), ["Vault."]);
    assert.deepEqual(spoken(await session.send("silver")), ["Root."]);
  });
});
