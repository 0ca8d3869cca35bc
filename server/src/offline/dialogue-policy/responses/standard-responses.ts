import type { JsonObject } from "#base";
import type { ModelRequest } from "#models";
import { type Action, callFunction, fallbackTransfer, respond, transfer } from "../action.ts";
import { canTransfer, type DialogueState, declarationOf, END_SESSION, TRANSFER, takes } from "../dialogue-state.ts";
import { type Instruction, type Occasion, withVariables } from "../instruction.ts";
import type { Smalltalk } from "../intents/smalltalk.ts";
import { callOrAsk } from "../slots/fill-slots.ts";
import { toWords } from "../slots/question.ts";
import { terms } from "../text/tokenizer.ts";

/** Ends the session where the agent is allowed to, with the instruction's farewell or a short one. */
export function farewell(dialogue: DialogueState): Action {
  const words = sentenceFor("farewell", dialogue.instruction, dialogue.state) ?? "Thank you, and goodbye.";
  return endSession(dialogue, "The customer said goodbye.", false, words) ?? respond("goodbye", words);
}

/** The response to smalltalk other than a goodbye. */
export function smalltalkResponse(
  kind: Exclude<Smalltalk, "goodbye">,
  { request, instruction }: DialogueState,
): Action {
  switch (kind) {
    case "thanks":
      return respond(kind, "You are welcome. Is there anything else I can do for you?");
    case "decline":
      return respond(kind, "All right. Is there anything else I can do for you?");
    case "greeting":
      return respond(kind, greeting(request, instruction));
    case "affirm":
      return respond(kind, `What can I do for you? ${capabilities(request, instruction)}`);
  }
}

/** Names or descriptions of an agent or a tool that leads to a person. */
const PERSON_WORDS = /\b(?:human|live agent|real person|representative|escalat\w*|hand-?over|hand-?off)\b/i;

/**
 * Escalates to a person, in order: an agent or a tool whose description names a person, an agent that the user named, `end_session`
 * as an escalation, the agent for requests out of scope. Otherwise the response is that it is not possible.
 */
export function escalate(dialogue: DialogueState, text: string): Action {
  const { request } = dialogue;
  const targets = (request.dialogueContext?.transferTargets ?? []).filter(({ name }) => canTransfer(dialogue, name));
  const desk = targets.find(leadsToPerson) ?? targets.find(({ name }) => isNamed(name, text));
  if (desk !== undefined) return transfer(desk.name);
  const tool = request.tools.find(
    (declaration) => ![END_SESSION, TRANSFER].includes(declaration.name) && leadsToPerson(declaration),
  );
  return (
    (tool === undefined ? undefined : callOrAsk(dialogue, tool, [{ text }])) ??
    endSession(dialogue, "The customer asked for a person.", true, escalationWords(dialogue)) ??
    fallbackTransfer(dialogue) ??
    respond("escalation", "I cannot connect you with a person from here: this agent has no way to hand over.")
  );
}

function leadsToPerson({ name, description }: { readonly name: string; readonly description: string }): boolean {
  return PERSON_WORDS.test(toWords(name)) || PERSON_WORDS.test(description);
}

function isNamed(agent: string, text: string): boolean {
  const said = terms(text);
  return terms(agent).length > 0 && terms(agent).every((term) => said.includes(term));
}

function escalationWords({ instruction, state }: DialogueState): string {
  const rule = instruction.rules.find(
    ({ context, sentences }) => sentences.length > 0 && /\b(?:human|person|escalat\w*|representative)\b/i.test(context),
  );
  return withVariables(rule?.sentences[0] ?? "One moment, I am handing you over to a person.", state);
}

/** A call of `end_session` after a text, or undefined where the agent may not end the session. */
function endSession({ request }: DialogueState, reason: string, escalated: boolean, words: string): Action | undefined {
  const declaration = declarationOf(request, END_SESSION);
  if (declaration === undefined || (escalated && !takes(declaration, "session_escalated"))) return undefined;
  const args: JsonObject = { reason };
  if (takes(declaration, "session_escalated")) args.session_escalated = escalated;
  return callFunction(escalated ? "escalation" : "goodbye", END_SESSION, args, words);
}

/** The largest number of capabilities in one response. */
const MAX_ITEMS = 6;

/** The instruction's verbatim sentence for an occasion, or undefined. */
function sentenceFor(occasion: Occasion, instruction: Instruction, state: JsonObject): string | undefined {
  const sentence = instruction.rules.find((rule) => rule.occasion === occasion && rule.sentences.length > 0)
    ?.sentences[0];
  return sentence === undefined ? undefined : withVariables(sentence, state);
}

/** The greeting: the instruction's own, or the agent's name and its capabilities. */
export function greeting(request: ModelRequest, instruction: Instruction): string {
  const own = sentenceFor("greeting", instruction, request.dialogueContext?.state ?? {});
  const name = request.dialogueContext?.agentName ?? "";
  return own ?? [name === "" ? "Hello." : `Hello, this is ${name}.`, capabilities(request, instruction)].join(" ");
}

/** The agent's capabilities in one sentence: the topics of its instruction, or else its functions and transfer targets. */
export function capabilities(request: ModelRequest, instruction: Instruction): string {
  const functions = request.tools.filter(({ name }) => ![END_SESSION, TRANSFER, "customize_response"].includes(name));
  const targets = request.dialogueContext?.transferTargets ?? [];
  const items =
    instruction.topics.length > 0
      ? instruction.topics
      : [...functions, ...targets].map(({ name, description }) => firstClause(description) ?? toWords(name));
  const named = [...new Set(items.map(lowerFirst))].slice(0, MAX_ITEMS);
  if (named.length === 0) {
    return "I am Frontdesk's built-in model: this agent has no tools, examples or fixed sentences that I could answer with.";
  }
  return `I can help with: ${named.join("; ")}.`;
}

/** The response to a text without a matching intent. */
export function notUnderstood(request: ModelRequest, instruction: Instruction): string {
  return (
    sentenceFor("otherwise", instruction, request.dialogueContext?.state ?? {}) ??
    `I did not find anything here that fits that. ${capabilities(request, instruction)}`
  );
}

function firstClause(description: string): string | undefined {
  const clause = /^[^.;:\n(]{3,90}/.exec(description.trim())?.[0].trim();
  return clause === undefined || clause === "" ? undefined : clause;
}

function lowerFirst(text: string): string {
  return /^\p{Lu}\p{Ll}/u.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
