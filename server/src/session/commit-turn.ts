import { create, toBinary, toJson } from "@bufbuild/protobuf";
import { Conversation_TurnSchema } from "@frontdesk/protos/ces/conversation";
import { type Message, MessageSchema } from "@frontdesk/protos/ces/example";
import { Code, ConnectError } from "#status";
import type { ConversationHead, TurnRow } from "#storage";
import type { TurnEvent } from "./contract.ts";
import { conversationName } from "./conversation-name.ts";
import type { HotSession, HotSessions, PastTurn, TurnExtra } from "./hot-sessions.ts";
import { type SessionState, writeSessionState } from "./session-state.ts";
import type { TurnRun } from "./turn-run.ts";

/** Stores the turn, durable, and only then says that it is complete. */
export async function commitTurn(
  turn: TurnRun,
  session: HotSession | undefined,
  sessions: HotSessions,
): Promise<TurnEvent> {
  turn.signal.throwIfAborted();
  const rootSpan = turn.spans.root("Turn", { agent: turn.agent.displayName });
  const { messages, signatures } = turn.recorder;
  const past: PastTurn = { index: turn.turnIndex, messages, signatures };
  const head = nextHead(turn, session);
  const row: TurnRow = {
    index: turn.turnIndex,
    body: toBinary(Conversation_TurnSchema, create(Conversation_TurnSchema, { messages: [...messages], rootSpan })),
    extra: extraOf(turn),
    text: wordsOf(messages),
  };
  try {
    await turn.engine.storage.appendTurn(head, row);
  } catch (error) {
    if (error instanceof ConnectError && error.code === Code.Aborted) sessions.drop(head.name);
    throw error;
  }
  settleDeferred(turn);
  sessions.put({ head, turns: [...turn.pastTurns, past], history: turn.history });
  const withDiagnostics = !turn.request.config.excludeDiagnosticInfo;
  return { kind: "turn-completed", turnIndex: turn.turnIndex, messages, rootSpan, withDiagnostics };
}

/** What was told, and what a session that has ended will never ask for, is kept no longer. */
function settleDeferred({ told, ended, deferred, request, engine }: TurnRun): void {
  for (const id of told) engine.deferred.forget(request.session, id);
  if (ended) for (const { id } of deferred) engine.deferred.forget(request.session, id);
}

function nextHead(turn: TurnRun, session: HotSession | undefined): ConversationHead {
  const { request, index, input } = turn;
  const before = session?.head;
  const state: SessionState = {
    variables: turn.variables.values,
    agent: turn.agent.name,
    pending: turn.ended ? [] : turn.pending,
    deferred: turn.ended ? [] : turn.deferred,
    fallbacks: turn.fallbacks,
    ...(turn.ended && { ended: turn.ended }),
  };
  return {
    name: conversationName(request.session),
    app: index.app.name,
    startTime: before?.startTime ?? turn.spans.startedAt,
    endTime: turn.engine.clock.now(),
    turnCount: turn.turnIndex,
    source: before?.source ?? request.source,
    inputTypes: [...new Set([...(before?.inputTypes ?? []), ...input.types])],
    entryAgent: before?.entryAgent ?? request.config.entryAgent,
    deployment: request.snapshot.deployment || (before?.deployment ?? ""),
    appVersion: request.snapshot.appVersion || (before?.appVersion ?? ""),
    languageCode: before?.languageCode ?? index.languageCode,
    state: writeSessionState(state),
  };
}

/** What the messages cannot hold; "" when there is nothing. */
function extraOf({ recorder, turnIndex, request }: TurnRun): string {
  const contexts = turnIndex === 1 ? request.config.historicalContexts : [];
  const extra: TurnExtra = {
    ...(Object.keys(recorder.signatures).length > 0 && { signatures: recorder.signatures }),
    ...(contexts.length > 0 && { historicalContexts: contexts.map((message) => toJson(MessageSchema, message)) }),
  };
  return Object.keys(extra).length === 0 ? "" : JSON.stringify(extra);
}

/** The words that were said, for full-text search. */
function wordsOf(messages: readonly Message[]): string {
  return messages
    .flatMap(({ chunks }) =>
      chunks.flatMap(({ data }) => (data.case === "text" || data.case === "transcript" ? [data.value] : [])),
    )
    .join("\n");
}
