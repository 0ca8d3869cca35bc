import { createPauses, ExpressionError, type JsonObject } from "#base";
import type { AgentNode } from "../app-index.ts";
import { runInTurn, type UserCodeTurn } from "../callbacks/user-code.ts";
import type { TurnEvent } from "../contract.ts";
import { isTruthy } from "../model-call/instruction-condition.ts";
import { stateValues, type Variables } from "../state/variables.ts";
import type { Spans } from "../trace.ts";
import type { NextStep, Turn } from "../turn/turn-context.ts";
import type { PreparedTransferRule } from "./transfer-rules.ts";
import { transferChunk } from "./transfer-to-agent.ts";

/** Most transfers by rules in one turn: hub and spoke apps chain a few, rules that contradict each other would never stop. */
const MOST_RULE_TRANSFERS = 10;

/** A turn as the conditions of transfer rules need it. */
export interface RuleTurn extends UserCodeTurn {
  readonly state: UserCodeTurn["state"] & Pick<Turn["state"], "hasPassedInput" | "guardrailAgainst">;
  readonly variables: Variables;
  readonly spans: Spans;
}

/**
 * Follows the first transfer rule of the active agent whose condition holds (TURN-24, TURN-26). Undefined = the agent stays
 * active. Rules that would transfer in circles are not followed further, and the trace has a warning.
 */
export async function* followTransferRules(turn: Turn): AsyncGenerator<TurnEvent, NextStep | undefined> {
  const { state, variables, spans, engine } = turn;
  const { agent } = state;
  const pause = createPauses();
  for (const rule of agent.transferRules.deterministic) {
    await pause();
    const startedAt = engine.clock.now();
    if (!(await holds(turn, rule))) continue;
    const target = targetOf(turn, rule);
    if (!target || goesInCircles(turn, rule)) continue;
    state.recordRuleTransfer({ rule, values: variables.values });
    spans.start("Transfer", startedAt).end(attributesOf(agent, target, rule));
    yield* turn.events.record(agent.displayName, [transferChunk(target)]);
    return { kind: "enter-agent", agent: target };
  }
  return undefined;
}

/** The agents that the model may not transfer to now, by a rule (TURN-27) or because a guardrail keeps the input from them (GUARD-2); undefined = none. */
export async function blockedTargets(turn: RuleTurn): Promise<ReadonlySet<string> | undefined> {
  const { state, index } = turn;
  const { planner } = state.agent.transferRules;
  if (planner.length === 0 && !state.hasPassedInput) return undefined;
  const guarded = state.hasPassedInput
    ? [...index.agents.values()].filter((agent) => state.guardrailAgainst(agent))
    : [];
  const blocked = new Set(guarded.map(({ name }) => name));
  const pause = createPauses();
  for (const rule of planner) {
    await pause();
    if (await holds(turn, rule)) blocked.add(rule.target);
  }
  return blocked.size === 0 ? undefined : blocked;
}

/** A condition that cannot be evaluated does not hold. */
async function holds(turn: RuleTurn, { label, condition }: PreparedTransferRule): Promise<boolean> {
  switch (condition.kind) {
    case "broken":
      turn.spans.warn(`${label}: ${condition.problem}`);
      return false;
    case "expression":
      try {
        return condition.expression.evaluate(valuesOf(turn));
      } catch (error) {
        if (!(error instanceof ExpressionError)) throw error;
        turn.spans.warn(`${label}: '${condition.text}' has no value, so the rule does not apply: ${error.message}`);
        return false;
      }
    case "python":
      return holdsInPython(turn, label, condition.code, condition.filename);
  }
}

async function holdsInPython(turn: RuleTurn, label: string, code: string, filename: string): Promise<boolean> {
  const entry = "should_trigger_transfer_callback";
  const hook = { code, filename, entry, positional: [{ kind: "callback-context" }] } as const;
  const outcome = await runInTurn(turn, hook, turn.variables);
  turn.signal.throwIfAborted();
  if (outcome.kind === "returned") {
    turn.variables.apply(outcome.state);
    return isTruthy(outcome.value);
  }
  turn.spans.warn(`${label}: the condition failed, so the rule does not apply: ${outcome.error}`);
  return false;
}

/**
 * Declared variables without a value are null: an expression may ask for that. Expressions go "over session state"
 * (TURN-28), and no source shows one, so the state also has the names that Python gives it, unless a variable has them.
 */
function valuesOf(turn: RuleTurn): JsonObject {
  const declared: JsonObject = {};
  for (const name of turn.index.variableNames) declared[name] = null;
  const state = { ...declared, ...stateValues(turn) };
  return { state, variables: state, context: { state, variables: state }, ...state };
}

function targetOf(turn: RuleTurn, { target, label }: PreparedTransferRule): AgentNode | undefined {
  const node = turn.index.agents.get(target);
  if (!node) turn.spans.warn(`${label}: leads to '${target}', which does not exist.`);
  return node;
}

/** Whether following the rule would repeat what this turn has seen: the same rule with nothing changed, or too many in all. */
function goesInCircles({ state, variables, spans }: Turn, rule: PreparedTransferRule): boolean {
  const { ruleTransfers } = state;
  const repeats = ruleTransfers.some((past) => past.rule === rule && past.values === variables.values);
  if (!repeats && ruleTransfers.length < MOST_RULE_TRANSFERS) return false;
  const chain = [...ruleTransfers.map((past) => past.rule.label), rule.label].join(" → ");
  spans.warn(`Transfer rules go in circles: ${chain}. '${state.agent.displayName}' answers.`);
  return true;
}

function attributesOf({ displayName }: AgentNode, target: AgentNode, rule: PreparedTransferRule): JsonObject {
  const { condition } = rule;
  return {
    agent: displayName,
    target: target.displayName,
    rule: rule.label,
    direction: rule.direction,
    condition: condition.kind === "expression" ? condition.text : condition.kind,
  };
}
