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
  "turn-plain": row("2.2.1", "A plain answer is one text from one model call"),
  "turn-index": row("7.3", "Turns count from 1, and only the last output completes one and has the diagnostics"),
  "turn-no-diagnostics": row("2.12", "exclude_diagnostic_info leaves the diagnostics out"),
  "turn-transfer": row("2.2.3", "A transfer lets the other agent answer the same words in the same turn"),
  "turn-transfer-kept": row("2.5", "Who was transferred to keeps the conversation until it is handed back"),
  "turn-transfer-offered": row("2.5", "An agent without neighbours is offered no transfer"),
  "turn-transfer-unknown": row("2.5", "A transfer to an unknown agent is an error that the model hears"),
  "turn-entry-agent": row("2.12", "entry_agent starts the session at that agent"),
  "turn-rule-first": row("2.6", "The first transfer rule that holds hands over without asking a model"),
  "turn-rule-chain": row("2.6", "Rules are asked again for each agent that gains control, in both directions"),
  "turn-rule-no-planner": row("2.6", "Where a rule forbids it, the model may not transfer"),
  "turn-agent-tool": row(
    "2.7",
    "An agent as a tool answers in a conversation of its own, and the caller stays in control",
  ),
  "turn-end": row("2.9", "end_session ends after the words before it, with reason, escalation and params"),
  "turn-end-no-arguments": row("2.9", "end_session works without arguments and without words"),
  "turn-end-unlisted": row("2.9", "An agent that does not list end_session cannot end the session"),
  "turn-ended": row("7.4", "Nothing is answered after the end of the session"),
  "turn-customize": row("2.9", "customize_response is said as text in a text session"),
  "turn-loop-limit": row("13", "The eleventh pass of a turn is refused in the hosted words, and nothing is kept"),
  "turn-event": row("2.11", "Events reach the agent by their name"),
  "turn-event-extra-key": row("2.11", "Unknown keys beside an event are ignored", JSON_ONLY),
  "turn-dtmf": row("2.11, 13", "Keys reach the agent without the finish digit"),
  "turn-image": row("2.11", "Images reach the model"),
  "turn-snake-case": row("2.11", "Keys in snake_case are taken", JSON_ONLY),
  "turn-variables": row("2.11, 3.2", "Declared variables count for the text beside them, undeclared ones are ignored"),
  "turn-variable-chunks": row("3.3", "Default and changed variables are recorded as chunks"),
  "turn-dynamic-variable": row("3.2", "A dynamic variable stays in the prompt and is told as a state update"),
  "turn-condition": row("3.1", "Conditional blocks of instructions follow the variables"),
  "turn-global-instruction": row("3.5", "The global instruction goes to every agent"),
  "turn-time-zone": row("2.12, 3.3", "current_date follows the session's time zone"),
  "turn-historical-contexts": row("2.12", "historical_contexts are the history that the session starts with"),
  "turn-example": row("3.4", "Examples of the entry agent are shown to the model"),
  "turn-record": row("5.1, 5.2, 5.3", "The stored conversation has every turn as it was answered, the closing one too"),
  "turn-error-none": row("2.13", "Without settings a model's failure is the client's, and nothing of the turn is kept"),
  "turn-error-fallback": row("2.13", "The fallback is said as often as it may be, then the session ends"),
  "turn-error-end": row("2.13", "END_SESSION ends the session, escalated when the app says so"),
  "turn-long-text": row("8.6", "A text of a hundred thousand characters is taken whole"),
  "turn-bad-session": row("2.12", "An unknown app is NOT_FOUND; a malformed session or time zone INVALID_ARGUMENT"),
  "turn-deployment": row("2.1, 8", "A session keeps the version that its deployment gave it, a new one gets the new"),
  "turn-transfer-argument": row("1.3, 2.5", "A transfer may name its agent in either argument that code writes"),
  "turn-transfer-targets": row("2.5", "An agent is offered its children and its parent"),
  "turn-rule-python": row("1.9, 2.6", "Python decides a transfer rule, whatever its parameter is called"),
  "turn-welcome-text": row("2.11", "The text of a session start is a session start"),
  "turn-blob": row("2.11", "Blobs of any type reach the model"),
  "turn-config-extra-keys": row("2.12, 7.4", "Keys of the config that are a proxy's are ignored", JSON_ONLY),
  "turn-no-audio": row("2.12", "Calls that are no conversation take no sound", CONVERSATIONS),
  "turn-nested-variable": row("3.1", "A static variable may be a path, and text is put in as it is"),
  "turn-references": row("3.1", "References in instructions are shown under the name that the model knows"),
  "turn-multilingual": row("3.5", "Multilingual support adds to the instruction"),
  "turn-error-language": row("2.13", "The fallback is said in the app's language"),
  "turn-error-quota": row("2.13", "A model's exhausted quota is RESOURCE_EXHAUSTED for the client"),
  "turn-error-empty": row("1.7, 2.13", "An answer of nothing is an error of the model, and the app's fallback is said"),
} as const satisfies Readonly<Record<string, Requirement>>;
