import type { Ids } from "#base";
import { newCallId } from "../model-call/call-model.ts";
import { callIdsIn } from "../state/past-call-ids.ts";
import type { TurnView } from "../turn/turn-context.ts";

/**
 * The id of a call of an answer. One that another call of the session has is replaced: some servers number the calls of each answer anew, and clients
 * answer by id, also late, or twice (TOOL-51). `answer`: ids of the calls before it in the same answer.
 */
export function uniqueCallId(
  turn: Pick<TurnView, "pastTurns" | "pastCallIds" | "events"> & {
    readonly engine: { readonly ids: Pick<Ids, "uuid"> };
  },
  id: string,
  answer: ReadonlySet<string>,
): string {
  return id !== "" && !answer.has(id) && !isRecorded(turn, id) ? id : newCallId(turn.engine.ids);
}

function isRecorded(
  { pastTurns, pastCallIds, events }: Pick<TurnView, "pastTurns" | "pastCallIds" | "events">,
  id: string,
): boolean {
  return pastCallIds.of(pastTurns).has(id) || callIdsIn(events.messages).includes(id);
}
