import type { SessionInput } from "@frontdesk/protos/ces/session_service";
import { type SessionEngine, sessionWaits } from "#session";
import type { ConversationStore } from "#storage";
import type { ContextSession } from "./context-session.ts";

/** Pause between two looks whether somebody else took the outcome, milliseconds. */
const LOOK_EVERY_MS = 10_000;

interface OutcomeDeps {
  readonly sessions: Pick<SessionEngine, "unprompted">;
  readonly conversations: Pick<ConversationStore, "getHead">;
  readonly signal: AbortSignal;
}

/**
 * Waits until an asynchronous tool of a session has ended. Returns the inputs of the turn that reports it; undefined when another turn has
 * reported it meanwhile. Rejects when `signal` fires.
 */
export async function awaitOutcomes(
  context: ContextSession,
  deps: OutcomeDeps,
): Promise<readonly SessionInput[] | undefined> {
  const left = new AbortController();
  try {
    await deps.sessions.unprompted.follow(context.session, left.signal);
    return await firstOutcomes(context, deps);
  } finally {
    left.abort();
  }
}

async function firstOutcomes(
  { session, conversation }: ContextSession,
  { sessions, conversations, signal }: OutcomeDeps,
): Promise<readonly SessionInput[] | undefined> {
  for (;;) {
    signal.throwIfAborted();
    const woken = Promise.withResolvers<void>();
    const unsubscribe = sessions.unprompted.subscribe(session, woken.resolve);
    const timer = setTimeout(woken.resolve, LOOK_EVERY_MS);
    const stop = () => woken.resolve();
    signal.addEventListener("abort", stop, { once: true });
    try {
      const inputs = sessions.unprompted.take(session);
      if (inputs) return inputs;
      if (sessionWaits(await conversations.getHead(conversation)).deferredCalls === 0) return undefined;
      await woken.promise;
    } finally {
      unsubscribe();
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    }
  }
}
