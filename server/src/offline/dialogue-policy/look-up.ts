import type { JsonObject } from "#base";
import type { FunctionDeclaration } from "#models";
import { type Action, call } from "./action.ts";
import { isRepeated, type Situation } from "./situation.ts";

/**
 * Looks the user's words up where the agent has a search: a function that takes a question and nothing else that it needs. A
 * search may be about anything, so it comes after everything that is about something.
 */
export function lookUp(situation: Situation, text: string): Action | undefined {
  const search = situation.request.tools.find(isSearch);
  if (!search) return undefined;
  const args = { query: text };
  return isRepeated(situation, search.name, args) ? undefined : call(`search:${search.name}`, search.name, args);
}

function isSearch({ parameters }: FunctionDeclaration): boolean {
  const { required, properties } = parameters;
  const names = Object.keys((properties as JsonObject | undefined) ?? {});
  const needed = Array.isArray(required) && required.length === 1 && required[0] === "query";
  return needed && names.every((name) => name === "query" || name === "filter");
}
