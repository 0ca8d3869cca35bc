/** What answers without a language model: a dialogue policy as a model, and rules that plan queries over data. See README.md. */

export { BUILTIN_CAPABILITIES, BUILTIN_MODEL, createBuiltinModel } from "./dialogue-policy/builtin-model.ts";
export { createRulePlanners } from "./rule-planners.ts";
