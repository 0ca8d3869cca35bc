import { create, type DescMessage, type DescMethod, getOption, hasOption, type Message } from "@bufbuild/protobuf";
import { EmptySchema, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { OperationMetadataSchema } from "@frontdesk/protos/ces/agent_service";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { type Operation, operation_info } from "@frontdesk/protos/google/longrunning/operations";
import type { Clock } from "#base";
import type { Operations, OperationWork } from "#operations";
import { operationPrefix, type Revision } from "#rpc";

/** Whether a method returns a `google.longrunning.Operation`. */
export function isLongRunning(method: DescMethod): boolean {
  return hasOption(method, operation_info);
}

/** What methods need that return an operation. */
export interface LongRunningDeps {
  readonly operations: Operations;
  readonly clock: Clock;
}

/** Starts the work of a long-running AgentService method of a revision about the resource of this name. */
export function startOperation<O extends DescMessage>(
  { operations, clock }: LongRunningDeps,
  { name: kind, revision }: { readonly name: string; readonly revision: Revision },
  name: string,
  response: O,
  work: OperationWork<O>,
): Promise<Operation> {
  const metadata = create(OperationMetadataSchema, { createTime: timestampFromMs(Math.floor(clock.now())) });
  const idPrefix = operationPrefix(revision);
  return operations.start({ subject: name, kind, metadata, response, idPrefix, work });
}

/** A finished operation with this result, for standard methods that return an operation. */
export function finishedOperation(
  deps: LongRunningDeps,
  method: DescMethod,
  revision: Revision,
  name: string,
  result: Message,
): Promise<Operation> {
  const response = responseOf(method);
  return startOperation(deps, { name: method.name, revision }, name, response, async () => result as never);
}

/** The long-running standard methods return an app, or nothing. */
function responseOf(method: DescMethod): DescMessage {
  const info = getOption(method, operation_info);
  return info.responseType === "App" ? AppSchema : EmptySchema;
}
