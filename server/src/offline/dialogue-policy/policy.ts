import { type Action, respond } from "./action.ts";
import { type CaseBase, createCaseBase } from "./cases/case-base.ts";
import { calledFunctions, type DialogueState, openResponses, SESSION_START, TRANSFER } from "./dialogue-state.ts";
import { withVariables } from "./instruction.ts";
import { actOnText } from "./intents/act-on-intent.ts";
import { createIntentRanker, type IntentRanker } from "./intents/intent-ranker.ts";
import { asksForPerson, detectSmalltalk } from "./intents/smalltalk.ts";
import { describeContext, describeResponse } from "./responses/describe-response.ts";
import { capabilities, escalate, farewell, greeting, smalltalkResponse } from "./responses/standard-responses.ts";
import { offered, pendingCalls, resumePendingCall } from "./slots/pending-call.ts";
import { questionFor } from "./slots/question.ts";

/** Decides what the built-in model does next. The same request always gets the same action. */
interface Policy {
  decide(dialogue: DialogueState): Action;
}

/** The policy: a matching case first, then open function responses, then the user's text. */
export function createPolicy(): Policy {
  const cases = createCaseBase();
  const ranker = createIntentRanker();
  return { decide: (dialogue) => decide(dialogue, cases, ranker) };
}

function decide(dialogue: DialogueState, cases: CaseBase, ranker: IntentRanker): Action {
  const byCase = cases.nextAction(dialogue.request, dialogue.events);
  if (byCase !== undefined) return byCase;
  const responses = openResponses(dialogue.turn).filter(({ name }) => name !== TRANSFER);
  if (responses.length === 0) return answerUser(dialogue, ranker);
  return (
    unhandledRequest(dialogue, ranker) ??
    respond(
      "telling",
      [...responses.map(({ name, response }) => describeResponse(name, response)), ...sentencesAfter(dialogue)].join(
        " ",
      ),
    )
  );
}

/**
 * A callback may have called a function before the policy acted on the user's text. Then the request is still open: the calls that
 * the policy would make for it, where nothing has made them since.
 */
function unhandledRequest(dialogue: DialogueState, ranker: IntentRanker): Action | undefined {
  const transfers = dialogue.turn.since.filter((event) => "name" in event && event.name === TRANSFER);
  const action = answerUser({ ...dialogue, turn: { ...dialogue.turn, since: transfers } }, ranker);
  const called = calledFunctions(dialogue);
  return action.calls.length > 0 && action.calls.every(({ name }) => name === TRANSFER || !called.has(name))
    ? action
    : undefined;
}

/** The verbatim sentences that the instruction has for the called functions, unless they are conditional. */
function sentencesAfter(dialogue: DialogueState): readonly string[] {
  const called = calledFunctions(dialogue);
  return dialogue.instruction.rules
    .filter(
      (rule) =>
        rule.tools.length === 1 && rule.sentences.length === 1 && !rule.conditional && called.has(rule.tools[0] ?? ""),
    )
    .flatMap((rule) => rule.sentences.map((sentence) => withVariables(sentence, dialogue.state)));
}

function answerUser(dialogue: DialogueState, ranker: IntentRanker): Action {
  const { request, instruction, turn } = dialogue;
  if (turn.text === "" && turn.blobs.length > 0) {
    return respond(
      "blob",
      `I received ${turn.blobs.join(", ")}, but Frontdesk's built-in model reads text only. ${capabilities(request, instruction)}`,
    );
  }
  if (turn.text === "" || turn.text === SESSION_START) return respond("greeting", greeting(request, instruction));
  const context = describeContext(turn.text);
  if (context !== undefined) return respond("context", context);
  const text = resolvedText(dialogue);
  if (asksForPerson(text)) return escalate(dialogue, text);
  return (
    respondToSmalltalk(dialogue, text) ?? resumePendingCall(dialogue, text, ranker) ?? actOnText(dialogue, text, ranker)
  );
}

/** The user's text; a bare "yes" is replaced by what the agent has just offered. */
function resolvedText({ turn }: DialogueState): string {
  const text = plainText(turn.text);
  return detectSmalltalk(text) === "affirm" ? (offered(turn.before) ?? text) : text;
}

/** The words of an event's name; any other mark-up is removed. */
function plainText(text: string): string {
  const event = /^<event>([\s\S]*)<\/event>$/.exec(text)?.[1];
  return (event?.replace(/[._-]+/g, " ") ?? text.replace(/<\/?(?:context|event)>/g, " ")).trim();
}

/** Smalltalk, unless "yes" or "no" answers a question that the agent has asked. */
function respondToSmalltalk(dialogue: DialogueState, text: string): Action | undefined {
  const kind = detectSmalltalk(text);
  if (kind === undefined) return undefined;
  const asked = pendingCalls(dialogue.turn.before, dialogue.request)[0]?.asked;
  if (asked?.kind === "boolean" && (kind === "affirm" || kind === "decline")) return undefined;
  if (asked !== undefined && kind === "affirm") return respond(`ask:${asked.name}`, questionFor(asked));
  return kind === "goodbye" ? farewell(dialogue) : smalltalkResponse(kind, dialogue);
}
