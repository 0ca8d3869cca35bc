import { create } from "@bufbuild/protobuf";
import { timestampMs } from "@bufbuild/protobuf/wkt";
import {
  type ListTasksRequest,
  ListTasksRequestSchema,
  type ListTasksResponse,
  ListTasksResponseSchema,
} from "@frontdesk/protos/a2a/a2a";
import { decodePageToken, encodePageToken, requestChecksum } from "#aip";
import { type FieldViolation, invalidArgument } from "#status";
import type { TaskStore } from "#storage";
import type { A2aCall } from "../contract.ts";
import { historyViolations } from "../messages/check-message.ts";
import { readTask, shownTask } from "./task-rows.ts";

/** Page sizes of ListTasks (a2a.proto). */
const DEFAULT_PAGE = 50;
const MAX_PAGE = 100;

/** A page of the caller's tasks, those that changed last first. */
export async function listTasks(
  request: ListTasksRequest,
  { agent, owner }: A2aCall,
  store: Pick<TaskStore, "list">,
): Promise<ListTasksResponse> {
  checkRequest(request);
  const { contextId, status, pageSize = DEFAULT_PAGE, historyLength, statusTimestampAfter, includeArtifacts } = request;
  const checksum = requestChecksum(ListTasksRequestSchema, request);
  const { rows, last, total } = await store.list({
    tenant: agent.tenant,
    owner,
    contextId: contextId || undefined,
    state: status || undefined,
    updatedFrom: statusTimestampAfter && timestampMs(statusTimestampAfter),
    after: decodePageToken(request.pageToken, checksum, "timed"),
    limit: pageSize,
  });
  return create(ListTasksResponseSchema, {
    tasks: rows.map((row) => shownTask(readTask(row), { historyLength, artifacts: includeArtifacts ?? false })),
    nextPageToken: last ? encodePageToken([...last], checksum) : "",
    pageSize: rows.length,
    totalSize: total,
  });
}

function checkRequest({ pageSize, historyLength }: ListTasksRequest): void {
  const violations: FieldViolation[] = [...historyViolations(historyLength)];
  if (pageSize !== undefined && (pageSize < 1 || pageSize > MAX_PAGE))
    violations.push({ field: "page_size", description: `must be from 1 to ${MAX_PAGE}, got ${pageSize}` });
  if (violations.length > 0) throw invalidArgument(violations);
}
