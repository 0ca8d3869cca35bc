import type { FunctionDeclaration } from "../contract.ts";
import { type Action, call, say } from "./action.ts";
import { type Candidate, type CandidateRanker, createCandidateRanker } from "./candidates.ts";
import { type CaseBase, createCaseBase } from "./cases.ts";
import { openResponses, SESSION_START, TRANSFER } from "./conversation.ts";
import { escalate, farewell, smallAnswer } from "./courtesy.ts";
import type { InstructionRule } from "./instruction.ts";
import { withVariables } from "./instruction.ts";
import { pendingCalls } from "./pending.ts";
import { capabilities, greeting, notUnderstood } from "./phrases.ts";
import { questionFor } from "./question.ts";
import { calledFunctions, canTransfer, isRepeated, type Situation } from "./situation.ts";
import { fillSlots, type Statement } from "./slots.ts";
import { asksForPerson, smalltalkOf } from "./smalltalk.ts";
import { tellResponse, toldContext } from "./telling.ts";
import { terms } from "./tokenise.ts";
import { findValues } from "./values.ts";

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
  const text = plainText(turn.text);
  if (asksForPerson(text)) return escalate(situation, ranker.rank(text, request, instruction));
  return small(situation, text) ?? answerPending(situation, text, ranker) ?? answerSubject(situation, text, ranker);
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
  if (asked !== undefined && (kind === "affirm" || (kind === "decline" && asked.kind === "boolean"))) return undefined;
  return kind === "goodbye" ? farewell(situation) : smallAnswer(kind, situation);
}

/** Goes on with the call that the agent's last question was for. */
function answerPending(situation: Situation, text: string, ranker: CandidateRanker): Action | undefined {
  const pending = pendingCalls(situation.turn.before, situation.request);
  const first = pending[0];
  if (first === undefined) return undefined;
  const wish = first.earlier.at(-1)?.text ?? "";
  const meant = ranker
    .rank(wish, situation.request, situation.instruction)
    .find(
      ({ choice }) => choice.kind === "tool" && pending.some(({ declaration }) => declaration === choice.declaration),
    );
  const current =
    pending.find(({ declaration }) => meant?.choice.kind === "tool" && declaration === meant.choice.declaration) ??
    first;
  const others = ranker
    .rank(text, situation.request, situation.instruction)
    .filter(({ choice }) => choice.kind !== "tool" || choice.declaration !== current.declaration);
  const free = current.asked.kind === "text" || current.asked.kind === "name" || current.asked.kind === "utterance";
  if (free && isQuestion(text) && others.some(({ matched }) => matched > 0)) return undefined;
  const statements: readonly Statement[] = [{ text, answers: current.asked.name }, ...current.earlier];
  const { missing } = fillSlots(current.declaration, statements, situation);
  if (missing.some(({ name }) => name === current.asked.name) && others.some(({ matched }) => matched > 0))
    return undefined;
  return callOrAsk(situation, current.declaration, statements);
}

function isQuestion(text: string): boolean {
  return /\?\s*$|^\s*(?:where|what|when|how|who|why|which|can|could|do|does|is|are|will|would)\b/i.test(text);
}

/** The best of what the agent can do about the words, else the instruction's way out, else what it can do at all. */
function answerSubject(situation: Situation, text: string, ranker: CandidateRanker): Action {
  if (terms(text).length === 0 && findValues(text).length === 0) {
    return say("capabilities", capabilities(situation.request, situation.instruction));
  }
  for (const candidate of ranker.rank(text, situation.request, situation.instruction)) {
    const action = act(situation, candidate, text);
    if (action !== undefined) return action;
  }
  const wayOut = situation.instruction.rules.find(
    (rule) => rule.occasion === "otherwise" && rule.agents.some((agent) => canTransfer(situation, agent)),
  );
  if (wayOut !== undefined) return transfer(wayOut.agents.find((agent) => canTransfer(situation, agent)) ?? "");
  return say("capabilities", notUnderstood(situation.request, situation.instruction));
}

function act(situation: Situation, { choice }: Candidate, text: string): Action | undefined {
  switch (choice.kind) {
    case "transfer":
      return canTransfer(situation, choice.agent) ? transfer(choice.agent) : undefined;
    case "rule":
      return sayRule(situation, choice.rule);
    case "tool":
      return choice.declaration.name === "end_session"
        ? farewell(situation)
        : callOrAsk(situation, choice.declaration, [{ text }]);
  }
}

function transfer(agent: string): Action {
  return call(`transfer:${agent}`, TRANSFER, { agent_name: agent });
}

function sayRule(situation: Situation, rule: InstructionRule): Action | undefined {
  const saying = rule.sayings[0];
  return saying === undefined ? undefined : say("instruction", withVariables(saying, situation.state));
}

function callOrAsk(
  situation: Situation,
  declaration: FunctionDeclaration,
  statements: readonly Statement[],
): Action | undefined {
  const { args, missing } = fillSlots(declaration, statements, situation);
  const [next] = missing;
  if (next !== undefined) return say(`ask:${declaration.name}.${next.name}`, questionFor(next));
  return isRepeated(situation, declaration.name, args)
    ? undefined
    : call(`tool:${declaration.name}`, declaration.name, args);
}
