import { type Action, say } from "./action.ts";
import { answerPending } from "./answer-pending.ts";
import { answerSubject } from "./answer-subject.ts";
import { type CandidateRanker, createCandidateRanker } from "./candidates.ts";
import { type CaseBase, createCaseBase } from "./cases.ts";
import { openResponses, SESSION_START, TRANSFER } from "./conversation.ts";
import { escalate, farewell, smallAnswer } from "./courtesy.ts";
import { withVariables } from "./instruction.ts";
import { offered, pendingCalls } from "./pending.ts";
import { capabilities, greeting } from "./phrases.ts";
import { questionFor } from "./question.ts";
import { calledFunctions, type Situation } from "./situation.ts";
import { asksForPerson, smalltalkOf } from "./smalltalk.ts";
import { tellResponse, toldContext } from "./telling.ts";

/** Decides what the built-in model does next. The same request always gets the same action. */
export interface Policy {
  decide(situation: Situation): Action;
}

/** The policy: cases first, then what the tools answered, then the user's words (design: the built-in model's three steps). */
export function createPolicy(): Policy {
  const cases = createCaseBase();
  const ranker = createCandidateRanker();
  return { decide: (situation) => decide(situation, cases, ranker) };
}

function decide(situation: Situation, cases: CaseBase, ranker: CandidateRanker): Action {
  const byExample = cases.nextAction(situation.request, situation.steps);
  if (byExample !== undefined) return byExample;
  const responses = openResponses(situation.turn).filter(({ name }) => name !== TRANSFER);
  if (responses.length === 0) return answerUser(situation, ranker);
  return (
    unasked(situation, ranker) ??
    say(
      "telling",
      [...responses.map(({ name, response }) => tellResponse(name, response)), ...sayingsAfter(situation)].join(" "),
    )
  );
}

/**
 * A callback may have called a function before the user's own wish was looked at. Then the wish is still open: what the
 * policy would have called for it and nobody has called since.
 */
function unasked(situation: Situation, ranker: CandidateRanker): Action | undefined {
  const transfers = situation.turn.since.filter((step) => "name" in step && step.name === TRANSFER);
  const wish = answerUser({ ...situation, turn: { ...situation.turn, since: transfers } }, ranker);
  const called = calledFunctions(situation);
  return wish.calls.length > 0 && wish.calls.every(({ name }) => name === TRANSFER || !called.has(name))
    ? wish
    : undefined;
}

/** Fixed sentences that the instruction puts after a function, where no condition stands before them. */
function sayingsAfter(situation: Situation): readonly string[] {
  const called = calledFunctions(situation);
  return situation.instruction.rules
    .filter(
      (rule) =>
        rule.tools.length === 1 && rule.sayings.length === 1 && !rule.conditional && called.has(rule.tools[0] ?? ""),
    )
    .flatMap((rule) => rule.sayings.map((saying) => withVariables(saying, situation.state)));
}

function answerUser(situation: Situation, ranker: CandidateRanker): Action {
  const { request, instruction, turn } = situation;
  if (turn.text === "" && turn.blobs.length > 0) {
    return say(
      "blob",
      `I received ${turn.blobs.join(", ")}, but Frontdesk's built-in model reads text only. ${capabilities(request, instruction)}`,
    );
  }
  if (turn.text === "" || turn.text === SESSION_START) return say("greeting", greeting(request, instruction));
  const context = toldContext(turn.text);
  if (context !== undefined) return say("context", context);
  const text = meantText(situation);
  if (asksForPerson(text)) return escalate(situation, text);
  return small(situation, text) ?? answerPending(situation, text, ranker) ?? answerSubject(situation, text, ranker);
}

/** The user's words; a bare "yes" means what the agent has just offered. */
function meantText({ turn }: Situation): string {
  const text = plainText(turn.text);
  return smalltalkOf(text) === "affirm" ? (offered(turn.before) ?? text) : text;
}

/** An event's name is read as words; any other mark-up is dropped. */
function plainText(text: string): string {
  const event = /^<event>([\s\S]*)<\/event>$/.exec(text)?.[1];
  return (event?.replace(/[._-]+/g, " ") ?? text.replace(/<\/?(?:context|event)>/g, " ")).trim();
}

/** Smalltalk, unless "yes" or "no" answers a question that the agent has asked. */
function small(situation: Situation, text: string): Action | undefined {
  const kind = smalltalkOf(text);
  if (kind === undefined) return undefined;
  const asked = pendingCalls(situation.turn.before, situation.request)[0]?.asked;
  if (asked?.kind === "boolean" && (kind === "affirm" || kind === "decline")) return undefined;
  if (asked !== undefined && kind === "affirm") return say(`ask:${asked.name}`, questionFor(asked));
  return kind === "goodbye" ? farewell(situation) : smallAnswer(kind, situation);
}
