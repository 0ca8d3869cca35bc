/** Runs of evaluations: what an app should do, against what it did. */
export type { EvaluatedApp, EvaluatedSnapshot, EvaluationResources, Evaluations } from "./contract.ts";
export { createEvaluations } from "./create-evaluations.ts";
export { type Judge, NO_JUDGE } from "./judge/judge.ts";
