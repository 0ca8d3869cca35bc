import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { type Agent, AgentSchema } from "@frontdesk/protos/ces/agent";
import { AppSchema } from "@frontdesk/protos/ces/app";
import type { JsonObject } from "#base";
import { createFindings } from "../findings.ts";
import { toMessage } from "./to-message.ts";

function make(json: JsonObject) {
  const findings = createFindings();
  return { made: toMessage(AgentSchema, json, "agents/A/A.json", findings), warnings: findings.warnings };
}

function agentOf(json: JsonObject): { agent: Agent; warnings: readonly string[] } {
  const { made, warnings } = make(json);
  assert.equal(made.kind, "made");
  return { agent: made.kind === "made" ? made.message : create(AgentSchema), warnings };
}

describe("A manifest's fields", () => {
  it("are parsed in both spellings, enums by name or number, integers as numbers or strings", () => {
    const { agent, warnings } = agentOf({
      display_name: "A",
      childAgents: ["B"],
      transfer_rules: [
        { child_agent: "B", direction: 1 },
        { childAgent: "C", direction: "CHILD_TO_PARENT" },
      ],
    });
    assert.deepEqual(
      [
        agent.displayName,
        agent.childAgents,
        agent.transferRules.map(({ childAgent, direction }) => [childAgent, direction]),
      ],
      [
        "A",
        ["B"],
        [
          ["B", 1],
          ["C", 2],
        ],
      ],
    );
    assert.deepEqual(warnings, []);
  });

  it("are warnings when they are unknown, output only, or of an unknown enum", () => {
    const { agent, warnings } = agentOf({
      displayName: "A",
      _comment: "x",
      declarativeAgent: { configSource: {} },
      etag: "abc",
      updateTime: "2026-01-01T00:00:00Z",
      afterToolCallbacks: [{ pythonCode: "x", extra: 1, disabled: "Yes" }],
      transferRules: [
        { childAgent: "B", direction: "SIDEWAYS" },
        { childAgent: "B", direction: "parent_to_child" },
      ],
    });
    assert.equal(agent.transferRules[1]?.direction, 1);
    assert.deepEqual(warnings, [
      "agents/A/A.json: _comment: is not a known field and was ignored.",
      "agents/A/A.json: declarativeAgent: is not a known field and was ignored.",
      "agents/A/A.json: etag: is set by the server only and was ignored.",
      "agents/A/A.json: updateTime: is set by the server only and was ignored.",
      "agents/A/A.json: afterToolCallbacks[0].extra: is not a known field and was ignored.",
      "agents/A/A.json: afterToolCallbacks[0].disabled: is 'Yes' and was read as true.",
      "agents/A/A.json: transferRules[0].direction: is 'SIDEWAYS', which is not known here and has no effect: known are DIRECTION_UNSPECIFIED, PARENT_TO_CHILD, CHILD_TO_PARENT.",
      "agents/A/A.json: transferRules[1].direction: is 'parent_to_child' and was read as PARENT_TO_CHILD.",
    ]);
  });

  it("of the wrong type fail together, each by its path", () => {
    assert.deepEqual(
      make({
        displayName: 7,
        tools: "end_session",
        childAgents: [{}],
        modelSettings: [],
        beforeAgentCallbacks: [{ disabled: "maybe" }],
        transferRules: null,
        remoteDialogflowAgent: { inputVariableMapping: { a: 1 } },
      }).made,
      {
        kind: "failed",
        reasons: [
          { field: "agents/A/A.json: displayName", description: "must be a string, not 7" },
          { field: "agents/A/A.json: tools", description: 'must be a list, not "end_session"' },
          { field: "agents/A/A.json: childAgents[0]", description: "must be a string, not an object" },
          { field: "agents/A/A.json: modelSettings", description: "must be an object, not a list" },
          {
            field: "agents/A/A.json: beforeAgentCallbacks[0].disabled",
            description: 'must be true or false, not "maybe"',
          },
          {
            field: 'agents/A/A.json: remoteDialogflowAgent.inputVariableMapping["a"]',
            description: "must be a string, not 1",
          },
        ],
      },
    );
  });

  it("of one oneof cannot both be set", () => {
    const { made } = make({ llmAgent: {}, remoteDialogflowAgent: {} });
    assert.equal(made.kind, "failed");
  });

  it("named like object internals are unknown fields", () => {
    const { agent, warnings } = agentOf(
      JSON.parse(
        '{"displayName": "A", "__proto__": {"x": 1}, "constructor": 1, "remoteDialogflowAgent": {"inputVariableMapping": {"__proto__": "y"}}}',
      ) as JsonObject,
    );
    const mapping = agent.agentType.case === "remoteDialogflowAgent" ? agent.agentType.value.inputVariableMapping : {};
    assert.deepEqual(Object.entries(mapping), [["__proto__", "y"]]);
    assert.deepEqual(warnings, [
      "agents/A/A.json: __proto__: is not a known field and was ignored.",
      "agents/A/A.json: constructor: is not a known field and was ignored.",
    ]);
  });

  it("of an export of October 2025 are moved to their present place", () => {
    const findings = createFindings();
    const made = toMessage(
      AppSchema,
      {
        evaluationMetricsThresholds: {
          goldenEvaluationMetricsThresholds: {
            turnLevelMetricsThresholds: {
              semanticSimilaritySuccessThreshold: 3,
              expectationLevelMetricsThresholds: { toolInvocationParameterCorrectnessThreshold: 1 },
            },
          },
        },
      },
      "app.yaml",
      findings,
    );
    const thresholds =
      made.kind === "made" ? made.message.evaluationMetricsThresholds?.goldenEvaluationMetricsThresholds : undefined;
    assert.equal(thresholds?.expectationLevelMetricsThresholds?.toolInvocationParameterCorrectnessThreshold, 1);
    assert.equal(thresholds?.turnLevelMetricsThresholds?.semanticSimilaritySuccessThreshold, 3);
    assert.deepEqual(findings.warnings, []);
  });
});
