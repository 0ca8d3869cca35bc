import type { ExampleQuery } from "@frontdesk/protos/gda/context";
import type { VerifyAnswerRequest } from "@frontdesk/protos/gda/data_agent_service";
import { type Analytics, agentDeletedError, type DataAgents } from "#analytics";
import type { CallContext } from "#rpc";
import { failedPrecondition } from "#status";

interface VerifyAnswerDeps {
  readonly agents: DataAgents;
  readonly analytics: Pick<Analytics, "verifiedExample">;
}

/** Makes an example query of an answer that a person found right, in every context of its agent (CA-39). */
export async function verifyAnswer(
  { name, question, sqlQuery }: VerifyAnswerRequest,
  { signal, caller }: CallContext,
  { agents, analytics }: VerifyAnswerDeps,
): Promise<ExampleQuery> {
  const agent = await agents.get(name);
  if (agent.deleteTime) throw agentDeletedError(name, "cannot be changed");
  const { publishedContext, stagingContext } = agent.type.value ?? {};
  const context = publishedContext ?? stagingContext;
  if (!context) {
    throw failedPrecondition(
      `The data agent '${name}' has no context. Set data_analytics_agent.published_context first.`,
      {
        reason: "CONTEXT_NOT_SET",
        metadata: { name, context: "published_context" },
      },
    );
  }
  const answer = { question, sql: sqlQuery, verifier: caller.principal };
  const example = await analytics.verifiedExample(context, answer, signal);
  await agents.addExample(name, example);
  return example;
}
