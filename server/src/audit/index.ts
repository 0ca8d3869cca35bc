/** Who did what to which resource, from where, with what outcome. */
export { auditCalls, categoryOf } from "./audit-calls.ts";
export { createAuditLog, toEntry } from "./audit-log.ts";
export type { AuditConfig, AuditEntry, AuditLog, StoredEntry } from "./contract.ts";
