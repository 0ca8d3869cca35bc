/** The engine: a turn is one generator of events; everything else is a fold of it. */
export type {
  ExportedTurn,
  SessionEngine,
  SessionEngineDeps,
  SessionPin,
  SnapshotRef,
  StoredTurn,
  TurnContent,
  TurnEvent,
  TurnExports,
  TurnForwarding,
  TurnKey,
  TurnObserver,
  TurnRequest,
  TurnSender,
} from "./contract.ts";
export { type Conversations, createConversations } from "./conversations/conversations.ts";
export { runDetached } from "./detached-turn.ts";
export type { DialogflowAgents, DialogflowAnswer, DialogflowQuery } from "./dialogflow/contract.ts";
export { createDialogflowClient } from "./dialogflow/dialogflow-client.ts";
export { createSessionEngine } from "./engine.ts";
export { createGoogleService } from "./google/google-service.ts";
export { filterProblems } from "./guardrails/filter-problems.ts";
export { PROMPT_SECURITY_POLICY } from "./guardrails/llm-prompt-security.ts";
export type { LiveLimits, LiveSessions } from "./live/contract.ts";
export { createLiveSessions } from "./live/live-sessions.ts";
export { withSpeechOutput } from "./live/voice/speech-output.ts";
export { createVoiceConversation } from "./live/voice/voice-conversation.ts";
export { agentVoice } from "./live/voice/voice-settings.ts";
export { instructionProblems } from "./model-call/instruction-template.ts";
export { brokenCode, nestedCalls, spansOf } from "./read-trace.ts";
export type { CustomDetectors } from "./redaction/builtin-detectors.ts";
export { createBuiltinRedaction } from "./redaction/builtin-redaction.ts";
export type { Redaction } from "./redaction/contract.ts";
export { createDlpRedaction } from "./redaction/dlp-redaction.ts";
export { findPersonalData, type PersonalData } from "./redaction/find-personal-data.ts";
export { mapObject } from "./redaction/map-texts.ts";
export { redactTexts } from "./redaction/redact-texts.ts";
export { createRetention, type Retention } from "./retention/retention.ts";
export { type PendingCall, type SessionWaits, sessionWaits } from "./state/session-state.ts";
export { currentDate, variableDefaults } from "./state/variables.ts";
export { textInput } from "./text-input.ts";
export { createTextThreads, type TextThreads } from "./text-search/text-threads.ts";
export { createAgentRunner } from "./tool-calls/run-agent.ts";
export { createSharedOutcomes } from "./tool-calls/shared-outcomes.ts";
export type { ChannelSpan } from "./trace.ts";
export { collectOutputs, toResponses } from "./turn/folds.ts";
