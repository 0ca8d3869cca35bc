import { type Requirement, row, type TurnSurface } from "./requirement.ts";

/** Binary wires have no unknown keys and no other spelling. */
const JSON_ONLY: Partial<Record<TurnSurface, string>> = {
  grpc: "the encoding has no keys",
  "grpc-stream": "the encoding has no keys",
  "grpc-bidi": "the encoding has no keys",
};

/** There sound is what they are for (server/test/voice). */
const CONVERSATIONS: Partial<Record<TurnSurface, string>> = {
  "grpc-bidi": "a conversation takes sound when its config says so",
  websocket: "a conversation takes sound when its config says so",
};

/** What a turn does, on every wire that takes one: unary, streamed, and both kinds of open conversations. */
export const TURNS = {
  "turn-plain": row("TURN-2", "A plain answer is one text from one model call"),
  "turn-index": row("SESS-8", "Turns count from 1, and only the last output completes one and has the diagnostics"),
  "turn-no-diagnostics": row("SESS-7", "exclude_diagnostic_info leaves the diagnostics out"),
  "turn-transfer": row("TURN-23", "After a transfer the other agent answers the same input in the same turn"),
  "turn-transfer-kept": row("TURN-23", "The target of a transfer stays active until it transfers back"),
  "turn-transfer-offered": row("TURN-21", "An agent without neighbours is offered no transfer"),
  "turn-transfer-unknown": row("TURN-22", "A transfer to an unknown agent is an error that the model gets"),
  "turn-entry-agent": row("TURN-6", "entry_agent starts the session at that agent"),
  "turn-rule-first": row("TURN-24", "The first transfer rule that matches transfers without a model call"),
  "turn-rule-chain": row(
    "TURN-26, TURN-25",
    "Rules are asked again for each agent that gains control, in both directions",
  ),
  "turn-rule-no-planner": row("TURN-27", "Where a rule forbids it, the model may not transfer"),
  "turn-agent-tool": row(
    "TOOL-24",
    "An agent as a tool answers in a conversation of its own, and the caller stays in control",
  ),
  "turn-end": row("TOOL-9", "end_session ends after the text before it, with reason, escalation and params"),
  "turn-end-no-arguments": row("TOOL-9", "end_session works without arguments and without text"),
  "turn-end-unlisted": row("TOOL-8, TOOL-1", "An agent that does not list end_session cannot end the session"),
  "turn-ended": row("SESS-9", "Nothing is answered after the end of the session"),
  "turn-customize": row("TOOL-11", "customize_response is sent as text in a text session"),
  "turn-loop-limit": row("TURN-3", "The eleventh step of a turn fails with the hosted message, and nothing is stored"),
  "turn-event": row("TURN-12", "Events reach the agent by their name"),
  "turn-event-extra-key": row("TURN-12", "Unknown keys beside an event are ignored", JSON_ONLY),
  "turn-dtmf": row("TURN-14", "Keys reach the agent without the finish digit"),
  "turn-image": row("TURN-16", "Images reach the model"),
  "turn-snake-case": row("TURN-12", "Keys in snake_case are taken", JSON_ONLY),
  "turn-variables": row("TURN-10", "Declared variables count for the text beside them, undeclared ones are ignored"),
  "turn-variable-chunks": row("TURN-42", "Default and changed variables are recorded as chunks"),
  "turn-dynamic-variable": row("TURN-34", "A dynamic variable stays in the prompt and is sent as a state update"),
  "turn-condition": row("TURN-35", "Conditional blocks of instructions follow the variables"),
  "turn-global-instruction": row("TURN-38", "Every agent gets the global instruction"),
  "turn-time-zone": row("TURN-41", "current_date follows the session's time zone"),
  "turn-historical-contexts": row("SESS-5", "historical_contexts are the history that the session starts with"),
  "turn-example": row("TURN-37", "Examples of the entry agent are shown to the model"),
  "turn-record": row("CONV-1", "The stored conversation has every turn as it was answered, the closing one too"),
  "turn-error-none": row(
    "TURN-29",
    "Without settings a model's failure is an error for the client, and nothing of the turn is stored",
  ),
  "turn-error-fallback": row("TURN-30", "The fallback is sent as often as configured, then the session ends"),
  "turn-error-end": row("TURN-31", "END_SESSION ends the session, escalated when the app says so"),
  "turn-long-text": row("TURN-18", "A text of a hundred thousand characters is taken whole"),
  "turn-bad-session": row(
    "SESS-1, TURN-41",
    "An unknown app is NOT_FOUND; a malformed session or time zone INVALID_ARGUMENT",
  ),
  "turn-deployment": row("SESS-3", "A session keeps the version that its deployment gave it, a new one gets the new"),
  "turn-transfer-argument": row("TURN-22", "A transfer may name its agent in either argument that code writes"),
  "turn-transfer-targets": row("TURN-21", "An agent is offered its children and its parent"),
  "turn-rule-python": row("CB-17", "Python decides a transfer rule, whatever its parameter is called"),
  "turn-welcome-text": row("TURN-12", "The text of a session start is a session start"),
  "turn-blob": row("TURN-16", "Blobs of any type reach the model"),
  "turn-config-extra-keys": row("SESS-6", "Keys of the config that are a proxy's are ignored", JSON_ONLY),
  "turn-audio-config": row("SESS-10", "Sound without a word on its encoding is refused", CONVERSATIONS),
  "turn-nested-variable": row("TURN-33", "A static variable may be a path, and text is put in as it is"),
  "turn-references": row("TURN-32", "References in instructions are shown under the name that the model knows"),
  "turn-multilingual": row("TURN-39", "Multilingual support adds to the instruction"),
  "turn-error-language": row("TURN-30", "The fallback is sent in the app's language"),
  "turn-error-quota": row("TURN-29", "A model's exhausted quota is RESOURCE_EXHAUSTED for the client"),
  "turn-error-empty": row("TURN-9", "An empty answer is an error of the model, and the app's fallback is sent"),
} as const satisfies Readonly<Record<string, Requirement>>;
