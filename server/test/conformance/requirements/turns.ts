import type { Requirement, TurnSurface } from "./requirement.ts";

/** Binary wires have no unknown keys and no other spelling. */
const JSON_ONLY: Partial<Record<TurnSurface, string>> = {
  grpc: "the encoding has no keys",
  "grpc-stream": "the encoding has no keys",
  "grpc-bidi": "the encoding has no keys",
};

/** There the outcome starts a turn of its own (live-sessions.test.ts). */
const TOLD_UNASKED: Partial<Record<TurnSurface, string>> = {
  "grpc-bidi": "an open conversation is told unasked",
  websocket: "an open conversation is told unasked",
};

const row = (source: string, sentence: string, except?: Requirement["except"]): Requirement => ({
  sentence,
  source: `ces-runtime ${source}`,
  ...(except && { except }),
});

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
  "turn-welcome": row(
    "2.2.4",
    "The welcome event reaches callbacks as session start, and what they return is said without a model",
  ),
  "turn-prefix": row("2.2.5", "A partial response is said first, then the model answers"),
  "turn-before-agent": row("1.7", "Content of before_agent takes the agent's place"),
  "turn-after-agent": row("1.7", "Content of after_agent is added to the answer"),
  "turn-edited-request": row("1.7", "before_model may change the instruction and hide tools"),
  "turn-farewell": row("2.9", "after_model may put words before the end of the session"),
  "turn-payload": row("1.7", "A custom payload reaches the client and not the model"),
  "turn-callback-order": row(
    "1.7, 1.8",
    "Callbacks run in order, disabled ones not, and one that raises counts as not run",
  ),
  "turn-tool": row("2.2.2", "Words before a call are said, the call is made, and the model goes on with its result"),
  "turn-tools-parallel": row(
    "2.3, 13",
    "Parallel calls start from the same variables; separate keys survive, one key keeps the last",
  ),
  "turn-tools-sequential": row("2.3", "Sequential calls see what the ones before them wrote"),
  "turn-tool-failure": row("13", "A tool that fails answers the error envelope and the turn goes on"),
  "turn-tool-nested": row("13", "Tools that a tool calls resolve against the app and leave no trace in the transcript"),
  "turn-tool-callbacks": row("1.7", "before_tool may edit the arguments and after_tool may replace the result"),
  "turn-client-function": row(
    "2.10",
    "A client function is handed out, and the model goes on with the client's response",
  ),
  "turn-client-function-mixed": row(
    "2.10",
    "Beside a client function the server's tools run, and the model gets all results",
  ),
  "turn-client-function-wrong-id": row(
    "2.10",
    "A response with a wrong or a used id is refused and the session stays as it was",
  ),
  "turn-client-function-left": row("2.10", "A user who goes on instead leaves the call failed"),
  "turn-fake": row("2.14", "A fake answers when session and tool ask for it, and None falls through to the tool"),
  "turn-asynchronous": row("2.4, 13", "An asynchronous tool answers pending at once"),
  "turn-asynchronous-late": row(
    "13",
    "The outcome of an asynchronous tool comes with a later turn, as words of the user in their context",
    TOLD_UNASKED,
  ),
  "turn-toolset": row(
    "4.1",
    "A toolset offers the operations that the agent names, as its display name and theirs, and can be faked",
  ),
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
  "turn-guard-input": row("2.1, 6", "Blocked words reach no agent, and the trace says whether a guardrail triggered"),
  "turn-guard-answer": row("2.1, 6", "A blocked answer is neither shown nor stored, streamed or not"),
  "turn-guard-diacritics": row("6", "Word filters match whole words, without diacritics when told to"),
  "turn-guard-pattern": row("6", "Pattern filters match expressions"),
  "turn-guard-transfer": row("6", "A triggered guardrail may hand over to another agent"),
  "turn-guard-generate": row("6", "A triggered guardrail may have an answer generated"),
  "turn-guard-disabled": row("6", "A disabled guardrail does nothing"),
  "turn-guard-app": row("6", "Guardrails of the app hold for every agent"),
  "turn-guard-no-action": row("13", "A guardrail without an action refuses every turn in the hosted words"),
  "turn-guard-policy": row("6, 13", "A policy is judged by a model, its prompt with the variables filled in"),
  "turn-guard-code": row("6", "Code of a guardrail decides at its stage"),
  "turn-guard-code-object": row("1.9", "Code of a guardrail may return an object with a decision instead of a dict"),
  "turn-guard-prompt-security": row("6", "An attack on the prompt is judged by a model, and blocked when that fails"),
  "turn-guard-model-safety": row("6", "Thresholds of harm go to the model, and its safety stop triggers the guardrail"),
  "turn-deployment": row("2.1, 8", "A session keeps the version that its deployment gave it, a new one gets the new"),
} as const satisfies Readonly<Record<string, Requirement>>;
