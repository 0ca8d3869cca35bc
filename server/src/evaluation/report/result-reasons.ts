import type { EvaluationResult } from "@frontdesk/protos/ces/evaluation";
import { resultChecks } from "../suite/result-checks.ts";
import { checkLines } from "./suite-report.ts";

/** Why a result of a server's run did not pass, one line for each fact, as reports of suites say it. */
export function resultReasons(result: EvaluationResult): readonly string[] {
  return checkLines({ checks: resultChecks(result), problem: result.errorInfo?.errorMessage ?? "" });
}
