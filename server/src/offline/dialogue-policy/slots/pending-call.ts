import type { FunctionDeclaration, ModelRequest } from "#models";
import type { Action } from "../action.ts";
import type { DialogueEvent, DialogueState } from "../dialogue-state.ts";
import type { IntentRanker, RankedIntent } from "../intents/intent-ranker.ts";
import { terms } from "../text/tokenizer.ts";
import { callOrAsk, fillSlots, type Utterance } from "./fill-slots.ts";
import { type Parameter, parametersOf } from "./parameter.ts";
import { questionFor } from "./question.ts";

/** Resumes the call that the agent's last question was for; undefined when there is none or the user changes the subject. */
export function resumePendingCall(dialogue: DialogueState, text: string, ranker: IntentRanker): Action | undefined {
  const { request, instruction, turn } = dialogue;
  const pending = intendedCall(pendingCalls(turn.before, request), dialogue, ranker);
  if (pending === undefined) return undefined;
  const others = ranker
    .rank(text, request, instruction)
    .filter(({ intent }) => intent.kind !== "tool" || intent.declaration !== pending.declaration);
  const utterances: readonly Utterance[] = [{ text, answers: pending.asked.name }, ...pending.earlier];
  const { missing } = fillSlots(pending.declaration, utterances, dialogue);
  const answered = missing.every(({ name }) => name !== pending.asked.name);
  if (others.length > 0 && (!answered || changesSubject(text, pending, others))) return undefined;
  return callOrAsk(dialogue, pending.declaration, utterances);
}

/** Functions may share a question: chooses the one that the user's first text ranks highest. */
function intendedCall(
  pending: readonly PendingCall[],
  { request, instruction }: DialogueState,
  ranker: IntentRanker,
): PendingCall | undefined {
  const [first, second] = pending;
  if (first === undefined || second === undefined) return first;
  for (const { intent } of ranker.rank(first.earlier.at(-1)?.text ?? "", request, instruction)) {
    const meant = pending.find(({ declaration }) => intent.kind === "tool" && intent.declaration === declaration);
    if (meant !== undefined) return meant;
  }
  return first;
}

/** Where any text could be the answer, a question, or a text that ranks another intent fully, changes the subject. */
function changesSubject(text: string, { asked }: PendingCall, others: readonly RankedIntent[]): boolean {
  if (!["text", "name", "utterance"].includes(asked.kind)) return false;
  const said = new Set(terms(text)).size;
  return isQuestion(text) || others.some(({ matched }) => matched >= 2 && matched === said);
}

function isQuestion(text: string): boolean {
  return /\?\s*$|^\s*(?:where|what|when|how|who|why|which|can|could|do|does|is|are|will|would)\b/i.test(text);
}

/** A call with a missing parameter that the agent has asked for. */
interface PendingCall {
  readonly declaration: FunctionDeclaration;
  readonly asked: Parameter;
  /** The user's earlier texts about it, newest first. */
  readonly earlier: readonly Utterance[];
}

/** The largest number of earlier texts about one call. */
const MAX_QUESTIONS = 8;

/**
 * The calls that the agent's last question was for. The policy has no state: it finds the question again in the history. Several
 * functions may share a question; the caller resolves that.
 */
export function pendingCalls(before: readonly DialogueEvent[], request: ModelRequest): readonly PendingCall[] {
  const words = lastUserText(before);
  if (words === "") return [];
  return request.tools.flatMap((declaration) => {
    const asked = askedParameter(declaration, words);
    return asked === undefined ? [] : [{ declaration, asked, earlier: earlierUtterances(before, declaration) }];
  });
}

function askedParameter(declaration: FunctionDeclaration, words: string): Parameter | undefined {
  return parametersOf(declaration).find((parameter) => parameter.required && words.includes(questionFor(parameter)));
}

/** The offer in the agent's last question ("Would you like me to …?", "Shall I …?"), which a "yes" accepts. */
export function offered(before: readonly DialogueEvent[]): string | undefined {
  const offer = /\b(?:would you like|do you want|shall i|should i|may i)\s+(?:me )?(?:to )?([^.?!]+)\?\s*$/i;
  return offer.exec(lastUserText(before))?.[1]?.trim();
}

/** The agent's texts at the end of the events, joined. */
function lastUserText(events: readonly DialogueEvent[]): string {
  const start = events.findLastIndex((event) => event.kind !== "agent") + 1;
  return events
    .slice(start)
    .flatMap((event) => (event.kind === "agent" ? [event.text] : []))
    .join("\n");
}

/** Walks back through the user's texts while the question before each is about this function. */
function earlierUtterances(before: readonly DialogueEvent[], declaration: FunctionDeclaration): readonly Utterance[] {
  const utterances: Utterance[] = [];
  let end = before.length;
  while (utterances.length < MAX_QUESTIONS) {
    const at = before.slice(0, end).findLastIndex((event) => event.kind === "user");
    const said = before[at];
    if (said?.kind !== "user") break;
    const answered = askedParameter(declaration, lastUserText(before.slice(0, at)));
    utterances.push(answered === undefined ? { text: said.text } : { text: said.text, answers: answered.name });
    if (answered === undefined) break;
    end = at;
  }
  return utterances;
}
