import { formatName, hasWildcard, matchName, parseNamePattern } from "#aip";
import type { Ids } from "#base";
import { invalidArgument } from "#status";
import { checkAgentName } from "../agents/data-agent-name.ts";

export const SHARED_ANSWER_TYPE = "geminidataanalytics.googleapis.com/SharedAnswer";

const AGENT = parseNamePattern("projects/{project}/locations/{location}/dataAgents/{data_agent}");
const SHARED = parseNamePattern(
  "projects/{project}/locations/{location}/dataAgents/{data_agent}/sharedAnswers/{shared_answer}",
);

/** Name of a new link to an answer of a data agent. Throws INVALID_ARGUMENT for a wrong parent. */
export function newSharedAnswerName(agent: string, ids: Ids): string {
  checkAgentName(agent, "parent");
  return formatName(SHARED, { ...matchName(AGENT, agent), shared_answer: ids.uuid() });
}

/** Throws INVALID_ARGUMENT unless the name is that of a shared answer. */
export function checkSharedAnswerName(name: string): void {
  if (matchName(SHARED, name) && !hasWildcard(name)) return;
  throw invalidArgument({ field: "name", description: `'${name}' is not of the form ${SHARED.text}.` });
}

/** The data agent of a shared answer. */
export function agentOfSharedAnswer(name: string): string {
  return name.slice(0, name.indexOf("/sharedAnswers/"));
}
