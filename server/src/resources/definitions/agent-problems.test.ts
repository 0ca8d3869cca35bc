import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { AgentSchema } from "@frontdesk/protos/ces/agent";
import type { AppState } from "../app-state.ts";
import type { PythonChecks } from "../python/python-checks.ts";
import { agentProblems } from "./agent-problems.ts";

/** Agents without callbacks and references need neither. */
const NOTHING = {} as AppState & PythonChecks;

describe("the conditions of transfer rules", () => {
  it("are told among an agent's validation errors when they cannot be read", async () => {
    const condition = (expression: string) => ({ case: "expressionCondition" as const, value: { expression } });
    const agent = create(AgentSchema, {
      displayName: "Root",
      transferRules: [
        { ruleType: { case: "deterministicTransfer", value: { conditionType: condition("tier == 'vip'") } } },
        { ruleType: { case: "deterministicTransfer", value: { conditionType: condition("tier = 'vip'") } } },
        { ruleType: { case: "disablePlannerTransfer", value: { expressionCondition: { expression: "" } } } },
      ],
    });
    const problems = await agentProblems(agent, NOTHING, NOTHING);
    assert.deepEqual(
      problems.map((problem) => problem.replace(/read: .*/, "read")),
      [
        "transfer_rules[1]: the expression 'tier = 'vip'' cannot be read",
        "transfer_rules[2]: the expression '' cannot be read",
      ],
    );
  });
});
