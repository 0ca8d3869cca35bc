import {
  type Guardrail_ContentFilter,
  Guardrail_ContentFilter_MatchType as MatchType,
} from "@frontdesk/protos/ces/guardrail";
import { RE2JS, RE2JSException } from "re2js";
import { comparableExpression, comparableForms, withoutCase } from "./comparable-text.ts";
import { buildPhraseAutomaton } from "./phrase-automaton.ts";

/** The phrases of a content filter for one stage. Plain data, so that a thread can search for them. */
export interface BannedPhrases {
  readonly phrases: readonly string[];
  readonly matchType: MatchType;
  readonly disregardDiacritics: boolean;
}

/** A search for banned phrases. */
export interface BannedPhraseSearch {
  /** The first phrase of the list that occurs in a text, as it is written in the filter. */
  find(text: string): string | undefined;
  /** Time of a search relative to the length of the text: steps for each UTF-16 unit, at worst. */
  readonly stepsPerUnit: number;
  /** Why phrases cannot be used. */
  readonly problems: readonly string[];
}

/** The phrases of a filter with more to them. */
export function bannedPhrases(
  { matchType, disregardDiacritics }: Pick<Guardrail_ContentFilter, "matchType" | "disregardDiacritics">,
  phrases: readonly string[],
): BannedPhrases {
  return { phrases: phrases.filter((phrase) => phrase.trim() !== ""), matchType, disregardDiacritics };
}

/** Prepares a search. Takes time linear in the length of the phrases. */
export function prepareSearch(banned: BannedPhrases): BannedPhraseSearch {
  return banned.matchType === MatchType.REGEXP_MATCH ? searchExpressions(banned) : searchWords(banned);
}

/** Steps for bringing a text into its comparable forms and reading both. */
const STEPS_TO_COMPARE = 20;

/** All phrases are found in one pass over the text (GUARD-27). */
function searchWords({ phrases, matchType, disregardDiacritics }: BannedPhrases): BannedPhraseSearch {
  const forms = phrases.flatMap((source) =>
    comparableForms(source, disregardDiacritics)
      .map(withoutCase)
      .filter((form) => form !== "")
      .map((form) => ({ source, form })),
  );
  const automaton = buildPhraseAutomaton(forms.map(({ form }) => form));
  const asWord = matchType === MatchType.WORD_BOUNDARY_STRING_MATCH;
  const first = (text: string) =>
    automaton.first(text, asWord ? (start, end) => !isInWord(text, start, end) : undefined) ?? forms.length;
  return {
    problems: [],
    stepsPerUnit: STEPS_TO_COMPARE + automaton.overlaps,
    find: (text) => {
      const found = comparableForms(text, disregardDiacritics).map((form) => first(withoutCase(form)));
      return forms[Math.min(...found)]?.source;
    },
  };
}

const ENDS_IN_WORD = /[\p{L}\p{N}_]$/u;
const BEGINS_IN_WORD = /^[\p{L}\p{N}_]/u;

/** Whether a letter, digit or underscore stands right before or after a part of a text. */
function isInWord(text: string, start: number, end: number): boolean {
  // Two units: one character beyond the BMP has as many.
  return ENDS_IN_WORD.test(text.slice(Math.max(0, start - 2), start)) || BEGINS_IN_WORD.test(text.slice(end, end + 2));
}

/** The compiled expression, or why it cannot be used. */
export function compileExpression(source: string, disregardDiacritics: boolean): RE2JS | string {
  try {
    return RE2JS.compile(comparableExpression(source, disregardDiacritics));
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return `The expression '${source}' cannot be used: ${error.message}`;
  }
}

/** RE2 syntax in linear time: an imported app must not be able to block the server with an expression. */
function searchExpressions({ phrases, disregardDiacritics }: BannedPhrases): BannedPhraseSearch {
  const problems: string[] = [];
  const expressions = phrases.flatMap((source) => {
    const compiled = compileExpression(source, disregardDiacritics);
    if (typeof compiled !== "string") return [{ source, compiled }];
    problems.push(compiled);
    return [];
  });
  const stepsPerUnit = expressions.reduce((sum, { compiled }) => sum + compiled.programSize(), STEPS_TO_COMPARE);
  return {
    problems,
    stepsPerUnit,
    find: (text) => {
      const forms = comparableForms(text, disregardDiacritics);
      return expressions.find(({ compiled }) => forms.some((form) => compiled.matcher(form).find()))?.source;
    },
  };
}
