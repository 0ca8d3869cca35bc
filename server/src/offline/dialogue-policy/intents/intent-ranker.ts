import type { FunctionDeclaration, ModelRequest } from "#models";
import { END_SESSION, TRANSFER } from "../dialogue-state.ts";
import type { Instruction, InstructionRule } from "../instruction.ts";
import { type EntityKind, findEntities } from "../slots/entities.ts";
import { parametersOf, shapeOf } from "../slots/parameter.ts";
import { terms } from "../text/tokenizer.ts";
import { scoreBags, type TermBag, termBag } from "./bm25.ts";

/** An intent: a tool to call, an agent to transfer to, or a rule of the instruction to follow. */
type Intent =
  | { readonly kind: "tool"; readonly declaration: FunctionDeclaration }
  | { readonly kind: "transfer"; readonly agent: string }
  | { readonly kind: "rule"; readonly rule: InstructionRule };

/** An intent with its relevance; `matched` counts the distinct terms that it shares with the text. */
export interface RankedIntent {
  readonly intent: Intent;
  readonly score: number;
  readonly matched: number;
}

/** Ranks the intents of an agent by their relevance for a text. */
export interface IntentRanker {
  /** The intents that share a term with the text, best first. */
  rank(text: string, request: ModelRequest, instruction: Instruction): readonly RankedIntent[];
  /** The intents for the kinds of entities in the text: "A-1001" alone is searched as a number, a code, an id. */
  rankByEntities(text: string, request: ModelRequest, instruction: Instruction): readonly RankedIntent[];
}

/** Added to a tool's score when an identifier has the shape of an example in its parameters' documentation. */
const SHAPE_BONUS = 0.5;

/** A ranker; the terms of a declaration are cached for its lifetime. */
export function createIntentRanker(): IntentRanker {
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
  ): readonly RankedIntent[] {
    if (query.length === 0) return [];
    const intents = intentTerms(request, instruction, bagOf);
    const relevances = scoreBags(
      query,
      intents.map(({ bag }) => bag),
    );
    const shapes = identifierShapes(text);
    return intents
      .map(({ intent, factor }, position) => {
        const { score: relevance = 0, coverage = 0, matched = 0 } = relevances[position] ?? {};
        return { intent, matched, score: (relevance * factor + shapeBonus(intent, shapes)) * coverage };
      })
      .filter(({ matched }) => matched > 0)
      .sort((left, right) => right.score - left.score);
  }

  return {
    rank: (text, request, instruction) => score(terms(text), text, request, instruction),
    rankByEntities: (text, request, instruction) => score(entityTerms(text), text, request, instruction),
  };
}

const ENTITY_NAMES: Readonly<Record<EntityKind, string>> = {
  identifier: "number id code reference",
  number: "number amount quantity",
  email: "email mail address",
  phone: "phone number",
  date: "date day",
  quoted: "name title text",
};

function entityTerms(text: string): readonly string[] {
  return terms(
    findEntities(text)
      .map(({ kind }) => ENTITY_NAMES[kind])
      .join(" "),
  );
}

function identifierShapes(text: string): ReadonlySet<string> {
  return new Set(
    findEntities(text)
      .filter(({ kind }) => kind === "identifier")
      .map(({ value }) => shapeOf(value)),
  );
}

function shapeBonus(intent: Intent, shapes: ReadonlySet<string>): number {
  if (intent.kind !== "tool" || shapes.size === 0) return 0;
  return parametersOf(intent.declaration).some((parameter) => [...parameter.shapes].some((shape) => shapes.has(shape)))
    ? SHAPE_BONUS
    : 0;
}

/** An intent with its index terms; the score is multiplied by `factor`. */
interface IntentTerms {
  readonly intent: Intent;
  readonly bag: TermBag;
  readonly factor: number;
}

/** The cached terms of an object. */
type BagOf = (key: object, build: () => TermBag) => TermBag;

/** A name weighs more than a description, which weighs more than a parameter's documentation. */
const NAME_WEIGHT = 3;
const DESCRIPTION_WEIGHT = 1;
const PARAMETER_WEIGHT = 0.5;
/** A tool of this agent wins over a transfer; a verbatim sentence of the instruction wins over both. */
const TRANSFER_FACTOR = 0.9;
const RULE_FACTOR = 1.2;

/** Functions that are never ranked: transfers are ranked by their targets, and `customize_response` shapes speech. */
const UNRANKED: ReadonlySet<string> = new Set([TRANSFER, "customize_response"]);

/** All intents of an agent with their index terms. */
function intentTerms(request: ModelRequest, instruction: Instruction, bagOf: BagOf): readonly IntentTerms[] {
  return [
    ...toolTerms(request, instruction, bagOf),
    ...targetTerms(request, instruction, bagOf),
    ...ruleTerms(instruction, bagOf),
  ];
}

function toolTerms(request: ModelRequest, instruction: Instruction, bagOf: BagOf): readonly IntentTerms[] {
  return request.tools
    .filter(({ name }) => !UNRANKED.has(name))
    .map((declaration) => {
      const bag = bagOf(declaration, () => toolBag(declaration));
      return {
        intent: { kind: "tool", declaration },
        bag: declaration.name === END_SESSION ? bag : withTriggers(bag, instruction, "tools", declaration.name),
        factor: 1,
      };
    });
}

/** Terms for ending a session. The function's own description has terms (reasons, people) of any conversation. */
const ENDING = "end close stop finish quit exit hang goodbye bye session chat conversation";

function toolBag(declaration: FunctionDeclaration): TermBag {
  if (declaration.name === END_SESSION) return termBag([[terms(ENDING), DESCRIPTION_WEIGHT]]);
  const parameters = parametersOf(declaration).map(({ name, description }) => `${name} ${description}`);
  return termBag([
    [terms(declaration.name), NAME_WEIGHT],
    [terms(declaration.description), DESCRIPTION_WEIGHT],
    [terms(parameters.join(" ")), PARAMETER_WEIGHT],
  ]);
}

function targetTerms(request: ModelRequest, instruction: Instruction, bagOf: BagOf): readonly IntentTerms[] {
  return (request.dialogueContext?.transferTargets ?? []).map((target) => {
    const bag = bagOf(target, () =>
      termBag([
        [terms(target.name), NAME_WEIGHT],
        [terms(target.description), DESCRIPTION_WEIGHT],
      ]),
    );
    return {
      intent: { kind: "transfer", agent: target.name },
      bag: withTriggers(bag, instruction, "agents", target.name),
      factor: TRANSFER_FACTOR,
    };
  });
}

/** Rules without a tool or an agent are intents of their own; the others add terms to the tool or agent that they name. */
function ruleTerms(instruction: Instruction, bagOf: BagOf): readonly IntentTerms[] {
  return instruction.rules
    .filter((rule) => rule.occasion === "subject" && rule.tools.length === 0 && rule.agents.length === 0)
    .map((rule) => ({
      intent: { kind: "rule", rule },
      bag: bagOf(rule, () => termBag([[terms(rule.context), DESCRIPTION_WEIGHT]])),
      factor: RULE_FACTOR,
    }));
}

/** Adds the triggers of the rules that name this tool or agent, and no other, to its own terms. */
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
