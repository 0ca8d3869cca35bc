import { createHash } from "node:crypto";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { ListQuotaUsagesRequestSchema, QuotaService } from "@frontdesk/protos/quota/quota_service";
import { type Access, SERVER } from "#access";
import { decodePageToken, encodePageToken, pageSizeOf, requestChecksum } from "#aip";
import type { QuotaRule, Quotas, QuotaUse } from "#quota";
import { defineService, type ServiceRegistration } from "#rpc";

/** The parent of all uses of the server, those of callers among them, who belong to no project. */
const WHOLE_SERVER = "projects/-";

const LIST = "quota.quotaUsages.list";

/** What is used up of the quotas: `frontdesk.quota.v1beta.QuotaService`. */
export function createQuotaService(
  quotas: Pick<Quotas, "list">,
  rules: readonly QuotaRule[],
  access: Access,
): ServiceRegistration {
  return defineService(QuotaService, [], {
    listQuotaUsages: async (request, context) => {
      const { parent } = request;
      if (parent === WHOLE_SERVER) await access.require(context, LIST, SERVER);
      const checksum = requestChecksum(ListQuotaUsagesRequestSchema, request);
      const size = pageSizeOf(request.pageSize);
      const from = decodePageToken(request.pageToken, checksum, "number") ?? 0;
      const all = quotas.list().filter((use) => parent === WHOLE_SERVER || isOf(parent, use));
      const end = from + size;
      return {
        quotaUsages: all.slice(from, end).map((use) => toMessage(parent, use)),
        nextPageToken: all.length > end ? encodePageToken(end, checksum) : "",
        limits: rules.map(toLimit),
      };
    },
  });
}

/** Whether a project or an app in it used something. Callers are known to the whole server alone. */
function isOf(project: string, { rule, subject }: QuotaUse): boolean {
  return rule.per !== "caller" && (subject === project || subject.startsWith(`${project}/`));
}

function toMessage(parent: string, { rule, subject, used, retryMs }: QuotaUse) {
  const id = createHash("sha256")
    .update(JSON.stringify([rule.measure, rule.per, rule.everyMs, subject]))
    .digest("hex");
  return {
    name: `${parent}/quotaUsages/${id.slice(0, 32)}`,
    limit: toLimit(rule),
    subject,
    used,
    ...(retryMs > 0 && { retryDelay: durationFromMs(retryMs) }),
  };
}

function toLimit({ measure, per, limit, everyMs, burst }: QuotaRule) {
  const isOpen = measure === "streams";
  return {
    measure,
    per,
    amount: limit,
    burst: isOpen ? limit : burst,
    ...(!isOpen && { interval: durationFromMs(everyMs) }),
  };
}
