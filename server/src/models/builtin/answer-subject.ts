import type { FunctionDeclaration } from "../contract.ts";
import { type Action, call, say } from "./action.ts";
import type { Candidate, CandidateRanker } from "./candidates.ts";
import { END_SESSION, TRANSFER } from "./conversation.ts";
import { farewell } from "./courtesy.ts";
import { type InstructionRule, withVariables } from "./instruction.ts";
import { capabilities, notUnderstood } from "./phrases.ts";
import { questionFor } from "./question.ts";
import { canTransfer, isRepeated, type Situation } from "./situation.ts";
import { fillSlots, type Statement } from "./slots.ts";
import { terms } from "./tokenise.ts";
import { findValues } from "./values.ts";

/**
 * Acts on what the user's words are about: the best of what the agent can do, else the way out that the instruction names,
 * else what takes such values at all, else words about what the agent can do. Words that are values alone start with the values.
 */
export function answerSubject(situation: Situation, text: string, ranker: CandidateRanker): Action {
  const { request, instruction } = situation;
  const about = terms(text).length > 0;
  if (!about && findValues(text).length === 0) return say("capabilities", capabilities(request, instruction));
  const byValues = () => actOnFirst(situation, ranker.rankByValues(text, request, instruction), text);
  const best = about ? actOnFirst(situation, ranker.rank(text, request, instruction), text) : byValues();
  return best ?? wayOut(situation) ?? byValues() ?? say("capabilities", notUnderstood(request, instruction));
}

function actOnFirst(situation: Situation, candidates: readonly Candidate[], text: string): Action | undefined {
  for (const candidate of candidates) {
    const action = act(situation, candidate, text);
    if (action !== undefined) return action;
  }
  return undefined;
}

function wayOut(situation: Situation): Action | undefined {
  const agents = situation.instruction.rules.flatMap((rule) => (rule.occasion === "otherwise" ? rule.agents : []));
  const agent = agents.find((name) => canTransfer(situation, name));
  return agent === undefined ? undefined : transfer(agent);
}

function act(situation: Situation, { choice }: Candidate, text: string): Action | undefined {
  switch (choice.kind) {
    case "transfer":
      return canTransfer(situation, choice.agent) ? transfer(choice.agent) : undefined;
    case "rule":
      return sayRule(situation, choice.rule);
    case "tool":
      return choice.declaration.name === END_SESSION
        ? farewell(situation)
        : callOrAsk(situation, choice.declaration, [{ text }]);
  }
}

function transfer(agent: string): Action {
  return call(`transfer:${agent}`, TRANSFER, { agent_name: agent });
}

function sayRule(situation: Situation, rule: InstructionRule): Action | undefined {
  const saying = rule.sayings[0];
  return saying === undefined ? undefined : say("instruction", withVariables(saying, situation.state));
}

/** Calls a function with what is known, or asks for the first thing that is not; undefined when that very call was just made. */
export function callOrAsk(
  situation: Situation,
  declaration: FunctionDeclaration,
  statements: readonly Statement[],
): Action | undefined {
  const { args, missing } = fillSlots(declaration, statements, situation);
  const [next] = missing;
  if (next !== undefined) return say(`ask:${declaration.name}.${next.name}`, questionFor(next));
  return isRepeated(situation, declaration.name, args)
    ? undefined
    : call(`tool:${declaration.name}`, declaration.name, args);
}
