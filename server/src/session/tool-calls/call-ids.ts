import type { Message } from "@frontdesk/protos/ces/example";
import type { Ids } from "#base";
import { newCallId } from "../model-call/call-model.ts";
import type { TurnView } from "../turn/turn-context.ts";

/**
 * The id of a call of an answer. One that another call of the session has is replaced: some servers number the calls of each answer anew, and clients
 * answer by id, also late, or twice (TOOL-51). `answer`: ids of the calls before it in the same answer.
 */
export function uniqueCallId(
  turn: Pick<TurnView, "pastTurns" | "events"> & { readonly engine: { readonly ids: Pick<Ids, "uuid"> } },
  id: string,
  answer: ReadonlySet<string>,
): string {
  return id !== "" && !answer.has(id) && !isRecorded(turn, id) ? id : newCallId(turn.engine.ids);
}

function isRecorded({ pastTurns, events }: Pick<TurnView, "pastTurns" | "events">, id: string): boolean {
  if (hasCall(events.messages, id)) return true;
  for (let at = pastTurns.length - 1; at >= 0; at--) if (hasCall(pastTurns.at(at)?.messages ?? [], id)) return true;
  return false;
}

function hasCall(messages: readonly Message[], id: string): boolean {
  return messages.some(({ chunks }) => chunks.some(({ data }) => data.case === "toolCall" && data.value.id === id));
}
