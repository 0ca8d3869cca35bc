import { type BudgetLimits, RunBudget } from "#evaluation";
import { costOf } from "#quota";
import { failedPrecondition } from "#status";
import type { Config } from "../config.ts";

/** The budget of a run that begins now. FAILED_PRECONDITION for one in money where no model has a price. */
export function createBudget(limits: BudgetLimits, { quotas: { prices } }: Config): RunBudget {
  if (limits.dollars !== undefined && Object.keys(prices).length === 0)
    throw failedPrecondition("A budget in dollars needs prices of models: set quotas.prices in the configuration.");
  return new RunBudget(limits, {
    costOf: (label, usage) => costOf(label, usage, prices),
    now: () => performance.now(),
  });
}
