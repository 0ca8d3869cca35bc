import type { FunctionDeclaration, ModelRequest } from "#models";
import { type TermBag, termBag } from "./bm25.ts";
import type { Choice } from "./candidates.ts";
import { END_SESSION, TRANSFER } from "./conversation.ts";
import type { Instruction } from "./instruction.ts";
import { parametersOf } from "./parameter.ts";
import { terms } from "./tokenise.ts";

/** A choice with the terms that speak for it; the score is multiplied by `factor`. */
export interface ChoiceTerms {
  readonly choice: Choice;
  readonly bag: TermBag;
  readonly factor: number;
}

/** Gives the terms of an object, built once for as long as the object lives. */
export type BagOf = (key: object, build: () => TermBag) => TermBag;

/** A name says more than a description, and that more than a parameter's documentation. */
const NAME_WEIGHT = 3;
const DESCRIPTION_WEIGHT = 1;
const PARAMETER_WEIGHT = 0.5;
/** Doing it here comes before handing it over; what the instruction says word for word comes before both. */
const TRANSFER_FACTOR = 0.9;
const RULE_FACTOR = 1.2;

/** Functions that are never chosen by their words: one is chosen by its targets, the other shapes speech. */
const UNRANKED: ReadonlySet<string> = new Set([TRANSFER, "customize_response"]);

/** Everything an agent can choose from, with the terms that speak for it. */
export function choiceTerms(request: ModelRequest, instruction: Instruction, bagOf: BagOf): readonly ChoiceTerms[] {
  return [
    ...toolTerms(request, instruction, bagOf),
    ...targetTerms(request, instruction, bagOf),
    ...ruleTerms(instruction, bagOf),
  ];
}

function toolTerms(request: ModelRequest, instruction: Instruction, bagOf: BagOf): readonly ChoiceTerms[] {
  return request.tools
    .filter(({ name }) => !UNRANKED.has(name))
    .map((declaration) => {
      const bag = bagOf(declaration, () => toolBag(declaration));
      return {
        choice: { kind: "tool", declaration },
        bag: declaration.name === END_SESSION ? bag : withTriggers(bag, instruction, "tools", declaration.name),
        factor: 1,
      };
    });
}

/** What ending a session is called. Its own description speaks of reasons and people, which users do in any conversation. */
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

function targetTerms(request: ModelRequest, instruction: Instruction, bagOf: BagOf): readonly ChoiceTerms[] {
  return (request.dialogueContext?.transferTargets ?? []).map((target) => {
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
function ruleTerms(instruction: Instruction, bagOf: BagOf): readonly ChoiceTerms[] {
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
