import type { ExampleQuery } from "@frontdesk/protos/gda/context";
import type { VerifyAnswerRequest } from "@frontdesk/protos/gda/data_agent_service";
import type { Analytics, DataAgents, OwnData } from "#analytics";
import type { CallContext } from "#rpc";
import { askedAgent } from "./data-chat-context.ts";

interface VerifyAnswerDeps {
  readonly agents: DataAgents;
  readonly ownData: OwnData;
  readonly analytics: Pick<Analytics, "verifiedExample">;
}

/** Makes an example query of an answer that a person found right, in every context of its agent (CA-39). */
export async function verifyAnswer(
  { name, question, sqlQuery, modelQuery }: VerifyAnswerRequest,
  { signal, caller }: CallContext,
  { agents, ownData, analytics }: VerifyAnswerDeps,
): Promise<ExampleQuery> {
  const { context, semanticModel } = await askedAgent(name, { agents, ownData });
  const statement = { sqlQuery, modelQuery };
  const answer = { question, statement, agent: { agent: name, semanticModel }, verifier: caller.principal };
  const example = await analytics.verifiedExample(context, answer, { signal, caller });
  await agents.addExample(name, example);
  return example;
}
