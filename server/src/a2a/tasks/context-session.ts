import { createHash } from "node:crypto";
import type { Ids } from "#base";
import type { TaskStore } from "#storage";
import type { A2aCall } from "../contract.ts";

/** Where the turns of a context are. */
export interface ContextSession {
  readonly contextId: string;
  /** `projects/…/apps/…/sessions/{id}`. */
  readonly session: string;
  /** `projects/…/apps/…/conversations/{id}`. */
  readonly conversation: string;
}

interface ContextSessionDeps {
  readonly store: Pick<TaskStore, "list">;
  readonly conversations: { getHead(name: string): Promise<object | undefined> };
  readonly ids: Ids;
}

/** The id of a session (SESS-1). */
const SESSION_ID = /^[a-zA-Z0-9][a-zA-Z0-9-_]{4,62}$/;

/**
 * The session of a context (A2A-5). A context that the caller has begun goes on in its session. A new one gets a session of its own, of the
 * same id where that is possible: another caller's context, and a session that did not begin here, are never continued.
 */
export async function contextSessionOf(
  contextId: string,
  { agent, owner }: Pick<A2aCall, "agent" | "owner">,
  { store, conversations, ids }: ContextSessionDeps,
): Promise<ContextSession> {
  const { tenant, app } = agent;
  if (contextId === "") {
    const id = ids.uuid();
    return contextSessionIn(app, id, id);
  }
  const { rows } = await store.list({ tenant, owner, contextId, limit: 1 });
  const [last] = rows;
  if (last) return contextSessionOfConversation(contextId, last.conversation);
  if (owner === "" && SESSION_ID.test(contextId)) {
    const context = contextSessionIn(app, contextId, contextId);
    if (!(await conversations.getHead(context.conversation))) return context;
  }
  const digest = createHash("sha256").update(`${owner}\n${tenant}\n${contextId}`).digest("hex");
  return contextSessionIn(app, `a2a-${digest.slice(0, 40)}`, contextId);
}

/** The session of a context whose conversation is known, as that of a stored task is. */
export function contextSessionOfConversation(contextId: string, conversation: string): ContextSession {
  const session = conversation.replace(/\/conversations\/([^/]+)$/, "/sessions/$1");
  return { contextId, session, conversation };
}

function contextSessionIn(app: string, id: string, contextId: string): ContextSession {
  return { contextId, session: `${app}/sessions/${id}`, conversation: `${app}/conversations/${id}` };
}
