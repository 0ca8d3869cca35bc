import { ExpressionError, type JsonObject } from "#base";
import { runUserCode } from "#tools";
import type { AgentNode } from "../app-index.ts";
import { toolContext } from "../callbacks/run-callbacks.ts";
import type { TurnEvent } from "../contract.ts";
import { isTruthy } from "../model-call/instruction-condition.ts";
import { predefinedOf } from "../state/variables.ts";
import { transferChunk } from "../turn/act-on-output.ts";
import { record } from "../turn/events.ts";
import type { NextStep, TurnRun } from "../turn/turn-context.ts";
import type { PreparedRule } from "./transfer-rules.ts";

/** Most hand-overs by rules in one turn: hub and spoke apps chain a few, rules that contradict each other would never stop. */
const MOST_HANDOVERS = 10;

/**
 * Follows the first transfer rule of the active agent whose condition holds (TURN-24, TURN-26). Undefined = the agent keeps the
 * conversation. Rules that send the conversation round in circles are followed no further; the trace says so.
 */
export async function* followRules(turn: TurnRun): AsyncGenerator<TurnEvent, NextStep | undefined> {
  for (const rule of turn.agent.transferRules.deterministic) {
    const startedAt = turn.engine.clock.now();
    if (!(await holds(turn, rule))) continue;
    const target = targetOf(turn, rule);
    if (!target || goesInCircles(turn, rule)) continue;
    turn.handovers.push({ rule, values: turn.variables.values });
    turn.spans.start("Transfer", startedAt).end(attributesOf(turn.agent, target, rule));
    yield* record(turn, turn.agent.displayName, [transferChunk(target)]);
    return { kind: "enter-agent", agent: target };
  }
  return undefined;
}

/** The agents that the model may not hand over to now (TURN-27); undefined = none, which costs nothing to find out. */
export async function blockedTargets(turn: TurnRun): Promise<ReadonlySet<string> | undefined> {
  const { planner } = turn.agent.transferRules;
  if (planner.length === 0) return undefined;
  const blocked = new Set<string>();
  for (const rule of planner) if (await holds(turn, rule)) blocked.add(rule.target);
  return blocked.size === 0 ? undefined : blocked;
}

/** A condition that cannot be answered does not hold. */
async function holds(turn: TurnRun, { label, condition }: PreparedRule): Promise<boolean> {
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

async function holdsInPython(turn: TurnRun, label: string, code: string, filename: string): Promise<boolean> {
  const answer = await runUserCode(
    {
      code,
      filename,
      entry: "should_trigger_transfer_callback",
      positional: [{ kind: "callback-context" }],
      context: toolContext(turn, turn.variables),
    },
    turn.engine,
  );
  turn.signal.throwIfAborted();
  if (answer.kind === "returned") {
    turn.variables.apply(answer.state);
    return isTruthy(answer.value);
  }
  turn.spans.warn(`${label}: the condition failed, so the rule does not apply: ${answer.error}`);
  return false;
}

/**
 * Declared variables without a value are null: an expression may ask for that. Expressions go "over session state"
 * (TURN-28), and no source shows one, so the state also has the names that Python gives it, unless a variable has them.
 */
function valuesOf(turn: TurnRun): JsonObject {
  const declared: JsonObject = {};
  for (const name of turn.index.variableNames) declared[name] = null;
  const state = { ...declared, ...predefinedOf(turn), ...turn.variables.values };
  return { state, variables: state, context: { state, variables: state }, ...state };
}

function targetOf(turn: TurnRun, { target, label }: PreparedRule): AgentNode | undefined {
  const node = turn.index.agents.get(target);
  if (!node) turn.spans.warn(`${label}: leads to '${target}', which does not exist.`);
  return node;
}

/** Whether following the rule would repeat what this turn has seen: the same rule with nothing changed, or too many in all. */
function goesInCircles(turn: TurnRun, rule: PreparedRule): boolean {
  const { handovers, variables } = turn;
  const repeats = handovers.some((past) => past.rule === rule && past.values === variables.values);
  if (!repeats && handovers.length < MOST_HANDOVERS) return false;
  const way = [...handovers.map((past) => past.rule.label), rule.label].join(" → ");
  turn.spans.warn(`Transfer rules go in circles: ${way}. '${turn.agent.displayName}' answers.`);
  return true;
}

function attributesOf({ displayName }: AgentNode, target: AgentNode, rule: PreparedRule): JsonObject {
  const { condition } = rule;
  return {
    agent: displayName,
    target: target.displayName,
    rule: rule.label,
    direction: rule.direction,
    condition: condition.kind === "expression" ? condition.text : condition.kind,
  };
}
