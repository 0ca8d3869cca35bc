import type { Requirement } from "./requirement.ts";

/** Sessions and the conversations they leave behind. */
export const SESSIONS = {
  "run-answers": {
    sentence: "RunSession answers the agent's text and closes the turn",
    source: "session_service.proto",
  },
  "run-diagnostics": {
    sentence: "The last output of a turn carries the messages and the root span",
    source: "session_service.proto: DiagnosticInfo",
  },
  "run-exclude-diagnostics": {
    sentence: "exclude_diagnostic_info leaves the diagnostics out",
    source: "REST discovery, August 2026",
  },
  "run-continues": { sentence: "A second call continues the session with turn index 2", source: "SESS-8" },
  "run-bad-session": {
    sentence: "A malformed session name is INVALID_ARGUMENT naming config.session",
    source: "SESS-1",
  },
  "run-unknown-app": { sentence: "A session of an unknown app is NOT_FOUND", source: "AIP-193" },
  "stream-whole": {
    sentence: "StreamRunSession without text streaming sends whole texts",
    source: "session_service.proto: enable_text_streaming",
  },
  "stream-deltas": {
    sentence: "StreamRunSession with enable_text_streaming sends the text in pieces that add up",
    source: "session_service.proto: enable_text_streaming",
  },
  "stream-refused": {
    sentence: "A stream that fails before its first message answers with the error",
    source: "AIP-193",
  },
  "conversation-complete": {
    sentence: "GetConversation has every turn, the closing one included, with messages and spans",
    source: "conversation.proto, CONV-1, CONV-2",
  },
  "conversation-list": {
    sentence: "ListConversations lists newest first and searches the texts of the turns",
    source: "agent_service.proto",
  },
  "conversation-delete": { sentence: "DeleteConversation removes it for good", source: "AIP-135" },
  "conversation-batch-delete": {
    sentence: "BatchDeleteConversations reports what it deleted and what failed",
    source: "agent_service.proto",
  },
} as const satisfies Readonly<Record<string, Requirement>>;
