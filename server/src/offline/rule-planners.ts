import type { RulePlanners } from "#analytics";
import { lookerRulesPlanner } from "./looker-planner/looker-rules-planner.ts";
import { builtinInterpreter } from "./query-planner/rule-interpreter.ts";
import { createRulesPlanner } from "./query-planner/rules-planner.ts";

/** The rules as planners of questions to data, for `createAnalytics`. */
export function createRulePlanners(): RulePlanners {
  return { sql: createRulesPlanner(builtinInterpreter), looker: lookerRulesPlanner };
}
