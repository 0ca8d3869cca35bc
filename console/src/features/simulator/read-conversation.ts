import { Code, ConnectError } from "@connectrpc/connect";
import type { Conversation } from "@frontdesk/protos/ces/conversation";
import { agentService } from "../../api/agent-service.ts";
import { callsOf, withWidgets } from "./past-widgets.ts";
import { type Turn, turnsOf } from "./turn.ts";

/** The turns of a session as the server keeps them, widgets drawn; none when it keeps nothing. */
export async function readTurns(app: string, session: string, signal: AbortSignal): Promise<readonly Turn[]> {
  const found = await readConversation(session, signal);
  const turns = found ? turnsOf(found) : [];
  if (turns.every((turn) => callsOf(turn).length === 0)) return turns;
  const { tools } = await agentService.listTools({ parent: app, pageSize: 1000 }, { signal });
  return withWidgets(turns, tools);
}

/** The stored conversation of a session (its whole name); undefined when the server keeps none. */
async function readConversation(session: string, signal: AbortSignal): Promise<Conversation | undefined> {
  try {
    return await agentService.getConversation({ name: session.replace("/sessions/", "/conversations/") }, { signal });
  } catch (error) {
    if (ConnectError.from(error).code === Code.NotFound) return undefined;
    throw error;
  }
}
