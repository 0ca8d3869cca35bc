import type { QuotaRule } from "./contract.ts";

const MINUTE_MS = 60_000;

const perMinute = (measure: QuotaRule["measure"], per: QuotaRule["per"], limit: number): QuotaRule => ({
  measure,
  per,
  limit,
  everyMs: MINUTE_MS,
  burst: limit,
});

/** The published numbers of the hosted product: reads and writes of a project, and requests of a caller (QUOTA-1). */
export const HOSTED_RULES: readonly QuotaRule[] = [
  perMinute("reads", "project", 600),
  perMinute("writes", "project", 600),
  perMinute("requests", "caller", 600),
];
