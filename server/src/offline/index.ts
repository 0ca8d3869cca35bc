/** What answers without a language model: a dialogue policy as a model, and rules that plan queries over data. See README.md. */

export { BUILTIN_CAPABILITIES, BUILTIN_MODEL, createBuiltinModel } from "./dialogue-policy/builtin-model.ts";
export { interpretQuestion } from "./query-planner/interpret-question.ts";
export type { Interpretation, InterpretedQuery } from "./query-planner/interpretation.ts";
export { describeResult } from "./query-planner/responses/describe-result.ts";
export { createRulePlanners } from "./rule-planners.ts";
