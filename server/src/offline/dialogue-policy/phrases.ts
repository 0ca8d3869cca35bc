import type { JsonObject } from "#base";
import type { ModelRequest } from "#models";
import { END_SESSION, TRANSFER } from "./conversation.ts";
import { type Instruction, type Occasion, withVariables } from "./instruction.ts";
import { humanised } from "./question.ts";

/** At most this many things are named when the agent says what it can do. */
const NAMED = 6;

/** The sentence that the instruction has for an occasion, or undefined. */
export function sayingFor(occasion: Occasion, instruction: Instruction, state: JsonObject): string | undefined {
  const saying = instruction.rules.find((rule) => rule.occasion === occasion && rule.sayings.length > 0)?.sayings[0];
  return saying === undefined ? undefined : withVariables(saying, state);
}

/** The opening words: the instruction's own, or the agent's name and what it can do. */
export function greeting(request: ModelRequest, instruction: Instruction): string {
  const own = sayingFor("greeting", instruction, request.dialogueContext?.state ?? {});
  const name = request.dialogueContext?.agentName ?? "";
  return own ?? [name === "" ? "Hello." : `Hello, this is ${name}.`, capabilities(request, instruction)].join(" ");
}

/** What the agent can do, in one sentence: the topics of its instruction, or where it has none its functions and the agents it can hand over to. */
export function capabilities(request: ModelRequest, instruction: Instruction): string {
  const functions = request.tools.filter(({ name }) => ![END_SESSION, TRANSFER, "customize_response"].includes(name));
  const targets = request.dialogueContext?.transferTargets ?? [];
  const items =
    instruction.topics.length > 0
      ? instruction.topics
      : [...functions, ...targets].map(({ name, description }) => firstClause(description) ?? humanised(name));
  const named = [...new Set(items.map(lowerFirst))].slice(0, NAMED);
  if (named.length === 0) {
    return "I am Frontdesk's built-in model: this agent has no tools, examples or fixed sentences that I could answer with.";
  }
  return `I can help with: ${named.join("; ")}.`;
}

/** The answer to what fits nothing. */
export function notUnderstood(request: ModelRequest, instruction: Instruction): string {
  return (
    sayingFor("otherwise", instruction, request.dialogueContext?.state ?? {}) ??
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
