/** The engine: a turn is one generator of events; everything else is a fold of it. */

export type {
  SessionEngine,
  SessionEngineDeps,
  SessionPin,
  SnapshotRef,
  StoredTurn,
  TurnEvent,
  TurnObserver,
  TurnRequest,
} from "./contract.ts";
export { type Conversations, createConversations } from "./conversations/conversations.ts";
export type { DialogflowAgents, DialogflowAnswer, DialogflowQuery } from "./dialogflow/contract.ts";
export { createDialogflowClient } from "./dialogflow/dialogflow-client.ts";
export { createSessionEngine } from "./engine.ts";
export { createGoogleService, type GoogleService } from "./google/google-service.ts";
export { PROMPT_SECURITY_POLICY } from "./guardrails/llm-prompt-security.ts";
export type {
  Conversation,
  LiveConnection,
  LiveDeps,
  LiveLimits,
  LiveRequest,
  LiveSessions,
  StreamInput,
} from "./live/contract.ts";
export { createLiveSessions } from "./live/live-sessions.ts";
export type { RecordingsDeps } from "./live/voice/recordings.ts";
export { type SpeechOutputDeps, withSpeechOutput } from "./live/voice/speech-output.ts";
export { createVoiceConversation, type VoiceDeps } from "./live/voice/voice-conversation.ts";
export { type CustomDetectors, createBuiltinRedaction } from "./redaction/builtin-redaction.ts";
export type { Redaction, Redactor } from "./redaction/contract.ts";
export { createDlpRedaction } from "./redaction/dlp-redaction.ts";
export { createRetention, type Retention, type RetentionReport } from "./retention/retention.ts";
export { currentDate, variableDefaults } from "./state/variables.ts";
export { type AgentCaller, createAgentRunner } from "./tool-calls/run-agent.ts";
export { interruptionText, silenceText } from "./turn/context-texts.ts";
export { collectOutputs, toResponses, toStreamOutputs } from "./turn/folds.ts";
