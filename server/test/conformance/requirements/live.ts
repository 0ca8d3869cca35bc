import type { Requirement } from "./requirement.ts";

/** Conversations over bidirectional streams: verified on the surfaces that they are held on. */
export const LIVE = {
  "live-silent": {
    sentence: "BidiRunSession says nothing after the config and answers the first input",
    source: "SESS-12",
  },
  "live-order": {
    sentence: "A turn is its outputs, then an output of its own that completes it and alone has the diagnostics",
    source: "session_service.proto: BidiRunSession",
  },
  "live-whole": {
    sentence: "Without enable_text_streaming a text is one output, with it the pieces add up to it",
    source: "session_service.proto: enable_text_streaming",
  },
  "live-fragments": {
    sentence: "Inputs with will_continue are one input with the first one that has it not",
    source: "session_service.proto: will_continue, TURN-17",
  },
  "live-variables": {
    sentence: "Variables sent alone begin no turn and count for the next one",
    source: "SESS-13",
  },
  "live-queued": {
    sentence: "Inputs that are sent during a turn are answered after it, in their order",
    source: "SESS-13",
  },
  "live-end": {
    sentence: "The end of the session is an output of its last turn and a message after it, and nothing follows",
    source: "session_service.proto: EndSession",
  },
  "live-ended": {
    sentence: "An input for a session that has ended is FAILED_PRECONDITION",
    source: "session_service.proto: EndSession",
  },
  "live-resumed": {
    sentence: "A new stream continues the session of the last one",
    source: "SESS-2",
  },
  "live-mixed": {
    sentence: "A session continues from RunSession to a stream and back",
    source: "SESS-2",
  },
  "live-config-first": {
    sentence: "An input before the config is INVALID_ARGUMENT",
    source: "session_service.proto: BidiRunSession",
  },
  "live-config-once": {
    sentence: "A second config is INVALID_ARGUMENT",
    source: "session_service.proto: BidiSessionClientMessage",
  },
  "live-unknown-deployment": {
    sentence: "A config with a deployment that does not exist is NOT_FOUND before any input",
    source: "SESS-14",
  },
  "live-audio-input": {
    sentence: "Audio without an audio config is INVALID_ARGUMENT",
    source: "session_service.proto: BidiRunSession",
  },
  "live-unasked-response": {
    sentence: "A response that no tool call waits for is left out, and the stream goes on",
    source: "TOOL-14",
  },
} as const satisfies Readonly<Record<string, Requirement>>;
