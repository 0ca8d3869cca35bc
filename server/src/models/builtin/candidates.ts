import type { JsonObject } from "#base";
import type { FunctionDeclaration, ModelRequest } from "../contract.ts";
import { scoreBags, type TermBag, termBag } from "./bm25.ts";
import { END_SESSION, TRANSFER } from "./conversation.ts";
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
}

/** A name says more than a description, and that more than a parameter's documentation. */
const NAME_WEIGHT = 3;
const DESCRIPTION_WEIGHT = 1;
const PARAMETER_WEIGHT = 0.5;
/** Doing it here comes before handing it over; what the instruction says word for word comes before both. */
const TRANSFER_FACTOR = 0.9;
const RULE_FACTOR = 1.2;
/** What a value that fits a parameter's example adds: an order number speaks for the tool that takes one. */
const SHAPE_BONUS = 0.5;

/** Functions that are never chosen by their words: one is chosen by its targets, the other shapes speech. */
const UNRANKED: ReadonlySet<string> = new Set([TRANSFER, "customize_response"]);

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

  return {
    rank(text, request, instruction) {
      const query = queryOf(text);
      const entries = [
        ...toolEntries(request, instruction, bagOf),
        ...targetEntries(request, instruction, bagOf),
        ...ruleEntries(instruction, bagOf),
      ];
      const scores = scoreBags(
        query,
        entries.map(({ bag }) => bag),
      );
      const shapes = identifierShapes(text);
      const candidates = entries.map(({ choice, bag, factor }, position) => ({
        choice,
        matched: new Set(query.filter((term) => bag.counts.has(term))).size,
        score: (scores[position] ?? 0) * factor + shapeBonus(choice, shapes),
      }));
      return candidates.filter(({ score }) => score > 0).sort((left, right) => right.score - left.score);
    },
  };
}

/** What a bare value is called: "A-1001" alone is looked for as a number, a code, an id. */
const VALUE_NAMES: Readonly<Record<ValueKind, string>> = {
  identifier: "number id code reference",
  number: "number amount quantity",
  email: "email mail address",
  phone: "phone number",
  date: "date day",
  quoted: "name title text",
};

/** The terms of a text; where it has none, the names of the values in it. */
function queryOf(text: string): readonly string[] {
  const query = terms(text);
  return query.length > 0
    ? query
    : terms(
        findValues(text)
          .map(({ kind }) => VALUE_NAMES[kind])
          .join(" "),
      );
}

type BagOf = (key: object, build: () => TermBag) => TermBag;
interface Entry {
  readonly choice: Choice;
  readonly bag: TermBag;
  readonly factor: number;
}

function toolEntries(request: ModelRequest, instruction: Instruction, bagOf: BagOf): readonly Entry[] {
  return request.tools
    .filter(({ name }) => !UNRANKED.has(name))
    .map((declaration) => {
      const bag = bagOf(declaration, () => toolBag(declaration));
      return {
        choice: { kind: "tool", declaration },
        bag: withTriggers(bag, instruction, "tools", declaration.name),
        factor: 1,
      };
    });
}

function toolBag(declaration: FunctionDeclaration): TermBag {
  const parameters = parametersOf(declaration).map(({ name, description }) => `${name} ${description}`);
  const ending = declaration.name === END_SESSION ? "goodbye bye finish finished hang close end" : "";
  return termBag([
    [terms(declaration.name), NAME_WEIGHT],
    [terms(`${declaration.description} ${ending}`), DESCRIPTION_WEIGHT],
    [terms(parameters.join(" ")), PARAMETER_WEIGHT],
  ]);
}

function targetEntries(request: ModelRequest, instruction: Instruction, bagOf: BagOf): readonly Entry[] {
  return (request.hints?.transferTargets ?? []).map((target) => {
    const bag = bagOf(target, () =>
      termBag([
        [terms(target.name), NAME_WEIGHT],
        [terms(target.description), DESCRIPTION_WEIGHT],
      ]),
    );
    return {
      choice: { kind: "transfer", agent: target.name },
      bag: withTriggers(bag, instruction, "agents", target.name),
      factor: TRANSFER_FACTOR,
    };
  });
}

/** Rules that only speak are choices of their own; those that name a tool or an agent speak for it instead. */
function ruleEntries(instruction: Instruction, bagOf: BagOf): readonly Entry[] {
  return instruction.rules
    .filter((rule) => rule.occasion === "subject" && rule.tools.length === 0 && rule.agents.length === 0)
    .map((rule) => ({
      choice: { kind: "rule", rule },
      bag: bagOf(rule, () => termBag([[terms(rule.context), DESCRIPTION_WEIGHT]])),
      factor: RULE_FACTOR,
    }));
}

/** Adds the triggers of the rules that send to this tool or agent, and to it alone, to its own words. */
function withTriggers(bag: TermBag, instruction: Instruction, kind: "tools" | "agents", name: string): TermBag {
  const triggers = instruction.rules.filter(
    (rule) => rule.occasion === "subject" && rule[kind].includes(name) && rule.tools.length + rule.agents.length === 1,
  );
  if (triggers.length === 0) return bag;
  const counts = new Map(bag.counts);
  let length = bag.length;
  for (const term of new Set(triggers.flatMap((rule) => terms(rule.context)))) {
    counts.set(term, (counts.get(term) ?? 0) + DESCRIPTION_WEIGHT);
    length += DESCRIPTION_WEIGHT;
  }
  return { counts, length };
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

/** The declaration of a function by name, or undefined when the model may not call it. */
export function declarationOf(request: ModelRequest, name: string): FunctionDeclaration | undefined {
  return request.tools.find((tool) => tool.name === name);
}

/** Whether a function takes an argument of this name. */
export function takes(declaration: FunctionDeclaration, parameter: string): boolean {
  return parameter in ((declaration.parameters.properties as JsonObject | undefined) ?? {});
}
