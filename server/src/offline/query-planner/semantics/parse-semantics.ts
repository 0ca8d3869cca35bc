import type { SemanticModel, SemanticTable } from "#analytics";
import { definedFields } from "#base";
import type { Constituent } from "../constituents/constituent.ts";
import { type ParsedExistence, parseExistence } from "../existence/parse-existence.ts";
import { EMPTY_QUERY, type SemanticQuery } from "../query/semantic-query.ts";
import type { Grain } from "../time/period.ts";
import { applyConstituent } from "./apply-constituent.ts";
import { resolveParse } from "./resolve-parse.ts";
import { beginParse, type SemanticParse } from "./semantic-parse.ts";

/** The meaning of one question, with everything that was not understood. */
export interface ParsedQuestion {
  readonly query: SemanticQuery;
  readonly warnings: readonly string[];
  /** The tables that the question names, in its order. */
  readonly subjects: readonly SemanticTable[];
  /** Whether it begins as a follow-up. */
  readonly followsUp: boolean;
  /** Whether its dimensions are added to the previous ones. */
  readonly adds: boolean;
  /** Whether it asks for a list of rows. */
  readonly listed: boolean;
  /** Whether it has "which" or "list"; "by channel" alone does not. */
  readonly names: boolean;
  /** Whether it asks for the whole of something that it does not name: "and in total?" */
  readonly whole: boolean;
  /** Whether it asks for a number of rows that it does not name: "how many in total?" */
  readonly counted: boolean;
  /** Whether it says what to split by: "by city", "monthly". */
  readonly splits: boolean;
  readonly unknown: readonly string[];
  /** Unknown words that only introduce the value behind them: they are told, and change nothing. */
  readonly introducing: readonly string[];
  /** Those of the unknown words that stand directly before a time: "left in 2025". */
  readonly timed: readonly string[];
  /** Why it cannot be answered, in sentences. */
  readonly refusals: readonly string[];
  /** The unit by which the previous period moves back. */
  readonly shift?: Grain;
}

/** Parses the constituents of a question to a semantic query. `before`: labels of the tables that the question before was about. */
export function parseSemantics(
  constituents: readonly Constituent[],
  model: SemanticModel,
  before: readonly string[] = [],
): ParsedQuestion {
  const found = parseExistence(constituents, model);
  if (found) return fromExistence(found);
  const parse = beginParse(constituents, model, before);
  constituents.forEach((constituent, at) => {
    applyConstituent(parse, constituent, at);
  });
  resolveParse(parse);
  return fromParse(parse);
}

function fromExistence({ existence, filters, warnings, unknown }: ParsedExistence): ParsedQuestion {
  return {
    query: { ...EMPTY_QUERY, filters, existence },
    warnings,
    subjects: [existence.subject],
    followsUp: false,
    adds: false,
    listed: !existence.counted,
    names: true,
    whole: false,
    counted: false,
    splits: false,
    unknown,
    introducing: [],
    timed: [],
    refusals: [],
  };
}

function fromParse({
  draft,
  constituents,
  cues,
  shift,
  subjects,
  unknown,
  asides,
  refusals,
  warnings,
}: SemanticParse): ParsedQuestion {
  return {
    query: draft,
    warnings,
    subjects,
    followsUp: cues.followsUp,
    adds: cues.adds,
    listed: cues.listed,
    names: constituents.some(({ kind }) => kind === "which" || kind === "list"),
    // "what share of the total is each?" keeps the split.
    whole:
      draft.measures.length + draft.dimensions.length === 0 &&
      !draft.share &&
      constituents.some((one) => one.kind === "aggregate" && one.whole),
    counted: draft.measures.length === 0 && constituents.some(({ kind }) => kind === "count"),
    splits: constituents.some(({ kind }) => kind === "group" || kind === "grain" || kind === "versus"),
    unknown,
    introducing: asides.values,
    timed: asides.times,
    refusals,
    ...definedFields({ shift }),
  };
}
