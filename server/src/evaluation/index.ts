/** Runs of evaluations: what an app should do, against what it did. */
export type { EvaluatedApp, EvaluatedSnapshot, EvaluationResources, Evaluations, Schedules } from "./contract.ts";
export { createEvaluations } from "./create-evaluations.ts";
export type { Judge } from "./judge/judge.ts";
export { createModelJudge } from "./judge/model-judge.ts";
