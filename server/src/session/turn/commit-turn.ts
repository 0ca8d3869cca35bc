import { Conversation_Source as Source } from "@frontdesk/protos/ces/conversation";
import { definedFields } from "#base";
import type { ConversationHead, ExportRow, SessionLease } from "#storage";
import type { ExportedTurn, StoredTurn, TurnEvent } from "../contract.ts";
import type { Redactor } from "../redaction/contract.ts";
import { retentionPolicy } from "../retention/retention-policy.ts";
import { redactedRecord, toTurnRow, toWithheldRow } from "../retention/turn-row.ts";
import { conversationName, writeSessionState } from "../state/session-state.ts";
import type { StoredSession, StoredSessions } from "../state/stored-sessions.ts";
import { pauseIfLong } from "./pause-if-long.ts";
import { type RecordingState, recordingAfter } from "./recording-control.ts";
import type { Turn } from "./turn-context.ts";

/** Stores the turn, durable, and only then returns `turn-completed` (CONV-2). */
export async function commitTurn(
  turn: Turn,
  session: StoredSession | undefined,
  sessions: StoredSessions,
  lease?: SessionLease,
): Promise<TurnEvent> {
  const { request, turnIndex, pastTurns, pastCallIds, history, events, spans } = turn;
  for (const span of (await request.voice?.spokenSpans()) ?? []) spans.add(span);
  turn.signal.throwIfAborted();
  const rootSpan = spans.root("Turn", { agent: turn.state.agent.displayName });
  const { messages, signatures } = events;
  const before = pastTurns.at(-1);
  const firstEvent = before ? before.firstEvent + before.messages.length : 0;
  const turns = pastTurns.fork();
  const blockedInput = turn.state.isInputWithheld ? turn.state.userMessagePosition : undefined;
  const kept = { signatures, ...definedFields({ blockedInput, key: request.key }) };
  turns.push({ index: turnIndex, messages, firstEvent, ...kept });
  const redactor = redactorOf(turn);
  const recording = recordingOf(turn);
  const head = nextHead(turn, session?.head, redactor, recording.state);
  const historicalContexts = turnIndex === 1 ? request.config.historicalContexts : [];
  // The running session continues with the original messages; only the record is redacted.
  const record = await redactedRecord({ messages, rootSpan, historicalContexts }, redactor);
  const isLogged = recording.isRecorded && !head.hidden;
  const row = recording.isRecorded
    ? toTurnRow(turnIndex, record, kept, head.hidden ?? false)
    : toWithheldRow(turnIndex, record, kept);
  const exports = isLogged ? exportsOf(turn, head, { record, original: { messages, rootSpan } }) : [];
  await pauseIfLong(request.inputs);
  // In this turn the guardrail itself had to see a blocked input; later turns read the history anew, without it.
  const next = {
    turns,
    history: blockedInput === undefined ? history : undefined,
    callIds: pastCallIds,
    size: session?.size ?? 0,
  };
  await sessions.append(head, row, next, exports, lease);
  if (exports.length > 0) turn.engine.exports.stored();
  forgetDeferredCalls(turn);
  notifyObserver(turn, { ...record, logged: isLogged });
  const withDiagnostics = !request.config.excludeDiagnosticInfo;
  return {
    kind: "turn-completed",
    turnIndex,
    messages,
    rootSpan,
    variables: turn.variables.values,
    withDiagnostics,
  };
}

/** Whether this turn may be recorded, as what is in effect when it completes says (CONV-27). */
function recordingOf({ request, state, input, index, turnIndex }: Turn) {
  // Nobody has to consent to what an evaluation says.
  const settings = request.source === Source.EVAL ? undefined : index.app.loggingSettings;
  return recordingAfter(state.recording, input.recording, { settings, turnIndex });
}

/** The rows for other services. A fault there is the operator's trouble, not the conversation's. */
function exportsOf(
  { engine, request, index, turnIndex }: Turn,
  head: ConversationHead,
  content: Pick<ExportedTurn, "record" | "original">,
): readonly ExportRow[] {
  try {
    return engine.exports.rowsOf({ app: index.app, session: request.session, turnIndex, head, ...content });
  } catch (error) {
    engine.logger.error({ err: error, session: request.session, turnIndex }, "a turn could not be exported");
    return [];
  }
}

/** An observer that fails is the operator's trouble, not the conversation's. */
function notifyObserver(
  { engine, request, index, turnIndex }: Turn,
  record: Pick<StoredTurn, "messages" | "rootSpan" | "logged">,
): void {
  const { session, source, traceparent } = request;
  try {
    engine.observe({ session, app: index.app.name, turnIndex, source, traceparent, ...record });
  } catch (error) {
    engine.logger.error({ err: error }, "an observer of stored turns failed");
  }
}

/** Outcomes that were recorded, and those that a session that has ended will never need, are dropped. */
function forgetDeferredCalls({ state, request, engine }: Turn): void {
  for (const id of state.reportedCalls) engine.deferredCalls.forget(request.session, id);
  if (state.endMetadata) for (const { id } of state.deferredCalls) engine.deferredCalls.forget(request.session, id);
}

/** The head of the conversation after the turn (CONV-4). */
function nextHead(
  turn: Turn,
  before: ConversationHead | undefined,
  redactor: Redactor | undefined,
  recording: RecordingState | undefined,
): ConversationHead {
  const { request, index, input, state, spans } = turn;
  const now = turn.engine.clock.now();
  const ended = state.endMetadata !== undefined;
  const retention = retentionPolicy({
    settings: index.app.loggingSettings,
    before,
    ended,
    recording: { before: state.recording, after: recording },
    now,
  });
  // After the end nothing needs what the record withholds.
  const isWithheld = retention.hidden || redactor || recording?.withheld;
  const variables = ended && isWithheld ? {} : turn.variables.values;
  return {
    name: conversationName(request.session),
    app: index.app.name,
    startTime: before?.startTime ?? spans.startedAt,
    endTime: now,
    turnCount: turn.turnIndex,
    source: before?.source ?? request.source,
    inputTypes: [...new Set([...(before?.inputTypes ?? []), ...input.types])],
    entryAgent: before?.entryAgent ?? request.config.entryAgent,
    deployment: request.snapshot.deployment || (before?.deployment ?? ""),
    appVersion: request.snapshot.appVersion || (before?.appVersion ?? ""),
    languageCode: before?.languageCode ?? index.languageCode,
    state: writeSessionState({ ...state.sessionState(variables), ...definedFields({ recording }) }),
    ...retention,
  };
}

function redactorOf({ index, engine }: Turn): Redactor | undefined {
  const config = index.app.loggingSettings?.redactionConfig;
  return config?.enableRedaction ? engine.redaction.redactorFor(config, index.app.name) : undefined;
}
