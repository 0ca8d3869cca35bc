import {
  type Guardrail_ContentFilter,
  Guardrail_ContentFilter_MatchType as MatchType,
} from "@frontdesk/protos/ces/guardrail";
import { RE2JS, RE2JSException } from "re2js";
import { comparableExpression, comparableForms, withoutCase } from "./comparable-text.ts";
import type { GuardrailCheck, GuardrailStage } from "./guardrail-kind.ts";

/** Bans phrases in input, answers, or both (GUARD-7). */
export function contentFilter(
  config: Guardrail_ContentFilter,
): GuardrailCheck & Required<Pick<GuardrailCheck, "judge">> {
  const problems: string[] = [];
  const prepare = (phrases: readonly string[]) => phrases.flatMap((phrase) => preparePhrase(phrase, config, problems));
  const everywhere = prepare(config.bannedContents);
  const phrases: Readonly<Record<GuardrailStage, readonly Phrase[]>> = {
    "user-input": [...everywhere, ...prepare(config.bannedContentsInUserInput)],
    "agent-response": [...everywhere, ...prepare(config.bannedContentsInAgentResponse)],
  };
  const stages: readonly GuardrailStage[] = ["user-input", "agent-response"];
  return {
    stages: new Set(stages.filter((stage) => phrases[stage].length > 0)),
    judge: (stage, text) => {
      const forms = comparableForms(text, config.disregardDiacritics);
      const banned = phrases[stage].find(({ matches }) => forms.some(matches));
      return banned && `matches the banned content '${banned.source}'`;
    },
    problems,
  };
}

interface Phrase {
  readonly source: string;
  readonly matches: (text: string) => boolean;
}

function preparePhrase(
  source: string,
  { matchType, disregardDiacritics }: Guardrail_ContentFilter,
  problems: string[],
): readonly Phrase[] {
  if (source.trim() === "") return [];
  if (matchType === MatchType.REGEXP_MATCH) return prepareExpression(source, disregardDiacritics, problems);
  return comparableForms(source, disregardDiacritics)
    .map(withoutCase)
    .filter((phrase) => phrase !== "")
    .map((phrase) => ({
      source,
      matches: matchType === MatchType.WORD_BOUNDARY_STRING_MATCH ? asWord(phrase) : asPart(phrase),
    }));
}

function asWord(phrase: string): Phrase["matches"] {
  const words = new RegExp(`(?<![\\p{L}\\p{N}_])${RegExp.escape(phrase)}(?![\\p{L}\\p{N}_])`, "u");
  return (text) => words.test(withoutCase(text));
}

function asPart(phrase: string): Phrase["matches"] {
  return (text) => withoutCase(text).includes(phrase);
}

/** RE2 syntax in linear time: an imported app must not be able to block the server with an expression. */
function prepareExpression(source: string, withoutDiacritics: boolean, problems: string[]): readonly Phrase[] {
  try {
    const compiled = RE2JS.compile(comparableExpression(source, withoutDiacritics));
    return [{ source, matches: (text) => compiled.matcher(text).find() }];
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    problems.push(`The expression '${source}' cannot be used: ${error.message}`);
    return [];
  }
}
