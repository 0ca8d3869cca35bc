/** The engine: a turn is one generator of events; everything else is a fold of it. */
export { interruptionText, silenceText } from "./context-texts.ts";
export type { SessionEngine, SessionPin, SnapshotRef, TurnEvent, TurnRequest } from "./contract.ts";
export { type Conversations, createConversations } from "./conversations/conversations.ts";
export { createSessionEngine } from "./engine.ts";
export { collectOutputs, toResponses, toStreamOutputs } from "./folds.ts";
export { createRetention, type Retention, type RetentionReport } from "./keeping/retention.ts";
export type {
  Conversation,
  Heard,
  Line,
  LiveDeps,
  LiveLimits,
  LiveRequest,
  LiveSessions,
  Unprompted,
} from "./live/contract.ts";
export { createLiveSessions } from "./live/live-sessions.ts";
export { type CustomDetectors, createBuiltinRedaction } from "./redaction/builtin-redaction.ts";
export type { Redaction, Redactor } from "./redaction/contract.ts";
export type { StoredTurn, TurnObserver } from "./stored-turn.ts";
export type { SessionEngineDeps } from "./turn-run.ts";
export { currentDate, variableDefaults } from "./variables.ts";
