import {
  type Guardrail_ContentFilter,
  Guardrail_ContentFilter_MatchType as MatchType,
} from "@frontdesk/protos/ces/guardrail";
import { mapWithPauses } from "#base";
import { compileExpression } from "./banned-phrases.ts";

/**
 * Why expressions of a content filter cannot be used, one sentence each without a full stop. Other calls run between them. An expression that is
 * longer than people write is left to the turns that it judges.
 */
export async function filterProblems(filter: Guardrail_ContentFilter): Promise<readonly string[]> {
  if (filter.matchType !== MatchType.REGEXP_MATCH) return [];
  const { bannedContents, bannedContentsInUserInput, bannedContentsInAgentResponse } = filter;
  const sources = new Set([...bannedContents, ...bannedContentsInUserInput, ...bannedContentsInAgentResponse]);
  const banned = [...sources].filter((source) => source.trim() !== "" && source.length <= MAX_CHECKED);
  const problems = await mapWithPauses(banned, (source) => compileExpression(source, filter.disregardDiacritics));
  return problems.filter((compiled) => typeof compiled === "string");
}

/** Characters of an expression that is checked before a turn. */
const MAX_CHECKED = 10_000;
