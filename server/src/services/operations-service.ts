import { durationMs } from "@bufbuild/protobuf/wkt";
import { Operations as OperationsDescriptor } from "@frontdesk/protos/google/longrunning/operations";
import type { Operations } from "#operations";
import { defineService, type ServiceRegistration } from "#rpc";

/** Longest wait of WaitOperation, milliseconds; a client's own timeout may be shorter. */
const MAX_WAIT_MS = 60_000;

/** Long-running operations: `google.longrunning.Operations`. */
export function createOperationsService(operations: Operations): ServiceRegistration {
  return defineService(OperationsDescriptor, [], {
    getOperation: ({ name }) => operations.get(name),
    listOperations: async ({ name, pageSize, pageToken }) => {
      const page = await operations.list(name, pageSize, pageToken);
      return { ...page, operations: [...page.operations] };
    },
    deleteOperation: async ({ name }) => {
      await operations.remove(name);
      return {};
    },
    cancelOperation: async ({ name }) => {
      await operations.cancel(name);
      return {};
    },
    waitOperation: ({ name, timeout }) =>
      operations.wait(name, Math.min(timeout ? durationMs(timeout) : MAX_WAIT_MS, MAX_WAIT_MS)),
  });
}
