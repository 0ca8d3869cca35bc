import { timestampFromMs, timestampMs } from "@bufbuild/protobuf/wkt";
import { AuditService, ListAuditEntriesRequestSchema } from "@frontdesk/protos/audit/audit_service";
import { type Access, SERVER } from "#access";
import { decodePageToken, encodePageToken, pageSizeOf, requestChecksum } from "#aip";
import { type StoredEntry, toEntry } from "#audit";
import { definedFields } from "#base";
import { defineService, type ServiceRegistration } from "#rpc";
import { invalidArgument } from "#status";
import type { AuditStore } from "#storage";

/** The parent of all entries of the server, those that concern no project among them: sign-ins, and callers without a name. */
const WHOLE_SERVER = "projects/-";

const LIST = "audit.auditEntries.list";

/** The audit log: `frontdesk.audit.v1beta.AuditService`. */
export function createAuditService(store: Pick<AuditStore, "list">, access: Access): ServiceRegistration {
  return defineService(AuditService, [], {
    listAuditEntries: async (request, context) => {
      const { parent, startTime, endTime, principal, method } = request;
      const isWhole = parent === WHOLE_SERVER;
      if (isWhole) await access.require(context, LIST, SERVER);
      const resource = request.resource || parent;
      if (!isWhole && resource !== parent && !resource.startsWith(`${parent}/`))
        throw invalidArgument({ field: "resource", description: `'${resource}' is not in '${parent}'.` });
      const checksum = requestChecksum(ListAuditEntriesRequestSchema, request);
      const size = pageSizeOf(request.pageSize);
      const before = decodePageToken(request.pageToken, checksum, "number");
      const query = definedFields({
        resource: isWhole ? request.resource || undefined : resource,
        since: startTime && timestampMs(startTime),
        until: endTime && timestampMs(endTime),
        principal: principal || undefined,
        method: method || undefined,
        before: before,
      });
      const rows = await store.list({ ...query, limit: size + 1 }, context.signal);
      const shown = rows.slice(0, size);
      const last = shown.at(-1);
      return {
        auditEntries: shown.map((row) => toMessage(parent, toEntry(row))),
        nextPageToken: rows.length > size && last ? encodePageToken(last.id, checksum) : "",
      };
    },
  });
}

function toMessage(parent: string, { id, time, kind, credential, reason, ...entry }: StoredEntry) {
  return {
    ...entry,
    name: `${parent}/auditEntries/${id}`,
    eventTime: timestampFromMs(time),
    callerKind: kind,
    credential,
    reason: reason ?? "",
  };
}
