import { type Requirement, row } from "./requirement.ts";

/** What guardrails do in a turn, on every wire that takes one. */
export const GUARDRAILS = {
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
  "turn-guard-scope": row("6, 13", "A policy of the answer's scope judges the answer before anybody sees it"),
  "turn-guard-both": row("6", "A policy of both scopes judges the user's words and the answer"),
  "turn-guard-short": row("6", "Short utterances skip a policy unless it says otherwise, and the trace says so"),
  "turn-guard-window": row("6", "A policy sees as many messages as it says"),
  "turn-guard-open": row("6", "A policy whose judge fails blocks, and lets pass when it fails open"),
  "turn-guard-held": row("6", "While a model judges the user's words nothing of an answer is shown, streamed or not"),
  "turn-guard-order": row(
    "6",
    "The app's guardrails judge before the agent's, each once, and the trace keeps their order",
  ),
  "turn-guard-pass": row("13", "Guardrails cost no reasoning pass"),
  "turn-guard-choice": row("6", "Only enabled responses are given"),
  "turn-guard-hidden": row("6", "Invisible characters, other widths and directions hide no banned word"),
  "turn-guard-spoken": row(
    "6, 2.9",
    "A banned word is not said by way of a partial or customized response, a callback or a widget either",
  ),
  "turn-guard-code-answer": row(
    "6",
    "Code that judges the model's answer does so before anybody sees it, streamed or not",
  ),
} as const satisfies Readonly<Record<string, Requirement>>;
