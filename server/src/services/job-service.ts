import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { JobService, ListJobsRequestSchema, Job_State as State } from "@frontdesk/protos/operations/job_service";
import { type Access, operationPermission } from "#access";
import { decodePageToken, encodePageToken, pageSizeOf, requestChecksum } from "#aip";
import { definedFields } from "#base";
import type { Operations, StoredJob } from "#operations";
import { defineService, type ServiceRegistration } from "#rpc";

/** How often operations were tried, and dead letters: `frontdesk.operations.v1beta.JobService` (DB-15). */
export function createJobService(operations: Operations, access: Access): ServiceRegistration {
  return defineService(JobService, [], {
    listJobs: async (request, context) => {
      const checksum = requestChecksum(ListJobsRequestSchema, request);
      const after = decodePageToken(request.pageToken, checksum, "timed");
      const state = STATES.find(([value]) => value === request.state)?.[1];
      const { jobs, last } = await operations.jobs(
        { parent: request.parent, size: pageSizeOf(request.pageSize), ...definedFields({ after, state }) },
        (subject) => access.may(context, operationPermission(subject, "list"), subject),
      );
      return { jobs: jobs.map(toMessage), nextPageToken: last ? encodePageToken([...last], checksum) : "" };
    },
    retryJob: async ({ name }) => toMessage(await operations.retry(name)),
  });
}

const STATES = [
  [State.RUNNING, "running"],
  [State.WAITING, "waiting"],
  [State.SUCCEEDED, "succeeded"],
  [State.FAILED, "failed"],
  [State.DEAD, "dead"],
] as const;

function toMessage({ name, kind, subject, attempts, maxAttempts, error, ...job }: StoredJob) {
  return {
    ...{ name, kind, subject, maxAttempts, failedAttempts: attempts },
    state: STATES.find(([, state]) => state === job.state)?.[0] ?? State.STATE_UNSPECIFIED,
    createTime: timestampFromMs(Math.floor(job.createTime)),
    ...(job.dueTime !== undefined && { nextAttemptTime: timestampFromMs(Math.floor(job.dueTime)) }),
    ...definedFields({ error }),
  };
}
