import type { MessageInitShape } from "@bufbuild/protobuf";
import type { RunStatementRequest, RunStatementResponseSchema } from "@frontdesk/protos/gda/data_chat_service";
import { type Analytics, type DataAgents, dataResult, type OwnData } from "#analytics";
import { definedFields } from "#base";
import type { CallContext } from "#rpc";
import { askedAgent } from "./data-chat-context.ts";

interface RunStatementDeps {
  readonly agents: DataAgents;
  readonly ownData: OwnData;
  readonly analytics: Pick<Analytics, "runStatement">;
}

/** Runs a statement of a person over the tables of an agent, or explains it: what questions may read, statements may (CA-40). */
export async function runStatement(
  { name, sqlQuery, modelQuery, explainOnly, maxScannedBytes }: RunStatementRequest,
  { signal, caller }: CallContext,
  { agents, ownData, analytics }: RunStatementDeps,
): Promise<MessageInitShape<typeof RunStatementResponseSchema>> {
  const { context, semanticModel } = await askedAgent(name, { agents, ownData });
  const limit = maxScannedBytes > 0n ? Number(maxScannedBytes) : undefined;
  const asked = { sqlQuery, modelQuery, explainOnly, agent: name, semanticModel };
  const statement = { ...asked, ...definedFields({ maxScannedBytes: limit }) };
  const {
    result,
    chart,
    plan,
    scannedBytes = 0,
    statement: { sql, words },
  } = await analytics.runStatement(context, statement, { signal, caller });
  const explained = { queryPlan: plan, scannedBytes: BigInt(scannedBytes), sqlQuery: sql, words };
  if (!result) return explained;
  const rows = { result: dataResult("result", result), partialResult: result.truncated };
  return { ...explained, ...rows, ...definedFields({ vegaConfig: chart }) };
}
