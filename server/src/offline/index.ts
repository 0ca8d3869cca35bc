/** What answers without a language model: a dialogue policy as a model, and rules that plan queries over data. */

export { BUILTIN_CAPABILITIES, BUILTIN_MODEL, createBuiltinModel } from "./dialogue-policy/builtin-model.ts";
export type { Interpretation, InterpretedQuery } from "./query-planner/interpreter.ts";
export { builtinInterpreter } from "./query-planner/rule-interpreter.ts";
export { createRulePlanners } from "./rule-planners.ts";
