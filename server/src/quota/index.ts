/** How much callers, apps and projects may use, and fair turns under load. */
export type { Balances, QuotaConfig, QuotaRule, QuotaSubject, Quotas, QuotaUse, Uses } from "./contract.ts";
export { createQuotas } from "./create-quotas.ts";
export { FairAdmission } from "./fair-admission.ts";
export { HOSTED_RULES } from "./hosted-preset.ts";
export { limitRequests } from "./limit-requests.ts";
export { chargedModels, limitTurns } from "./limit-turns.ts";
export { subjectOf } from "./scopes.ts";
export { costOf } from "./token-prices.ts";
