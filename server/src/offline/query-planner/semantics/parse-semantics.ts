import type { SemanticModel, SemanticTable } from "#analytics";
import type { Constituent } from "../constituents/constituent.ts";
import { type ParsedExistence, parseExistence } from "../existence/parse-existence.ts";
import { EMPTY_QUERY, type SemanticQuery } from "../query/semantic-query.ts";
import type { Grain } from "../time/period.ts";
import { applyConstituent } from "./apply-constituent.ts";
import { resolveParse } from "./resolve-parse.ts";
import { beginParse, type SemanticParse } from "./semantic-parse.ts";

/** A question as far as it was understood. */
export interface ParsedQuestion {
  readonly query: SemanticQuery;
  readonly warnings: readonly string[];
  /** Tables the question names, also where they are only the subject. */
  readonly subjects: readonly SemanticTable[];
  /** Whether it changes the question before. */
  readonly followsUp: boolean;
  /** Whether its ways to group come on top of those before. */
  readonly adds: boolean;
  /** Whether rows are asked for instead of a number. */
  readonly listed: boolean;
  /** Whether it asks for things by name; "by channel" alone does not. */
  readonly names: boolean;
  readonly unknown: readonly string[];
  /** The period of the question before, moved back by one of these. */
  readonly shift?: Grain;
}

/** Gives each piece of a question its place in a query. */
export function parseSemantics(constituents: readonly Constituent[], model: SemanticModel): ParsedQuestion {
  const found = parseExistence(constituents, model);
  if (found) return fromExistence(found);
  const parse = beginParse(constituents, model);
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
    unknown,
  };
}

function fromParse({ draft, constituents, cues, shift, subjects, unknown, warnings }: SemanticParse): ParsedQuestion {
  return {
    query: draft,
    warnings,
    subjects,
    followsUp: cues.followsUp,
    adds: cues.adds,
    listed: cues.listed,
    names: constituents.some(({ kind }) => kind === "which" || kind === "list"),
    unknown,
    ...(shift && { shift }),
  };
}
