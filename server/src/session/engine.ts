import { definedFields } from "#base";
import type { ConversationHead, SessionLease } from "#storage";
import type { SessionEngine, SessionEngineDeps, TurnEvent, TurnRequest } from "./contract.ts";
import { DIALOGFLOW_NOT_CONFIGURED } from "./dialogflow/dialogflow-client.ts";
import { createBuiltinRedaction } from "./redaction/builtin-redaction.ts";
import { conversationName, readSessionState } from "./state/session-state.ts";
import { StoredSessions } from "./state/stored-sessions.ts";
import { createTextThreads } from "./text-search/text-threads.ts";
import { DeferredCalls } from "./tool-calls/deferred-calls.ts";
import { beginTurn } from "./turn/begin-turn.ts";
import { commitTurn } from "./turn/commit-turn.ts";
import { pauseIfLong } from "./turn/pause-if-long.ts";
import { findRepeated, repeatTurn } from "./turn/repeated-turn.ts";
import { SessionQueue } from "./turn/session-queue.ts";
import { playTurn } from "./turn/turn.ts";
import type { EngineCapabilities, Turn } from "./turn/turn-context.ts";
import { TurnPlaces } from "./turn/turn-places.ts";

/** Creates the engine. Between turns it holds only running asynchronous calls; sessions are the store's. */
export function createSessionEngine(deps: SessionEngineDeps): SessionEngine {
  const waitingCalls = async (session: string) => {
    const head = await deps.storage.getHead(conversationName(session));
    return head ? readSessionState(head.state).deferred : [];
  };
  const deferredCalls = new DeferredCalls({ waitingCalls, ...definedFields({ shared: deps.outcomes }) });
  const { textThreads = createTextThreads() } = deps;
  const engine: EngineCapabilities = {
    random: Math.random,
    dialogflow: DIALOGFLOW_NOT_CONFIGURED,
    redaction: createBuiltinRedaction({}, textThreads),
    observe: () => {},
    exports: { rowsOf: () => [], stored: () => {} },
    maxModelCalls: 10,
    ...deps,
    deferredCalls,
    textThreads,
    runTurn: (request) => runTurn(request, { engine, queue, sessions, places }),
  };
  const queue = new SessionQueue();
  const sessions = new StoredSessions(engine.storage);
  const places = new TurnPlaces(engine.storage.leases, deps.forwarding);
  return {
    runTurn: engine.runTurn,
    unprompted: deferredCalls,
    drained: async () => {
      await queue.drained();
      await deferredCalls.drained();
    },
    close: async () => {
      const calls = await deferredCalls.close();
      if (calls > 0) engine.logger.warn({ calls }, "asynchronous tool calls did not end before the server stopped");
    },
  };
}

interface TurnRunner {
  readonly engine: EngineCapabilities;
  readonly queue: SessionQueue;
  readonly sessions: StoredSessions;
  readonly places: TurnPlaces;
}

async function* runTurn(
  request: TurnRequest,
  { engine, queue, sessions, places }: TurnRunner,
): AsyncGenerator<TurnEvent, void> {
  const leave = await queue.enter(request.session, request.signal);
  let stored = false;
  let turn: Turn | undefined;
  let lease: SessionLease | undefined;
  const stop = new AbortController();
  const abort = () => stop.abort(request.signal.reason);
  request.signal.addEventListener("abort", abort, { once: true });
  try {
    const conversation = conversationName(request.session);
    // Turns of this server wait in its queue, those of others for its lease (DB-6), or are run by it (DB-53).
    const place = await places.take(request, conversation, stop.signal);
    if (place.kind === "elsewhere") {
      yield* place.events;
      stored = true;
      return;
    }
    lease = place.lease;
    await request.mayBegin?.();
    const session = await sessions.load(conversation, lease);
    const repeated = findRepeated(request, session);
    if (repeated && session)
      return yield* repeatTurn(repeated, await sessions.rootSpanOf(conversation, repeated.index), session, request);
    const pinned = await pinnedRequest(request, session?.head);
    await pauseIfLong(request.inputs);
    turn = await beginTurn(pinned, engine, session, stop.signal);
    yield* playTurn(turn);
    await pauseIfLong(request.inputs);
    const completed = await commitTurn(turn, session, sessions, lease);
    stored = true;
    yield completed;
  } finally {
    request.signal.removeEventListener("abort", abort);
    // A turn that failed, or whose reader has left the loop, leaves nothing running.
    if (!stored) {
      stop.abort();
      lease?.release();
      for (const id of turn?.state.startedCalls ?? []) engine.deferredCalls.forget(request.session, id);
    }
    leave();
  }
}

/** A session stays on the deployment and version that it began with (SESS-3); resolved only when this turn's differ. */
async function pinnedRequest(request: TurnRequest, head: ConversationHead | undefined): Promise<TurnRequest> {
  const { snapshot } = request;
  if (!head || (head.deployment === snapshot.deployment && head.appVersion === snapshot.appVersion)) return request;
  const pinned = await snapshot.pinned?.(head);
  return pinned ? { ...request, snapshot: pinned } : request;
}
