import { type Requirement, row } from "./requirement.ts";

/** What guardrails do in a turn, on every wire that takes one. */
export const GUARDRAILS = {
  "turn-guard-input": row(
    "GUARD-1, CONV-10",
    "Blocked input reaches no agent, and the trace shows whether a guardrail triggered",
  ),
  "turn-guard-answer": row("GUARD-4", "A blocked answer is neither shown nor stored, streamed or not"),
  "turn-guard-diacritics": row("GUARD-7", "Word filters match whole words, without diacritics when so configured"),
  "turn-guard-pattern": row("GUARD-7", "Pattern filters match expressions"),
  "turn-guard-transfer": row("GUARD-15", "A triggered guardrail may transfer to another agent"),
  "turn-guard-generate": row("GUARD-15", "A triggered guardrail may have an answer generated"),
  "turn-guard-disabled": row("GUARD-3", "A disabled guardrail does nothing"),
  "turn-guard-app": row("GUARD-2", "Guardrails of the app hold for every agent"),
  "turn-guard-no-action": row("GUARD-16", "A guardrail without an action fails every turn with the hosted message"),
  "turn-guard-policy": row("GUARD-9", "A policy is judged by a model, its prompt with the variables filled in"),
  "turn-guard-code": row("GUARD-14", "Code of a guardrail decides at its stage"),
  "turn-guard-code-object": row(
    "GUARD-14",
    "Code of a guardrail may return an object with a decision instead of a dict",
  ),
  "turn-guard-prompt-security": row(
    "GUARD-11, GUARD-12",
    "An attack on the prompt is judged by a model, and blocked when that fails",
  ),
  "turn-guard-model-safety": row(
    "GUARD-13",
    "Thresholds of harm go to the model, and its safety stop triggers the guardrail",
  ),
  "turn-guard-scope": row(
    "GUARD-9, GUARD-4",
    "A policy of the answer's scope judges the answer before anybody sees it",
  ),
  "turn-guard-both": row("GUARD-9", "A policy of both scopes checks the user's input and the answer"),
  "turn-guard-short": row("GUARD-10", "Short utterances skip a policy unless it says otherwise, and the trace says so"),
  "turn-guard-window": row("GUARD-9", "A policy sees as many messages as it says"),
  "turn-guard-open": row("GUARD-12", "A policy whose model call fails blocks, and does not with fail_open"),
  "turn-guard-held": row(
    "GUARD-5",
    "While a model checks the user's input nothing of an answer is sent, streamed or not",
  ),
  "turn-guard-order": row(
    "GUARD-2",
    "The app's guardrails judge before the agent's, each once, and the trace keeps their order",
  ),
  "turn-guard-pass": row("TURN-3", "Guardrails do not count as steps"),
  "turn-guard-choice": row("GUARD-15", "Only enabled responses are given"),
  "turn-guard-hidden": row("GUARD-8", "Invisible characters, other widths and directions hide no banned word"),
  "turn-guard-spoken": row(
    "GUARD-6",
    "A banned word is not sent by way of a partial or customized response, a callback or a widget either",
  ),
  "turn-guard-code-answer": row(
    "GUARD-14, GUARD-4",
    "Code that judges the model's answer does so before anybody sees it, streamed or not",
  ),
} as const satisfies Readonly<Record<string, Requirement>>;
