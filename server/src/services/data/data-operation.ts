import { create, type DescMessage, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { OperationMetadataSchema } from "@frontdesk/protos/gda/data_agent_service";
import type { Operation } from "@frontdesk/protos/google/longrunning/operations";
import { operationPrefix, type Revision } from "#rpc";
import type { LongRunningDeps } from "../long-running.ts";

/** The metadata of an operation on a data agent. */
interface DataAgentOperation {
  readonly verb: string;
  /** Name of the agent. */
  readonly target: string;
  readonly apiVersion: Revision;
}

/** A finished operation on a data agent: clients use the agent without waiting (CA-2). */
export function dataOperation<O extends DescMessage>(
  { operations, clock }: LongRunningDeps,
  { verb, target, apiVersion }: DataAgentOperation,
  response: O,
  result: MessageInitShape<O>,
): Promise<Operation> {
  const createTime = timestampFromMs(Math.floor(clock.now()));
  const metadata = create(OperationMetadataSchema, { createTime, target, verb, apiVersion });
  return operations.start({
    subject: target,
    kind: `${verb}DataAgent`,
    metadata,
    response,
    idPrefix: operationPrefix(apiVersion),
    work: async () => result,
  });
}
