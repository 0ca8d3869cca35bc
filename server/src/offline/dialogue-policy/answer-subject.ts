import { type Action, say } from "./action.ts";
import { callOrAsk } from "./call-or-ask.ts";
import type { Candidate, CandidateRanker } from "./candidates.ts";
import { END_SESSION } from "./conversation.ts";
import { farewell } from "./courtesy.ts";
import { type InstructionRule, withVariables } from "./instruction.ts";
import { lookUp } from "./look-up.ts";
import { capabilities, notUnderstood } from "./phrases.ts";
import { canTransfer, type Situation } from "./situation.ts";
import { terms } from "./tokenise.ts";
import { transfer, wayOut } from "./transfer.ts";
import { findValues } from "./values.ts";

/**
 * Acts on what the user's words are about: the best of what the agent can do, else what a search finds, else the way out that the
 * instruction names, else what takes such values at all, else words about what the agent can do. Words that are values alone start with the values.
 */
export function answerSubject(situation: Situation, text: string, ranker: CandidateRanker): Action {
  const { request, instruction } = situation;
  const about = terms(text).length > 0;
  if (!about && findValues(text).length === 0) return say("capabilities", capabilities(request, instruction));
  const byValues = () => actOnFirst(situation, ranker.rankByValues(text, request, instruction), text);
  const best = about ? actOnFirst(situation, ranker.rank(text, request, instruction), text) : byValues();
  return (
    best ??
    (about ? lookUp(situation, text) : undefined) ??
    wayOut(situation) ??
    byValues() ??
    say("capabilities", notUnderstood(request, instruction))
  );
}

function actOnFirst(situation: Situation, candidates: readonly Candidate[], text: string): Action | undefined {
  for (const candidate of candidates) {
    const action = act(situation, candidate, text);
    if (action !== undefined) return action;
  }
  return undefined;
}

function act(situation: Situation, { choice, matched }: Candidate, text: string): Action | undefined {
  switch (choice.kind) {
    case "transfer":
      return canTransfer(situation, choice.agent) ? transfer(choice.agent) : undefined;
    case "rule":
      return sayRule(situation, choice.rule);
    case "tool":
      if (choice.declaration.name !== END_SESSION) return callOrAsk(situation, choice.declaration, [{ text }]);
      // Ending is meant only when nothing else is: "close the chat", not "close my account".
      return matched === new Set(terms(text)).size ? farewell(situation) : undefined;
  }
}

function sayRule(situation: Situation, rule: InstructionRule): Action | undefined {
  const saying = rule.sayings[0];
  return saying === undefined ? undefined : say("instruction", withVariables(saying, situation.state));
}
