import assert from "node:assert/strict";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { anyPack, timestampFromMs } from "@bufbuild/protobuf/wkt";
import { OperationMetadataSchema } from "@frontdesk/protos/ces/agent_service";
import { AppSchema } from "@frontdesk/protos/ces/app";
import type { Operation } from "@frontdesk/protos/google/longrunning/operations";
import { createLogger } from "#base";
import { createLocalJobs, type OperationStore } from "#storage";
import type { OperationHandle, Operations } from "../contract.ts";

export const LOCATION = "projects/p/locations/l";

export const METADATA = create(OperationMetadataSchema, { statusMessage: "working" });

export function deps(store: OperationStore) {
  let count = 0;
  const clock = { now: () => 1_000 };
  const logger = createLogger("silent");
  return { store, jobs: createLocalJobs({ clock, logger }), clock, ids: { uuid: () => `id-${++count}` }, logger };
}

export type AppInit = MessageInitShape<typeof AppSchema>;

/** An operation whose work ends when the test resolves it, after the time that `start` waits for quick work. */
export async function startSlow(operations: Operations) {
  const { promise, resolve, reject } = Promise.withResolvers<AppInit>();
  const given = Promise.withResolvers<OperationHandle>();
  const operation = await operations.start({
    subject: LOCATION,
    kind: "ImportApp",
    metadata: METADATA,
    response: AppSchema,
    work: (handle) => {
      given.resolve(handle);
      return promise;
    },
  });
  return { operation, handle: await given.promise, end: resolve, fail: reject };
}

export function metadata(fields: { statusMessage?: string; endTime?: number; requestedCancellation?: boolean }) {
  const { statusMessage = "working", endTime, requestedCancellation = false } = fields;
  const message = create(OperationMetadataSchema, {
    statusMessage,
    requestedCancellation,
    createTime: timestampFromMs(1_000),
    ...(endTime !== undefined && { endTime: timestampFromMs(endTime) }),
  });
  return anyPack(OperationMetadataSchema, message);
}

export function errorOf({ result }: Operation) {
  assert.equal(result.case, "error");
  const { code, message, details } = result.value as { code: number; message: string; details: unknown[] };
  return { code, message, details };
}
