import type { FunctionDeclaration, ModelRequest } from "#models";
import { scoreBags, type TermBag } from "./bm25.ts";
import { choiceTerms } from "./choice-terms.ts";
import type { Instruction, InstructionRule } from "./instruction.ts";
import { parametersOf, shapeOf } from "./parameter.ts";
import { terms } from "./tokenise.ts";
import { findValues, type ValueKind } from "./values.ts";

/** Something the agent could do about a text. */
export type Choice =
  | { readonly kind: "tool"; readonly declaration: FunctionDeclaration }
  | { readonly kind: "transfer"; readonly agent: string }
  | { readonly kind: "rule"; readonly rule: InstructionRule };

/** A choice with its relevance; `matched` counts the distinct terms that it shares with the text. */
export interface Candidate {
  readonly choice: Choice;
  readonly score: number;
  readonly matched: number;
}

/** Ranks what an agent can do by the user's words. */
export interface CandidateRanker {
  /** The choices that share a term with the text, best first. */
  rank(text: string, request: ModelRequest, instruction: Instruction): readonly Candidate[];
  /** The choices that are about the kinds of values in the text: "A-1001" alone is looked for as a number, a code, an id. */
  rankByValues(text: string, request: ModelRequest, instruction: Instruction): readonly Candidate[];
}

/** What a value that fits a parameter's example adds: an order number speaks for the tool that takes one. */
const SHAPE_BONUS = 0.5;

/** A ranker; the terms of a declaration are kept as long as the declaration itself. */
export function createCandidateRanker(): CandidateRanker {
  const bags = new WeakMap<object, TermBag>();

  function bagOf(key: object, build: () => TermBag): TermBag {
    const known = bags.get(key);
    if (known !== undefined) return known;
    const built = build();
    bags.set(key, built);
    return built;
  }

  function score(
    query: readonly string[],
    text: string,
    request: ModelRequest,
    instruction: Instruction,
  ): readonly Candidate[] {
    if (query.length === 0) return [];
    const choices = choiceTerms(request, instruction, bagOf);
    const relevances = scoreBags(
      query,
      choices.map(({ bag }) => bag),
    );
    const shapes = identifierShapes(text);
    return choices
      .map(({ choice, factor }, position) => {
        const { score: relevance = 0, coverage = 0, matched = 0 } = relevances[position] ?? {};
        return { choice, matched, score: (relevance * factor + shapeBonus(choice, shapes)) * coverage };
      })
      .filter(({ matched }) => matched > 0)
      .sort((left, right) => right.score - left.score);
  }

  return {
    rank: (text, request, instruction) => score(terms(text), text, request, instruction),
    rankByValues: (text, request, instruction) => score(valueTerms(text), text, request, instruction),
  };
}

const VALUE_NAMES: Readonly<Record<ValueKind, string>> = {
  identifier: "number id code reference",
  number: "number amount quantity",
  email: "email mail address",
  phone: "phone number",
  date: "date day",
  quoted: "name title text",
};

function valueTerms(text: string): readonly string[] {
  return terms(
    findValues(text)
      .map(({ kind }) => VALUE_NAMES[kind])
      .join(" "),
  );
}

function identifierShapes(text: string): ReadonlySet<string> {
  return new Set(
    findValues(text)
      .filter(({ kind }) => kind === "identifier")
      .map(({ value }) => shapeOf(value)),
  );
}

function shapeBonus(choice: Choice, shapes: ReadonlySet<string>): number {
  if (choice.kind !== "tool" || shapes.size === 0) return 0;
  return parametersOf(choice.declaration).some((parameter) => [...parameter.shapes].some((shape) => shapes.has(shape)))
    ? SHAPE_BONUS
    : 0;
}
