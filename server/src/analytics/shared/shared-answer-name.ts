import { namesBelowAgent } from "../agents/data-agent-name.ts";

export const SHARED_ANSWER_TYPE = "geminidataanalytics.googleapis.com/SharedAnswer";

export const {
  make: newSharedAnswerName,
  check: checkSharedAnswerName,
  agentOf: agentOfSharedAnswer,
} = namesBelowAgent("sharedAnswers", "shared_answer");
