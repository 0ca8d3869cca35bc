import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { TransferRule_Direction as Direction } from "@frontdesk/protos/ces/agent_transfers";
import { ExecutionType } from "@frontdesk/protos/ces/common";
import { Guardrail_ContentFilter_MatchType as MatchType } from "@frontdesk/protos/ces/guardrail";
import { APP, openResources } from "./open-resources.ts";

const SORRY = { action: { case: "respondImmediately" as const, value: { responses: [{ text: "Sorry." }] } } };

describe("settings that do nothing, or not what they say", () => {
  it("are validation errors of an app: guardrails that judge nothing or cannot act", async () => {
    await using test = await openResources();
    const { name: root } = await test.call("createAgent", {
      parent: APP,
      agentId: "root-agent",
      agent: { displayName: "Root" },
    });
    await test.call("updateApp", { app: { name: APP, rootAgent: root } });
    const filter = { matchType: MatchType.SIMPLE_STRING_MATCH, bannedContents: ["x"] };
    const guardrails = {
      "No words": { guardrailType: { case: "contentFilter" as const, value: { bannedContents: [" "] } } },
      "No code": { guardrailType: { case: "codeCallback" as const, value: {} } },
      Exempting: {
        guardrailType: { case: "contentFilter" as const, value: { ...filter, sensitiveWordsExemptions: ["x ray"] } },
      },
      Silent: {
        guardrailType: { case: "contentFilter" as const, value: filter },
        action: {
          action: { case: "respondImmediately" as const, value: { responses: [{ text: "No.", disabled: true }] } },
        },
      },
      Good: { guardrailType: { case: "contentFilter" as const, value: filter } },
    };
    for (const [at, [displayName, guardrail]] of Object.entries(guardrails).entries())
      await test.call("createGuardrail", {
        parent: APP,
        guardrailId: `guardrail-${at}`,
        guardrail: { displayName, action: SORRY, ...guardrail },
      });
    const { validationErrors } = await test.call("getApp", { name: APP });
    assert.deepEqual([...validationErrors].sort(), [
      "Guardrail 'Exempting', content_filter.sensitive_words_exemptions: is not applied here, so those words are blocked, too.",
      "Guardrail 'No code', code_callback: has no code, so it judges nothing; write a callback.",
      "Guardrail 'No words', content_filter: bans nothing, so it judges nothing; write banned_contents.",
      "Guardrail 'Silent' has no enabled response to give, so turns fail when it triggers; enable one.",
    ]);
  });

  it("are validation errors of an app: a time zone that there is none of (TURN-65)", async () => {
    await using test = await openResources();
    const { name: root } = await test.call("createAgent", {
      parent: APP,
      agentId: "root-agent",
      agent: { displayName: "Root" },
    });
    const errors = async (timeZone: string) => {
      await test.call("updateApp", { app: { name: APP, rootAgent: root, timeZoneSettings: { timeZone } } });
      return (await test.call("getApp", { name: APP })).validationErrors;
    };
    assert.deepEqual(await errors("Mars/Phobos"), [
      "time_zone_settings.time_zone: 'Mars/Phobos' is not a time zone of the IANA database, such as 'Europe/Paris', so dates are those of UTC.",
    ]);
    assert.deepEqual(await errors("Europe/Paris"), []);
  });

  it("are validation errors of an agent: transfer rules that no turn follows (TURN-25)", async () => {
    await using test = await openResources();
    for (const id of ["child-agent", "other-agent"])
      await test.call("createAgent", { parent: APP, agentId: id, agent: { displayName: id } });
    const child = `${APP}/agents/child-agent`;
    const expression = { expressionCondition: { expression: "true" } };
    const rule = { case: "disablePlannerTransfer" as const, value: expression };
    const agent = {
      displayName: "Root",
      childAgents: [child],
      transferRules: [
        { childAgent: child, direction: Direction.PARENT_TO_CHILD, ruleType: rule },
        { childAgent: child, direction: Direction.PARENT_TO_CHILD },
        { childAgent: `${APP}/agents/other-agent`, direction: Direction.CHILD_TO_PARENT, ruleType: rule },
      ],
    };
    const { validationErrors } = await test.call("createAgent", { parent: APP, agentId: "root-agent", agent });
    assert.deepEqual(validationErrors, [
      "transfer_rules[1]: has no type, so it does nothing; set deterministic_transfer or disable_planner_transfer.",
      "transfer_rules[2]: 'other-agent' is no child of this agent, so the rule does nothing; add it to child_agents.",
    ]);
  });

  it("are validation errors of an app: settings that a kind of tool does not have (TOOL-25)", async () => {
    await using test = await openResources();
    const { name: root } = await test.call("createAgent", {
      parent: APP,
      agentId: "root-agent",
      agent: { displayName: "Root" },
    });
    await test.call("updateApp", { app: { name: APP, rootAgent: root } });
    const timeout = { seconds: 5n };
    const executionType = ExecutionType.ASYNCHRONOUS;
    const tools = [
      { timeout, executionType, toolType: { case: "agentTool" as const, value: { name: "ask", agent: root } } },
      { timeout, executionType, toolType: { case: "widgetTool" as const, value: { name: "show" } } },
      {
        timeout,
        executionType,
        toolFakeConfig: { enableFakeMode: true },
        toolType: { case: "clientFunction" as const, value: { name: "locate", description: "Where." } },
      },
    ];
    for (const [at, tool] of tools.entries())
      await test.call("createTool", { parent: APP, toolId: `tool-${at}`, tool });
    const { validationErrors } = await test.call("getApp", { name: APP });
    assert.deepEqual([...validationErrors].sort(), [
      "Tool 'ask', timeout: has no effect: the other agent takes the time that it needs.",
      "Tool 'locate', timeout: has no effect: the client takes the time that it needs.",
      "Tool 'locate', tool_fake_config: enable_fake_mode has no effect, since there is no code_block.",
      "Tool 'show', execution_type: ASYNCHRONOUS has no effect: nothing waits for a widget.",
      "Tool 'show', timeout: has no effect: the client takes the time that it needs.",
    ]);
  });
});
