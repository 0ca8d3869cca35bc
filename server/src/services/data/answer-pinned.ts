import type { Access } from "#access";
import type { Analytics, AnswerPinned, DataAgents, OwnData } from "#analytics";
import { IN_PROCESS } from "#base";
import { failedPrecondition } from "#status";
import { askedAgent } from "./data-chat-context.ts";

interface AnswerPinnedDeps {
  readonly agents: DataAgents;
  readonly ownData: OwnData;
  readonly analytics: Pick<Analytics, "runStatement">;
  readonly access: Access;
}

/** Answers pinned questions for callers that are not there: they may do what policies give them at that time (CA-51). */
export function answerPinned({ agents, ownData, analytics, access }: AnswerPinnedDeps): AnswerPinned {
  return async ({ agent, question, caller }, signal) => {
    await access.require({ caller, peer: IN_PROCESS }, "geminidataanalytics.dataAgents.chat", agent);
    const { pinnedQuestions } = await agents.get(agent);
    const pin = pinnedQuestions.find((each) => each.question === question);
    if (!pin) throw unpinned(agent, question);
    const { context, semanticModel } = await askedAgent(agent, { agents, ownData });
    const { sqlQuery, modelQuery } = pin;
    return analytics.runStatement(context, { sqlQuery, modelQuery, agent, semanticModel }, { signal, caller });
  };
}

function unpinned(agent: string, question: string) {
  return failedPrecondition(`'${question}' is not on the board any more. Pin it again, or delete the schedule.`, {
    reason: "QUESTION_NOT_PINNED",
    metadata: { agent },
  });
}
