import type { MessageInitShape } from "@bufbuild/protobuf";
import type { RunStatementRequest, RunStatementResponseSchema } from "@frontdesk/protos/gda/data_chat_service";
import { type Analytics, type DataAgents, type DataFiles, dataResult } from "#analytics";
import { definedFields } from "#base";
import type { CallContext } from "#rpc";
import { agentContext } from "./data-chat-context.ts";

interface RunStatementDeps {
  readonly agents: DataAgents;
  readonly files: DataFiles;
  readonly analytics: Pick<Analytics, "runStatement">;
}

/** Runs a statement of a person over the tables of an agent, or explains it: what questions may read, statements may (CA-40). */
export async function runStatement(
  { name, sqlQuery, explainOnly, maxScannedBytes }: RunStatementRequest,
  { signal, caller }: CallContext,
  { agents, files, analytics }: RunStatementDeps,
): Promise<MessageInitShape<typeof RunStatementResponseSchema>> {
  const context = await agentContext(name, { agents, files });
  const limit = maxScannedBytes > 0n ? Number(maxScannedBytes) : undefined;
  const statement = { sql: sqlQuery, explainOnly, agent: name, ...definedFields({ maxScannedBytes: limit }) };
  const {
    result,
    chart,
    plan,
    scannedBytes = 0,
  } = await analytics.runStatement(context, statement, { signal, caller });
  const explained = { queryPlan: plan, scannedBytes: BigInt(scannedBytes) };
  if (!result) return explained;
  const rows = { result: dataResult("result", result), partialResult: result.truncated };
  return { ...explained, ...rows, ...(chart && { vegaConfig: chart }) };
}
