import type { Agent } from "@frontdesk/protos/ces/agent";
import {
  TransferRule_Direction as Direction,
  type TransferRule,
  type TransferRule_DeterministicTransfer,
} from "@frontdesk/protos/ces/agent_transfers";
import { type Expression, ExpressionError, fileSafeName, parseExpression } from "#base";

/** A condition ready to be evaluated. An invalid one never holds; the trace has the reason. */
type TransferCondition =
  | { readonly kind: "expression"; readonly text: string; readonly expression: Expression }
  | { readonly kind: "python"; readonly code: string; readonly filename: string }
  | { readonly kind: "broken"; readonly problem: string };

/** A rule that applies to an agent while it is active. */
export interface PreparedTransferRule {
  /** Its place in the app, for traces: `Root, transfer_rules[0]`. */
  readonly label: string;
  /** Resource name of the agent it leads to. */
  readonly target: string;
  readonly direction: "PARENT_TO_CHILD" | "CHILD_TO_PARENT";
  /** Read when it is first asked for: an agent can have hundreds of rules. */
  readonly condition: TransferCondition;
}

/** The rules of an agent by what they do, each list in the order in which they count. */
export interface TransferRules {
  /** Transfer as soon as their condition holds. */
  readonly deterministic: readonly PreparedTransferRule[];
  /** Keep the model from transferring to their target while their condition holds. */
  readonly planner: readonly PreparedTransferRule[];
}

const NO_RULES: TransferRules = { deterministic: [], planner: [] };

/**
 * The rules that apply to an agent (TURN-25): those of its own list that lead away from it, then those that its parent
 * has about transfers from this child back to it.
 */
export function prepareTransferRules(agent: Agent, parent: Agent | undefined): TransferRules {
  if (agent.transferRules.length === 0 && !parent?.transferRules.length) return NO_RULES;
  const own = agent.transferRules.flatMap((rule, position) => prepare(rule, agent, position, agent, parent));
  const ofParent = parent?.transferRules.flatMap((rule, position) => prepare(rule, parent, position, agent, parent));
  const rules = [...own, ...(ofParent ?? [])];
  return {
    deterministic: rules.flatMap(({ kind, rule }) => (kind === "deterministicTransfer" ? [rule] : [])),
    planner: rules.flatMap(({ kind, rule }) => (kind === "disablePlannerTransfer" ? [rule] : [])),
  };
}

interface KindOfRule {
  readonly kind: NonNullable<TransferRule["ruleType"]["case"]>;
  readonly rule: PreparedTransferRule;
}

/** A rule of `owner`'s list as it applies to `agent`; nothing when it applies to another agent or the other direction. */
function prepare(
  { ruleType, childAgent, direction }: TransferRule,
  owner: Agent,
  position: number,
  agent: Agent,
  parent: Agent | undefined,
): readonly KindOfRule[] {
  if (ruleType.case === undefined) return [];
  const label = `${owner.displayName}, transfer_rules[${position}]`;
  const filename = `agents/${fileSafeName(owner.displayName)}/transfer_rules/transfer_rules_${String(position + 1).padStart(2, "0")}/deterministic_transfer/python_code_condition/python_code.py`;
  const read = () =>
    ruleType.case === "deterministicTransfer"
      ? conditionOf(ruleType.value, filename)
      : expressionOf(ruleType.value.expressionCondition?.expression ?? "");
  const kind = ruleType.case;
  if (direction === Direction.PARENT_TO_CHILD && owner === agent) {
    return [{ kind, rule: withCondition({ label, target: childAgent, direction: "PARENT_TO_CHILD" }, read) }];
  }
  if (direction === Direction.CHILD_TO_PARENT && childAgent === agent.name && parent) {
    return [{ kind, rule: withCondition({ label, target: parent.name, direction: "CHILD_TO_PARENT" }, read) }];
  }
  return [];
}

function withCondition(
  rule: Omit<PreparedTransferRule, "condition">,
  read: () => TransferCondition,
): PreparedTransferRule {
  let condition: TransferCondition | undefined;
  return {
    ...rule,
    get condition() {
      condition ??= read();
      return condition;
    },
  };
}

function conditionOf({ conditionType }: TransferRule_DeterministicTransfer, filename: string): TransferCondition {
  if (conditionType.case === "pythonCodeCondition") {
    return { kind: "python", code: conditionType.value.pythonCode, filename };
  }
  return expressionOf(conditionType.value?.expression ?? "");
}

function expressionOf(text: string): TransferCondition {
  try {
    return { kind: "expression", text, expression: parseExpression(text) };
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { kind: "broken", problem: `the expression '${text}' cannot be read: ${error.message}` };
  }
}
