import { Code, ConnectError } from "@connectrpc/connect";
import type { Conversation } from "@frontdesk/protos/ces/conversation";
import { agentService } from "../../api/agent-service.ts";

/** The stored conversation of a session (its whole name); undefined when the server keeps none. */
export async function readConversation(session: string, signal?: AbortSignal): Promise<Conversation | undefined> {
  try {
    return await agentService.getConversation({ name: session.replace("/sessions/", "/conversations/") }, { signal });
  } catch (error) {
    if (ConnectError.from(error).code === Code.NotFound) return undefined;
    throw error;
  }
}
