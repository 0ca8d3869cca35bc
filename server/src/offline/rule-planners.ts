import type { LookerPlanner, Planner, RulePlanners } from "#analytics";
import { once } from "#base";
import { BUILTIN_MODEL } from "./dialogue-policy/builtin-model.ts";

/**
 * The rules as planners of questions to data, for `createAnalytics`. Grammar and dictionaries are loaded by the first question: they are a tenth of
 * the code, and a server starts faster without them.
 */
export function createRulePlanners(): RulePlanners {
  return { sql: sqlPlanner(), looker: lookerPlanner() };
}

function sqlPlanner(): Planner {
  const loaded = once(async () => (await import("./query-planner/sql-rule-planner.ts")).createSqlRulePlanner());
  return {
    label: BUILTIN_MODEL,
    plan: async (...asked) => (await loaded()).plan(...asked),
    answer: async (...asked) => (await loaded()).answer(...asked),
    writeAnalysis: async (...asked) => (await (await loaded()).writeAnalysis?.(...asked)) ?? "",
  };
}

function lookerPlanner(): LookerPlanner {
  const loaded = async () => (await import("./looker-planner/looker-rule-planner.ts")).lookerRulePlanner;
  return {
    verifiesAnswers: false,
    plan: async (...asked) => (await loaded()).plan(...asked),
    answer: async (...asked) => (await loaded()).answer(...asked),
    writeAnalysis: async (...asked) => (await loaded()).writeAnalysis(...asked),
  };
}
