import type { Action } from "./action.ts";
import { callOrAsk } from "./call-or-ask.ts";
import type { Candidate, CandidateRanker } from "./candidates.ts";
import { type PendingCall, pendingCalls } from "./pending.ts";
import type { Situation } from "./situation.ts";
import { fillSlots, type Statement } from "./slots.ts";
import { terms } from "./tokenise.ts";

/** Goes on with the call that the agent's last question was for; undefined when there is none or the user speaks of something else. */
export function answerPending(situation: Situation, text: string, ranker: CandidateRanker): Action | undefined {
  const { request, instruction, turn } = situation;
  const pending = meantCall(pendingCalls(turn.before, request), situation, ranker);
  if (pending === undefined) return undefined;
  const others = ranker
    .rank(text, request, instruction)
    .filter(({ choice }) => choice.kind !== "tool" || choice.declaration !== pending.declaration);
  const statements: readonly Statement[] = [{ text, answers: pending.asked.name }, ...pending.earlier];
  const { missing } = fillSlots(pending.declaration, statements, situation);
  const answered = missing.every(({ name }) => name !== pending.asked.name);
  if (others.length > 0 && (!answered || changesSubject(text, pending, others))) return undefined;
  return callOrAsk(situation, pending.declaration, statements);
}

/** Functions may share a question: the one that the user's first statement was about is meant. */
function meantCall(
  pending: readonly PendingCall[],
  { request, instruction }: Situation,
  ranker: CandidateRanker,
): PendingCall | undefined {
  const [first, second] = pending;
  if (first === undefined || second === undefined) return first;
  for (const { choice } of ranker.rank(first.earlier.at(-1)?.text ?? "", request, instruction)) {
    const meant = pending.find(({ declaration }) => choice.kind === "tool" && choice.declaration === declaration);
    if (meant !== undefined) return meant;
  }
  return first;
}

/** Any words would do as the answer: then a question, or words that name something else entirely, are not taken for it. */
function changesSubject(text: string, { asked }: PendingCall, others: readonly Candidate[]): boolean {
  if (!["text", "name", "utterance"].includes(asked.kind)) return false;
  const said = new Set(terms(text)).size;
  return isQuestion(text) || others.some(({ matched }) => matched >= 2 && matched === said);
}

function isQuestion(text: string): boolean {
  return /\?\s*$|^\s*(?:where|what|when|how|who|why|which|can|could|do|does|is|are|will|would)\b/i.test(text);
}
