import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { TransferRule_Direction as Direction, type TransferRuleSchema } from "@frontdesk/protos/ces/agent_transfers";
import type { SessionOutput } from "@frontdesk/protos/ces/session_service";
import { agentName, call, ScriptedModel, say, spoken, testSandbox, testSession } from "#testing/engine";

type RuleInit = MessageInitShape<typeof TransferRuleSchema>;

const sandbox = testSandbox();
after(() => sandbox.close());

const expression = (text: string) => ({ case: "expressionCondition" as const, value: { expression: text } });
const down = (childAgent: string, text: string): RuleInit => ({
  childAgent: agentName(childAgent),
  direction: Direction.PARENT_TO_CHILD,
  ruleType: { case: "deterministicTransfer", value: { conditionType: expression(text) } },
});
const up = (childAgent: string, text: string): RuleInit => ({
  childAgent: agentName(childAgent),
  direction: Direction.CHILD_TO_PARENT,
  ruleType: { case: "deterministicTransfer", value: { conditionType: expression(text) } },
});
const python = (childAgent: string, pythonCode: string): RuleInit => ({
  childAgent: agentName(childAgent),
  direction: Direction.PARENT_TO_CHILD,
  ruleType: {
    case: "deterministicTransfer",
    value: { conditionType: { case: "pythonCodeCondition", value: { pythonCode } } },
  },
});
const noPlanner = (childAgent: string, text: string, direction = Direction.PARENT_TO_CHILD): RuleInit => ({
  childAgent: agentName(childAgent),
  direction,
  ruleType: { case: "disablePlannerTransfer", value: { expressionCondition: { expression: text } } },
});

const withRules = (children: readonly string[], ...transferRules: readonly RuleInit[]) => ({
  children,
  more: { transferRules: [...transferRules] },
});

function trace(outputs: readonly SessionOutput[]) {
  const root = outputs.at(-1)?.diagnosticInfo?.rootSpan;
  return {
    transfers: root?.childSpans.filter(({ name }) => name === "Transfer").map(({ attributes }) => attributes),
    warnings: root?.attributes?.warnings,
  };
}

describe("a deterministic transfer rule", () => {
  it("transfers before the model is called, the first in list order whose condition is true, with a span", async () => {
    const model = new ScriptedModel(say("VIP desk."));
    await using session = await testSession({
      model,
      agents: {
        Root: withRules(
          ["A", "B"],
          down("A", "tier == 'none'"),
          down("B", "tier == 'vip' && orders > 2"),
          down("A", "true"),
        ),
        A: {},
        B: {},
      },
      variables: { tier: "vip", orders: 3 },
    });
    const outputs = await session.send("Hi");
    assert.deepEqual(spoken(outputs), ["VIP desk."]);
    assert.deepEqual(trace(outputs), {
      transfers: [
        {
          agent: "Root",
          target: "B",
          rule: "Root, transfer_rules[1]",
          direction: "PARENT_TO_CHILD",
          condition: "tier == 'vip' && orders > 2",
        },
      ],
      warnings: undefined,
    });
    assert.deepEqual(
      outputs
        .at(-1)
        ?.diagnosticInfo?.messages.map(({ role, chunks }) => [role, ...chunks.map(({ data }) => data.case)]),
      [
        ["user", "defaultVariables", "text"],
        ["Root", "agentTransfer"],
        ["B", "text"],
      ],
    );
  });

  for (const name of ["state.tier", "variables.tier", "context.variables.tier"]) {
    it(`may call a variable ${name}, as Python does`, async () => {
      await using session = await testSession({
        model: new ScriptedModel(say("VIP desk.")),
        agents: { Root: withRules(["A"], down("A", `${name} == 'vip'`)), A: {} },
        variables: { tier: "vip" },
      });
      const { transfers, warnings } = trace(await session.send("Hello"));
      assert.deepEqual([transfers?.map((each) => each?.target), warnings], [["A"], undefined]);
    });
  }

  it("is evaluated after before_agent callbacks, and rules chain within one turn through the hub", async () => {
    const model = new ScriptedModel(say("Invoices here."));
    await using session = await testSession({
      model,
      sandbox,
      agents: {
        Hub: withRules(["Orders", "Billing"], down("Billing", "topic == 'billing'"), up("Orders", "topic != 'orders'")),
        Orders: {
          beforeAgent: ["def before_agent_callback(context):\n  context.state['topic'] = 'billing'"],
        },
        Billing: {},
      },
      variables: { topic: "orders" },
    });
    const outputs = await session.send("My invoice", { config: { entryAgent: agentName("Orders") } });
    assert.deepEqual(spoken(outputs), ["Invoices here."]);
    assert.deepEqual(
      trace(outputs).transfers?.map((attributes) => [attributes?.agent, attributes?.target, attributes?.direction]),
      [
        ["Orders", "Hub", "CHILD_TO_PARENT"],
        ["Hub", "Billing", "PARENT_TO_CHILD"],
      ],
    );
  });

  it("may be Python, called by position whatever its parameter is named; what it writes stays", async () => {
    const code = `def should_trigger_transfer_callback(context) -> bool:
  context.state['seen'] = True
  return 'person' if 'person' in context.get_last_user_input()[0].text else ''`;
    const model = new ScriptedModel(say("Root."), say("Desk."));
    await using session = await testSession({
      model,
      sandbox,
      agents: { Root: withRules(["Desk"], python("Desk", code)), Desk: {} },
      variables: { seen: undefined },
    });
    assert.deepEqual(spoken(await session.send("hello")), ["Root."]);
    assert.deepEqual(spoken(await session.send("person")), ["Desk."]);
  });

  it("that cannot be parsed, has no value, fails or has no target does not apply, with a warning in the trace", async () => {
    const model = new ScriptedModel(say("Still here."));
    await using session = await testSession({
      model,
      sandbox,
      agents: {
        Root: withRules(
          ["A"],
          down("A", "(("),
          down("A", "unknown == 1"),
          down("A", "unset == 'x'"),
          python("A", "def other(context): return True"),
          down("Nobody", "true"),
        ),
        A: {},
      },
      variables: { unset: undefined },
    });
    const outputs = await session.send("Hi");
    assert.deepEqual(spoken(outputs), ["Still here."]);
    const warnings = trace(outputs).warnings;
    assert.ok(Array.isArray(warnings));
    assert.deepEqual(
      warnings.map((text) => String(text).replace(/(read|applies|apply|exist)\b.*/, "$1")),
      [
        "Root, transfer_rules[0]: the expression '((' cannot be read",
        "Root, transfer_rules[1]: 'unknown == 1' has no value, so the rule does not apply",
        "Root, transfer_rules[3]: the condition failed, so the rule does not apply",
        `Root, transfer_rules[4]: leads to '${agentName("Nobody")}', which does not exist`,
      ],
    );
  });

  it("does not loop: when nothing has changed the agent answers, and the trace shows the path", async () => {
    const model = new ScriptedModel(say("I stay."));
    await using session = await testSession({
      model,
      agents: { Root: withRules(["A"], down("A", "true"), up("A", "true")), A: {} },
    });
    const outputs = await session.send("Hi");
    assert.deepEqual(spoken(outputs), ["I stay."]);
    assert.deepEqual(trace(outputs).warnings, [
      "Transfer rules go in circles: Root, transfer_rules[0] → Root, transfer_rules[1] → Root, transfer_rules[0]. 'Root' answers.",
    ]);
  });
});

describe("a rule that disables planner transfers", () => {
  it("removes the agent from the offered targets and answers a call to it with the reason", async () => {
    const model = new ScriptedModel(call("transfer_to_agent", { agent_name: "A" }), say("Sorry."), say("And now."));
    await using session = await testSession({
      model,
      agents: { Root: withRules(["A", "B"], noPlanner("A", "locked")), A: {}, B: {} },
      variables: { locked: true },
    });
    await session.send("A please");
    const targets = (position: number) => model.requests[position]?.tools[0]?.parameters.properties;
    const offer = (...names: readonly string[]) => ({
      agent_name: { type: "string", description: "Name of the agent that takes over.", enum: names },
    });
    assert.deepEqual(targets(0), offer("B"));
    assert.doesNotMatch(model.requests[0]?.system ?? "", /Agent name: A/);
    assert.deepEqual(model.requests[1]?.messages.at(-1)?.parts, [
      {
        kind: "function-response",
        id: "call-transfer_to_agent",
        name: "transfer_to_agent",
        response: {
          status: "error",
          error: "Agent A cannot take over now: a transfer rule or a guardrail of the app forbids it. Agents: B.",
        },
      },
    ]);
    await session.send([
      { case: "variables", value: { locked: false } },
      { case: "text", value: "again" },
    ]);
    assert.deepEqual(targets(2), offer("A", "B"));
  });

  it("also disables the transfer back, and with the last target the function is not offered", async () => {
    const model = new ScriptedModel(say("Here."));
    await using session = await testSession({
      model,
      agents: { Root: withRules(["A"], noPlanner("A", "true", Direction.CHILD_TO_PARENT)), A: {} },
    });
    await session.send("Hi", { config: { entryAgent: agentName("A") } });
    assert.deepEqual(model.requests[0]?.tools, []);
    assert.equal(model.requests[0]?.system, "");
  });
});
