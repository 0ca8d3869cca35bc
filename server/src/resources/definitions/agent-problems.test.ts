import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { AgentSchema } from "@frontdesk/protos/ces/agent";
import type { AppView } from "../define-resource.ts";
import type { PythonChecks } from "../python/python-checks.ts";
import { agentProblems } from "./agent-problems.ts";

/** Agents without callbacks and references need neither. */
const EMPTY = { server: { instructionProblems: () => [] as string[] } } as unknown as AppView & PythonChecks;

describe("the conditions of transfer rules", () => {
  it("are reported as validation errors of the agent when they cannot be parsed", async () => {
    const condition = (expression: string) => ({ case: "expressionCondition" as const, value: { expression } });
    const agent = create(AgentSchema, {
      displayName: "Root",
      transferRules: [
        { ruleType: { case: "deterministicTransfer", value: { conditionType: condition("tier == 'vip'") } } },
        { ruleType: { case: "deterministicTransfer", value: { conditionType: condition("tier = 'vip'") } } },
        { ruleType: { case: "disablePlannerTransfer", value: { expressionCondition: { expression: "" } } } },
      ],
    });
    const problems = await agentProblems(agent, EMPTY, EMPTY);
    assert.deepEqual(
      problems.map((problem) => problem.replace(/parsed: .*/, "parsed")),
      [
        "transfer_rules[1]: the expression 'tier = 'vip'' cannot be parsed",
        "transfer_rules[2]: the expression '' cannot be parsed",
      ],
    );
  });
});
