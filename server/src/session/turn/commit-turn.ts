import { Code, ConnectError } from "#status";
import type { ConversationHead } from "#storage";
import type { TurnEvent } from "../contract.ts";
import { NO_VISIT } from "../dialogflow/dialogflow-state.ts";
import type { Redactor } from "../redaction/contract.ts";
import { retentionPolicy } from "../retention/retention-policy.ts";
import { redactedRecord, toTurnRow } from "../retention/turn-row.ts";
import { conversationName } from "../state/conversation-name.ts";
import type { HotSession, HotSessions, PastTurn } from "../state/session-cache.ts";
import { type SessionState, writeSessionState } from "../state/session-state.ts";
import type { StoredTurn } from "./stored-turn.ts";
import type { TurnRun } from "./turn-context.ts";

/** Stores the turn, durable, and only then says that it is complete (CONV-2). */
export async function commitTurn(
  turn: TurnRun,
  session: HotSession | undefined,
  sessions: HotSessions,
): Promise<TurnEvent> {
  for (const span of (await turn.request.voice?.said()) ?? []) turn.spans.add(span);
  turn.signal.throwIfAborted();
  const rootSpan = turn.spans.root("Turn", { agent: turn.agent.displayName });
  const { messages, signatures } = turn.recorder;
  const past: PastTurn = { index: turn.turnIndex, messages, signatures };
  const head = nextHead(turn, session);
  const historicalContexts = turn.turnIndex === 1 ? turn.request.config.historicalContexts : [];
  // The running session goes on with what was said; only the record is redacted.
  const record = await redactedRecord({ messages, rootSpan, historicalContexts }, redactorOf(turn));
  const row = toTurnRow(turn.turnIndex, record, signatures, head.hidden ?? false);
  try {
    await turn.engine.storage.appendTurn(head, row);
  } catch (error) {
    if (error instanceof ConnectError && error.code === Code.Aborted) sessions.drop(head.name);
    throw error;
  }
  settleDeferred(turn);
  tell(turn, { ...record, logged: !head.hidden });
  sessions.put({ head, turns: [...turn.pastTurns, past], history: turn.history });
  const withDiagnostics = !turn.request.config.excludeDiagnosticInfo;
  return { kind: "turn-completed", turnIndex: turn.turnIndex, messages, rootSpan, withDiagnostics };
}

/** An observer that fails is the operator's trouble, not the conversation's. */
function tell(turn: TurnRun, record: Pick<StoredTurn, "messages" | "rootSpan" | "logged">): void {
  const { engine, request, index, turnIndex } = turn;
  const { session, source, traceparent } = request;
  try {
    engine.observe({ session, app: index.app.name, turnIndex, source, traceparent, ...record });
  } catch (error) {
    engine.logger.error({ err: error }, "an observer of stored turns failed");
  }
}

/** What was told, and what a session that has ended will never ask for, is kept no longer. */
function settleDeferred({ told, ended, deferred, request, engine }: TurnRun): void {
  for (const id of told) engine.deferred.forget(request.session, id);
  if (ended) for (const { id } of deferred) engine.deferred.forget(request.session, id);
}

/** The head of the conversation after the turn (CONV-4). */
function nextHead(turn: TurnRun, session: HotSession | undefined): ConversationHead {
  const { request, index, input } = turn;
  const before = session?.head;
  const now = turn.engine.clock.now();
  const settings = index.app.loggingSettings;
  const retention = retentionPolicy({ settings, before, ended: turn.ended !== undefined, now });
  const state: SessionState = {
    // After the end nothing goes on that would need what the record withholds.
    variables: turn.ended && (retention.hidden || redactorOf(turn)) ? {} : turn.variables.values,
    agent: turn.agent.name,
    pending: turn.ended ? [] : turn.pending,
    deferred: turn.ended ? [] : turn.deferred,
    fallbacks: turn.fallbacks,
    dialogflow: turn.ended ? NO_VISIT : turn.dialogflow,
    ...(turn.ended && { ended: turn.ended }),
  };
  return {
    name: conversationName(request.session),
    app: index.app.name,
    startTime: before?.startTime ?? turn.spans.startedAt,
    endTime: now,
    turnCount: turn.turnIndex,
    source: before?.source ?? request.source,
    inputTypes: [...new Set([...(before?.inputTypes ?? []), ...input.types])],
    entryAgent: before?.entryAgent ?? request.config.entryAgent,
    deployment: request.snapshot.deployment || (before?.deployment ?? ""),
    appVersion: request.snapshot.appVersion || (before?.appVersion ?? ""),
    languageCode: before?.languageCode ?? index.languageCode,
    state: writeSessionState(state),
    ...retention,
  };
}

function redactorOf({ index, engine }: TurnRun): Redactor | undefined {
  const config = index.app.loggingSettings?.redactionConfig;
  return config?.enableRedaction ? engine.redaction.redactorFor(config) : undefined;
}
