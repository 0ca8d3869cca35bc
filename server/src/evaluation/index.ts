/** Runs of evaluations: what an app should do, against what it did. */

export { appNames } from "./app-names.ts";
export { createSpokenTurns } from "./audio/spoken-turns.ts";
export { changedNames, changesBetween, isTouched } from "./changes/app-changes.ts";
export { usedResources } from "./changes/used-resources.ts";
export type { EvaluatedApp, EvaluatedSnapshot, EvaluationResources, Evaluations, Schedules } from "./contract.ts";
export { createEvaluations } from "./create-evaluations.ts";
export { readTestFile } from "./files/read-test-file.ts";
export { type TestFile, TestFileError } from "./files/test-source.ts";
export { unreadableTest } from "./files/unreadable-test.ts";
export { type GatesFile, readGates } from "./gates/gates-file.ts";
export type { Judge } from "./judge/judge.ts";
export { createModelJudge } from "./judge/model-judge.ts";
export { createTextSimilarity } from "./judge/text-similarity.ts";
export { ctrfReport } from "./report/ctrf-report.ts";
export { htmlReport } from "./report/html-report.ts";
export { junitReport } from "./report/junit-report.ts";
export { markdownReport } from "./report/markdown-report.ts";
export type { SuiteReport } from "./report/suite-report.ts";
export { terminalReport } from "./report/terminal-report.ts";
export { appTests, withDisplayNames } from "./suite/app-tests.ts";
export type { TestCase, TestCheck, TestContext } from "./suite/contract.ts";
export { resultChecks } from "./suite/result-checks.ts";
export { type BudgetLimits, RunBudget } from "./suite/run-budget.ts";
export { gatedCase, type KeptBytes, runSuite, type TestedCase } from "./suite/run-suite.ts";
export { allOf } from "./verdict.ts";
