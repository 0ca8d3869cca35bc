/** The engine: a turn is one generator of events; everything else is a fold of it. */
export { interruptionText, silenceText } from "./context-texts.ts";
export type { SessionEngine, SessionPin, SnapshotRef, TurnEvent, TurnRequest } from "./contract.ts";
export { type Conversations, createConversations } from "./conversations/conversations.ts";
export type { DialogflowAgents, DialogflowAnswer, DialogflowQuery } from "./dialogflow/contract.ts";
export { createDialogflowClient } from "./dialogflow/dialogflow-client.ts";
export { createSessionEngine } from "./engine.ts";
export { collectOutputs, toResponses, toStreamOutputs } from "./folds.ts";
export { createGoogleService, type GoogleService } from "./google/google-service.ts";
export { PROMPT_SECURITY_POLICY } from "./guardrails/llm-prompt-security.ts";
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
export type { RecordingsDeps } from "./live/voice/recordings.ts";
export { type SpokenAnswersDeps, withSpokenAnswers } from "./live/voice/spoken-answers.ts";
export { createVoiceConversation, type VoiceDeps } from "./live/voice/voice-conversation.ts";
export { type CustomDetectors, createBuiltinRedaction } from "./redaction/builtin-redaction.ts";
export type { Redaction, Redactor } from "./redaction/contract.ts";
export { createDlpRedaction } from "./redaction/dlp-redaction.ts";
export { type AgentCaller, createAgentRunner } from "./run-agent.ts";
export type { StoredTurn, TurnObserver } from "./stored-turn.ts";
export type { SessionEngineDeps } from "./turn-run.ts";
export { currentDate, variableDefaults } from "./variables.ts";
