/**
 * The statistics of evaluations: pass rates with intervals, paired comparisons. They are computed by the code of the server, so a
 * number in the console is the number of a report.
 */
export type { ScoreChange } from "../../../../server/src/evaluation/statistics/bootstrap.ts";
export { compareScores, mulberry32 } from "../../../../server/src/evaluation/statistics/bootstrap.ts";
export type { VersionComparison } from "../../../../server/src/evaluation/statistics/compare-versions.ts";
export { compareVersions } from "../../../../server/src/evaluation/statistics/compare-versions.ts";
export type { PassRate } from "../../../../server/src/evaluation/statistics/pass-rate.ts";
export { passRate } from "../../../../server/src/evaluation/statistics/pass-rate.ts";
export type { Verdict } from "../../../../server/src/evaluation/verdict.ts";
