import {
  type Guardrail_ContentFilter,
  Guardrail_ContentFilter_MatchType as MatchType,
} from "@frontdesk/protos/ces/guardrail";
import { definedFields } from "#base";
import type { TextSearch } from "../text-search/text-threads.ts";
import { type BannedPhrases, bannedPhrases, prepareSearch } from "./banned-phrases.ts";
import type { GuardrailCheck, GuardrailStage, Judgement } from "./guardrail-kind.ts";

/** Bans phrases in input, answers, or both (GUARD-7). */
export function contentFilter(
  config: Guardrail_ContentFilter,
): GuardrailCheck & Required<Pick<GuardrailCheck, "judge">> {
  const { bannedContents, bannedContentsInUserInput, bannedContentsInAgentResponse } = config;
  const everywhere = stageFilter(bannedPhrases(config, bannedContents));
  // Most filters ban the same everywhere, and preparing a long list takes time and memory.
  const withMore = (more: readonly string[]) =>
    more.length === 0 ? everywhere : stageFilter(bannedPhrases(config, [...bannedContents, ...more]));
  const filters: Readonly<Record<GuardrailStage, StageFilter>> = {
    "user-input": withMore(bannedContentsInUserInput),
    "agent-response": withMore(bannedContentsInAgentResponse),
  };
  const stages: readonly GuardrailStage[] = ["user-input", "agent-response"];
  return {
    stages: new Set(stages.filter((stage) => filters[stage].isUsed)),
    judge: (stage, text, threads) => filters[stage].judge(text, threads),
    problems: [...new Set(stages.flatMap((stage) => filters[stage].problems))],
  };
}

interface StageFilter {
  readonly isUsed: boolean;
  readonly problems: readonly string[];
  judge(text: string, threads: TextSearch): Promise<Judgement>;
}

/** Characters of phrases that the main thread prepares: thousands of words, or hundreds of expressions, which take longer. */
const MAX_PREPARED = { words: 200_000, expressions: 10_000 };
/** Steps of one search on the main thread: some milliseconds. */
const MAX_STEPS = 1_000_000;

/** Long texts and long lists are searched in a thread, so that no turn waits for another's (GUARD-27). */
function stageFilter(banned: BannedPhrases): StageFilter {
  const size = banned.phrases.reduce((sum, phrase) => sum + phrase.length, 0);
  const most = banned.matchType === MatchType.REGEXP_MATCH ? MAX_PREPARED.expressions : MAX_PREPARED.words;
  const prepared = size <= most ? prepareSearch(banned) : undefined;
  const problems = prepared?.problems ?? [];
  return {
    isUsed: banned.phrases.length > problems.length,
    problems,
    judge: async (text, threads) => {
      if (prepared && text.length * prepared.stepsPerUnit <= MAX_STEPS) return judgement(prepared.find(text));
      const result = await threads.findBanned(banned, text);
      // What cannot be searched cannot be let through.
      if (!result) return { reason: "the text could not be searched for banned content within ten seconds" };
      return { ...judgement(result.found), ...definedFields({ attributes: attributesOf(result.problems) }) };
    },
  };
}

function judgement(found: string | undefined): Judgement {
  return { reason: found && `matches the banned content '${found}'` };
}

function attributesOf(problems: readonly string[]): Judgement["attributes"] {
  return problems.length > 0 ? { problems: [...problems] } : undefined;
}
