import type { JsonObject } from "#base";

const QUERY: JsonObject = {
  type: "string",
  description: "What to look for, in the words of the user, with what is needed to understand it.",
};
const FILTER: JsonObject = {
  type: "string",
  description:
    'Which documents count, by their fields, e.g. category: ANY("shoes") AND price < 50. Leave out when all of them do.',
};

/** JSON Schema of a search's arguments: a question, and a filter where the model may give one. */
export function searchParameters(withFilter = false): JsonObject {
  return {
    type: "object",
    properties: { query: QUERY, ...(withFilter && { filter: FILTER }) },
    required: ["query"],
  };
}

/** The question of a call; undefined when there is none. */
export function queryOf({ query }: JsonObject): string | undefined {
  if (query === undefined || query === null) return undefined;
  const text = typeof query === "string" ? query : JSON.stringify(query);
  return text.trim() === "" ? undefined : text;
}
