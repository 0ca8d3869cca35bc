import type { JsonObject } from "#base";
import type { FunctionDeclaration } from "#models";
import { type Action, callFunction, fallbackTransfer, respond, transfer } from "../action.ts";
import { canTransfer, type DialogueState, END_SESSION, isRepeated } from "../dialogue-state.ts";
import { type InstructionRule, withVariables } from "../instruction.ts";
import { capabilities, farewell, notUnderstood } from "../responses/standard-responses.ts";
import { findEntities } from "../slots/entities.ts";
import { callOrAsk } from "../slots/fill-slots.ts";
import { terms } from "../text/tokenizer.ts";
import type { IntentRanker, RankedIntent } from "./intent-ranker.ts";

/**
 * Acts on the user's text: the best intent that is possible, else a search, else the transfer that the instruction names for requests
 * out of scope, else the best intent for the entities in the text, else a description of the capabilities. A text of entities alone
 * begins with the entities.
 */
export function actOnText(dialogue: DialogueState, text: string, ranker: IntentRanker): Action {
  const { request, instruction } = dialogue;
  const hasTerms = terms(text).length > 0;
  if (!hasTerms && findEntities(text).length === 0) return respond("capabilities", capabilities(request, instruction));
  const byEntities = () => actOnFirst(dialogue, ranker.rankByEntities(text, request, instruction), text);
  const best = hasTerms ? actOnFirst(dialogue, ranker.rank(text, request, instruction), text) : byEntities();
  return (
    best ??
    (hasTerms ? searchFor(dialogue, text) : undefined) ??
    fallbackTransfer(dialogue) ??
    byEntities() ??
    respond("capabilities", notUnderstood(request, instruction))
  );
}

function actOnFirst(dialogue: DialogueState, ranked: readonly RankedIntent[], text: string): Action | undefined {
  for (const rankedIntent of ranked) {
    const action = act(dialogue, rankedIntent, text);
    if (action !== undefined) return action;
  }
  return undefined;
}

function act(dialogue: DialogueState, { intent, matched }: RankedIntent, text: string): Action | undefined {
  switch (intent.kind) {
    case "transfer":
      return canTransfer(dialogue, intent.agent) ? transfer(intent.agent) : undefined;
    case "rule":
      return respondByRule(dialogue, intent.rule);
    case "tool":
      if (intent.declaration.name !== END_SESSION) return callOrAsk(dialogue, intent.declaration, [{ text }]);
      // Ending is meant only when nothing else is: "close the chat", not "close my account".
      return matched === new Set(terms(text)).size ? farewell(dialogue) : undefined;
  }
}

function respondByRule(dialogue: DialogueState, rule: InstructionRule): Action | undefined {
  const sentence = rule.sentences[0];
  return sentence === undefined ? undefined : respond("instruction", withVariables(sentence, dialogue.state));
}

/**
 * Calls the agent's search with the user's text: a function whose only required parameter is `query`. It comes after all intents,
 * because a search fits any text.
 */
function searchFor(dialogue: DialogueState, text: string): Action | undefined {
  const search = dialogue.request.tools.find(isSearch);
  if (!search) return undefined;
  const args = { query: text };
  return isRepeated(dialogue, search.name, args) ? undefined : callFunction(`search:${search.name}`, search.name, args);
}

function isSearch({ parameters }: FunctionDeclaration): boolean {
  const { required, properties } = parameters;
  const names = Object.keys((properties as JsonObject | undefined) ?? {});
  const needed = Array.isArray(required) && required.length === 1 && required[0] === "query";
  return needed && names.every((name) => name === "query" || name === "filter");
}
