import type { Conversation } from "@frontdesk/protos/ces/conversation";
import { type Turn, turnsOf } from "../simulator/turn.ts";

/** The turns of a stored conversation as the simulator draws turns; nothing of it waits for anybody any more. */
export function recordedTurns(conversation: Conversation): readonly Turn[] {
  return turnsOf(conversation).map((turn) => ({ ...turn, calls: [] }));
}
