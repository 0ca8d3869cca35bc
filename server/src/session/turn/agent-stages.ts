import type { AgentNode } from "../app-index.ts";
import { runCallbacks } from "../callbacks/run-callbacks.ts";
import type { TurnEvent } from "../contract.ts";
import { visitDialogflow } from "../dialogflow/visit-dialogflow.ts";
import { guardByCode, guardInput } from "../guardrails/guard.ts";
import { releaseInput } from "../guardrails/held-input.ts";
import { fromContent } from "../model-call/model-output.ts";
import { offeredTools } from "../tool-calls/offered-tools.ts";
import { followRules } from "../transfers/follow-rules.ts";
import { record } from "./events.ts";
import { countPass, deliver } from "./step.ts";
import type { NextStep, TurnRun } from "./turn-context.ts";

/**
 * An agent takes the conversation: its guardrails judge the input, then its before_agent callbacks run, on every turn and after every transfer. A returned
 * `Content` is its whole answer: the agent is skipped, its model and its after_agent callbacks with it (CB-9).
 */
export async function* enterAgent(turn: TurnRun, agent: AgentNode): AsyncGenerator<TurnEvent, NextStep> {
  turn.agent = agent;
  const blocked = yield* guardInput(turn);
  if (blocked) return blocked;
  const { agentType } = agent.agent;
  if (agentType.case === "remoteDialogflowAgent") return yield* visitDialogflow(turn, agent, agentType.value);
  if (turn.dialogflow.visiting !== "") turn.dialogflow = { ...turn.dialogflow, visiting: "" };
  if (actsFirst(agent)) {
    const stopped = yield* releaseInput(turn);
    if (stopped) return stopped;
  }
  const { problems } = await offeredTools(turn, agent);
  for (const problem of [...problems, ...agent.instruction.problems]) turn.spans.warn(problem);
  const answer = await runCallbacks(turn, agent, {
    stage: "before_agent",
    variables: turn.variables,
    args: () => [{ kind: "callback-context" }],
    accept: fromContent,
  });
  yield* record(turn, agent.displayName, []);
  if (!answer) {
    turn.entered.push(agent);
    return (yield* followRules(turn)) ?? { kind: "call-model" };
  }
  // Counted, because an answer may be a transfer: agents that hand over to each other here would never end.
  countPass(turn);
  const next = yield* deliver(turn, answer, await offeredTools(turn, agent));
  return next.kind === "call-model" ? { kind: "respond" } : next;
}

/** Whether code or rules of the agent come before its model: they must not see words that may yet be blocked. */
function actsFirst({ callbacks, transferRules }: AgentNode): boolean {
  return callbacks.before_agent.length > 0 || transferRules.deterministic.length > 0;
}

/**
 * The after_agent callbacks of every agent that took part, the innermost first, as nested agents end in the runtime. What
 * one returns is added to the answer (CB-10); an end of the session among it counts, and an agent that it hands
 * over to answers from the next turn on.
 */
export async function* leaveAgents(turn: TurnRun): AsyncGenerator<TurnEvent, NextStep> {
  let next: NextStep = { kind: "respond" };
  let holder = turn.agent;
  for (const agent of turn.entered.toReversed()) {
    if (agent.callbacks.after_agent.length === 0 && !hasCodeAfter(agent)) continue;
    turn.agent = agent;
    const step = yield* leaveAgent(turn, agent);
    if (step.kind === "end-session") next = step;
    if (step.kind === "enter-agent") holder = step.agent;
  }
  turn.agent = holder;
  return next;
}

function hasCodeAfter({ guardrails }: AgentNode): boolean {
  return guardrails.some(({ codeStages }) => codeStages?.has("after-agent"));
}

async function* leaveAgent(turn: TurnRun, agent: AgentNode): AsyncGenerator<TurnEvent, NextStep> {
  const added = await runCallbacks(turn, agent, {
    stage: "after_agent",
    variables: turn.variables,
    args: () => [{ kind: "callback-context" }],
    accept: fromContent,
  });
  yield* record(turn, agent.displayName, []);
  const next: NextStep = added ? yield* deliver(turn, added, await offeredTools(turn, agent)) : { kind: "respond" };
  return (yield* guardByCode(turn, "after-agent")) ?? next;
}
