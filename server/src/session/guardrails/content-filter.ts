import {
  type Guardrail_ContentFilter,
  Guardrail_ContentFilter_MatchType as MatchType,
} from "@frontdesk/protos/ces/guardrail";
import type { TextSearch } from "../text-search/text-threads.ts";
import { type BannedPhraseSearch, type BannedPhrases, bannedPhrases, prepareSearch } from "./banned-phrases.ts";
import { CHECK_FAILED, type GuardrailCheck, type GuardrailStage, type Judgement } from "./guardrail-kind.ts";

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
    // Preparing a filter takes time: only turns that it judges do.
    get problems() {
      return [...new Set(stages.flatMap((stage) => filters[stage].problems()))];
    },
  };
}

interface StageFilter {
  readonly isUsed: boolean;
  problems(): readonly string[];
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
  let search: BannedPhraseSearch | undefined;
  const prepared = (): BannedPhraseSearch | undefined => {
    search ??= size <= most ? prepareSearch(banned) : undefined;
    return search;
  };
  return {
    isUsed: banned.phrases.length > 0,
    problems: () => prepared()?.problems ?? [],
    judge: async (text, threads) => {
      const here = prepared();
      if (here && text.length * here.stepsPerUnit <= MAX_STEPS) return judgement(here.find(text), here.problems);
      const result = await threads.findBanned(banned, text);
      // What cannot be searched cannot be let through.
      if (!result) return { reason: "the text could not be searched for banned content within ten seconds" };
      return judgement(result.found, result.problems);
    },
  };
}

/** An expression that cannot be used could have been the one that occurs (GUARD-29). */
function judgement(found: string | undefined, problems: readonly string[]): Judgement {
  if (found !== undefined) return { reason: `matches the banned content '${found}'` };
  return problems.length === 0
    ? { reason: undefined }
    : { reason: CHECK_FAILED, attributes: { problems: [...problems] } };
}
