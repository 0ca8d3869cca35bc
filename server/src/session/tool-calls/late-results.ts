import type { TurnEvent } from "../contract.ts";
import type { PendingCall } from "../state/session-state.ts";
import { noteSources } from "../turn/cite-sources.ts";
import { lateResultText } from "../turn/context-texts.ts";
import { record } from "../turn/events.ts";
import type { TurnRun } from "../turn/turn-context.ts";
import { LOST } from "./defer-call.ts";

/**
 * Tells of asynchronous calls that have ended since the last turn: each as a message of the user that the user never wrote
 * (TOOL-18, CB-15). After-tool callbacks do not run for it. Answers how many there were.
 */
export function* tellLateResults(turn: TurnRun): Generator<TurnEvent, number> {
  let told = 0;
  for (const call of turn.deferred) {
    const outcome = turn.engine.deferred.outcomeOf(turn.request.session, call.id);
    if (outcome === "running") continue;
    const response = outcome === "lost" ? LOST : outcome.response;
    if (outcome !== "lost") turn.variables.apply(outcome.state);
    if (outcome !== "lost") noteSources(turn, outcome);
    traceLate(turn, call, response);
    const failed = outcome === "lost" || outcome.kind === "failed";
    yield* record(turn, "user", [{ case: "text", value: lateResultText(call.name, failed, response) }]);
    turn.told.push(call.id);
    told++;
  }
  if (told > 0) turn.deferred = turn.deferred.filter(({ id }) => !turn.told.includes(id));
  return told;
}

function traceLate(turn: TurnRun, { name, args }: PendingCall, response: PendingCall["args"]): void {
  turn.spans.start("Tool").end({ name, agent: turn.agent.displayName, args, response, asynchronous: true });
}
