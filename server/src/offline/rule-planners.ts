import type { RulePlanners } from "#analytics";
import { lookerRulePlanner } from "./looker-planner/looker-rule-planner.ts";
import { createSqlRulePlanner } from "./query-planner/sql-rule-planner.ts";

/** The rules as planners of questions to data, for `createAnalytics`. */
export function createRulePlanners(): RulePlanners {
  return { sql: createSqlRulePlanner(), looker: lookerRulePlanner };
}
