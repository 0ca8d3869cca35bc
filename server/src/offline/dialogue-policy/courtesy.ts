import type { JsonObject } from "#base";
import { type Action, call, say } from "./action.ts";
import { callOrAsk } from "./call-or-ask.ts";
import { END_SESSION, TRANSFER } from "./conversation.ts";
import { withVariables } from "./instruction.ts";
import { capabilities, greeting, sayingFor } from "./phrases.ts";
import { humanised } from "./question.ts";
import { canTransfer, declarationOf, type Situation, takes } from "./situation.ts";
import type { Smalltalk } from "./smalltalk.ts";
import { terms } from "./tokenise.ts";
import { transfer, wayOut } from "./transfer.ts";

/** Ends the session where the agent may, with the instruction's farewell or a short one. */
export function farewell(situation: Situation): Action {
  const words = sayingFor("farewell", situation.instruction, situation.state) ?? "Thank you, and goodbye.";
  return endSession(situation, "The customer said goodbye.", false, words) ?? say("goodbye", words);
}

/** Answers smalltalk that is no goodbye. */
export function smallAnswer(kind: Exclude<Smalltalk, "goodbye">, { request, instruction }: Situation): Action {
  switch (kind) {
    case "thanks":
      return say(kind, "You are welcome. Is there anything else I can do for you?");
    case "decline":
      return say(kind, "All right. Is there anything else I can do for you?");
    case "greeting":
      return say(kind, greeting(request, instruction));
    case "affirm":
      return say(kind, `What can I do for you? ${capabilities(request, instruction)}`);
  }
}

/** Words by which an agent or a tool says that it is the way to a person. */
const HANDS_OVER = /\b(?:human|live agent|real person|representative|escalat\w*|hand-?over|hand-?off)\b/i;

/**
 * The way to a person, in order: an agent or a tool that says it is one, an agent that the user named, `end_session` as an
 * escalation, the agent for everything else. Where there is none, that is said.
 */
export function escalate(situation: Situation, text: string): Action {
  const { request } = situation;
  const targets = (request.dialogueContext?.transferTargets ?? []).filter(({ name }) => canTransfer(situation, name));
  const desk = targets.find(handsOver) ?? targets.find(({ name }) => isNamed(name, text));
  if (desk !== undefined) return transfer(desk.name);
  const tool = request.tools.find(
    (declaration) => ![END_SESSION, TRANSFER].includes(declaration.name) && handsOver(declaration),
  );
  return (
    (tool === undefined ? undefined : callOrAsk(situation, tool, [{ text }])) ??
    endSession(situation, "The customer asked for a person.", true, escalationWords(situation)) ??
    wayOut(situation) ??
    say("escalation", "I cannot connect you with a person from here: this agent has no way to hand over.")
  );
}

function handsOver({ name, description }: { readonly name: string; readonly description: string }): boolean {
  return HANDS_OVER.test(humanised(name)) || HANDS_OVER.test(description);
}

function isNamed(agent: string, text: string): boolean {
  const said = terms(text);
  return terms(agent).length > 0 && terms(agent).every((term) => said.includes(term));
}

function escalationWords({ instruction, state }: Situation): string {
  const rule = instruction.rules.find(
    ({ context, sayings }) => sayings.length > 0 && /\b(?:human|person|escalat\w*|representative)\b/i.test(context),
  );
  return withVariables(rule?.sayings[0] ?? "One moment, I am handing you over to a person.", state);
}

/** A call of `end_session` with its words before it, or undefined where the agent may not end the session. */
function endSession({ request }: Situation, reason: string, escalated: boolean, words: string): Action | undefined {
  const declaration = declarationOf(request, END_SESSION);
  if (declaration === undefined || (escalated && !takes(declaration, "session_escalated"))) return undefined;
  const args: JsonObject = { reason };
  if (takes(declaration, "session_escalated")) args.session_escalated = escalated;
  return call(escalated ? "escalation" : "goodbye", END_SESSION, args, words);
}
