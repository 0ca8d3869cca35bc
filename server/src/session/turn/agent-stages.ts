import { create } from "@bufbuild/protobuf";
import { RemoteA2aConfigSchema } from "@frontdesk/protos/ces/agent_card";
import { failedPrecondition } from "#status";
import type { AgentNode } from "../app-index.ts";
import { fromContent } from "../callbacks/python-content.ts";
import { runCallbacks } from "../callbacks/run-callbacks.ts";
import type { TurnEvent } from "../contract.ts";
import { runDialogflowAgent } from "../dialogflow/run-dialogflow-agent.ts";
import { awaitInputCheck, guardByCode, guardInput } from "../guardrails/guardrails.ts";
import { runRemoteAgent } from "../remote-agent/run-remote-agent.ts";
import { offeredTools } from "../tool-calls/offered-tools.ts";
import { followTransferRules } from "../transfers/follow-transfer-rules.ts";
import { countStep } from "./count-step.ts";
import { handleResponse } from "./handle-response.ts";
import type { NextStep, Turn } from "./turn-context.ts";

/**
 * An agent becomes active: its guardrails judge the input, then its before_agent callbacks run, on every turn and after every
 * transfer, then its transfer rules. A `Content` that a callback returns is its whole answer: the agent is skipped, its model and its
 * after_agent callbacks with it (CB-9).
 */
export async function* enterAgent(turn: Turn, agent: AgentNode): AsyncGenerator<TurnEvent, NextStep> {
  const { state, events } = turn;
  state.activate(agent);
  const blocked = yield* guardInput(turn);
  if (blocked) return blocked;
  const { agentType } = agent.agent;
  if (agentType.case === "remoteDialogflowAgent") return yield* runDialogflowAgent(turn, agent, agentType.value);
  state.setDialogflowAgent("");
  if (hasCodeOrRulesFirst(agent)) {
    const stopped = yield* awaitInputCheck(turn);
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
  yield* events.record(agent.displayName, []);
  if (!answer) {
    state.runAgent();
    const next = yield* followTransferRules(turn);
    if (next) return next;
    if (agentType.case === "remoteA2aAgent")
      return yield* runRemoteAgent(turn, agent, agentType.value.a2aConfig ?? create(RemoteA2aConfigSchema));
    checkRunnable(agent);
    return { kind: "call-model" };
  }
  // Counted, because an answer may be a transfer: agents that transfer to each other here would never end.
  turn.signal.throwIfAborted();
  countStep(turn);
  const next = yield* handleResponse(turn, answer, await offeredTools(turn, agent));
  return next.kind === "call-model" ? { kind: "respond" } : next;
}

/** Throws FAILED_PRECONDITION for an agent whose type is unknown here: its model would answer without any instruction (PKG-31). */
function checkRunnable({ displayName, unknownType }: AgentNode): void {
  if (unknownType === undefined) return;
  throw failedPrecondition(
    `Agent '${displayName}' is of the type '${unknownType}', which cannot run here, and has no instruction; write an instruction for it.`,
  );
}

/** Whether code or rules of the agent come before its model: they must not see input that may yet be blocked. */
function hasCodeOrRulesFirst({ callbacks, transferRules }: AgentNode): boolean {
  return callbacks.before_agent.length > 0 || transferRules.deterministic.length > 0;
}

/**
 * The after_agent callbacks of every agent that ran, the innermost first, as nested agents end in the runtime. What one returns is
 * added to the answer (CB-10); an end of the session among it counts, and an agent that it transfers to answers from the
 * next turn on.
 */
export async function* leaveAgents(turn: Turn): AsyncGenerator<TurnEvent, NextStep> {
  const { state } = turn;
  let next: NextStep = { kind: "respond" };
  let active = state.agent;
  for (const agent of state.agentsRun.toReversed()) {
    if (agent.callbacks.after_agent.length === 0 && !hasCodeAfter(agent)) continue;
    state.activate(agent);
    const step = yield* leaveAgent(turn, agent);
    if (step.kind === "end-session") next = step;
    if (step.kind === "enter-agent") active = step.agent;
  }
  state.activate(active);
  return next;
}

function hasCodeAfter({ guardrails }: AgentNode): boolean {
  return guardrails.some(({ codeStages }) => codeStages?.has("after-agent"));
}

async function* leaveAgent(turn: Turn, agent: AgentNode): AsyncGenerator<TurnEvent, NextStep> {
  const added = await runCallbacks(turn, agent, {
    stage: "after_agent",
    variables: turn.variables,
    args: () => [{ kind: "callback-context" }],
    accept: fromContent,
  });
  yield* turn.events.record(agent.displayName, []);
  const next: NextStep = added
    ? yield* handleResponse(turn, added, await offeredTools(turn, agent))
    : { kind: "respond" };
  return (yield* guardByCode(turn, "after-agent")) ?? next;
}
