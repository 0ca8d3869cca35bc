import { create } from "@bufbuild/protobuf";
import { EndSessionSchema } from "@frontdesk/protos/ces/session_service";
import { unreachable } from "#base";
import type { TurnEvent } from "../contract.ts";
import { ModelFailure } from "../model-call/model-failure.ts";
import { enterAgent, leaveAgents } from "./agent-stages.ts";
import { citeSources } from "./cite-sources.ts";
import { handleFailure } from "./error-handling.ts";
import { outputEvent } from "./events.ts";
import { runStep } from "./step.ts";
import { takeInput } from "./take-input.ts";
import type { NextStep, TurnRun } from "./turn-context.ts";

/**
 * One turn, in the order of TURN-1: input, input guardrails, then agents in turn (before_agent, the loop of model
 * passes and calls, transfers), after_agent, end of the session. Transfer rules belong right after before_agent, where an
 * agent gains control.
 */
export async function* playTurn(turn: TurnRun): AsyncGenerator<TurnEvent, void> {
  const first = yield* takeInput(turn);
  if (!first) return;
  let last: NextStep;
  try {
    const unheard = turn.request.voice?.failure;
    if (unheard) throw new ModelFailure("speech_not_recognised", unheard);
    last = yield* answer(turn, first);
    turn.fallbacks = 0;
    yield* citeSources(turn);
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    last = yield* handleFailure(turn, error);
  }
  if (last.kind !== "end-session") return;
  turn.ended = last.metadata;
  yield outputEvent(turn, { case: "endSession", value: create(EndSessionSchema, { metadata: last.metadata }) });
}

/** From the input to the last word of the agents. The end of the session comes after it (SESS-9). */
async function* answer(turn: TurnRun, first: NextStep): AsyncGenerator<TurnEvent, NextStep> {
  let next = first;
  for (;;) {
    turn.signal.throwIfAborted();
    switch (next.kind) {
      case "enter-agent":
        next = yield* enterAgent(turn, next.agent);
        break;
      case "call-model":
        next = yield* runStep(turn);
        break;
      case "await-client":
        return next;
      case "respond":
      case "end-session": {
        const after: NextStep = yield* leaveAgents(turn);
        return after.kind === "end-session" ? after : next;
      }
      default:
        return unreachable(next);
    }
  }
}
