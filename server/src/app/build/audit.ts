import { type AuditLog, auditCalls, createAuditLog } from "#audit";
import { definedFields } from "#base";
import type { Interceptor } from "#rpc";
import type { Platform } from "./platform.ts";

/** Creates the audit log, whose state the metrics have, and what records calls in it. */
export function createAuditParts(
  { config, storage, metrics, clock, logger }: Platform,
  { resourceOf }: Pick<Parameters<typeof auditCalls>[0], "resourceOf">,
): { readonly audit: AuditLog; readonly recordCalls: Interceptor } {
  const log = createAuditLog({
    ...{ store: storage.audit, clock, logger },
    ...definedFields({ file: config.audit.file }),
    onLost: (place, count) => metrics.auditLost.inc({ place }, count),
  });
  for (const { place } of log.state()) metrics.auditLost.inc({ place }, 0);
  metrics.followAudit(log.state);
  const { records, required: isRequired } = config.audit;
  return { audit: log, recordCalls: auditCalls({ log, records, isRequired, clock, resourceOf }) };
}
