import { EvaluationResult_Outcome as Outcome } from "@frontdesk/protos/ces/evaluation";

/**
 * What is known of a check (EVAL-4). `not-measured`: a model, a quota or a simulated user was missing, so nobody knows. It counts
 * neither as passed nor as failed.
 */
export type Verdict = "passed" | "failed" | "not-measured";

/** The verdict of several checks: failed when one failed, else not measured when one was not measured. No checks: passed. */
export function allOf(verdicts: Iterable<Verdict>): Verdict {
  let result: Verdict = "passed";
  for (const verdict of verdicts) {
    if (verdict === "failed") return "failed";
    if (verdict === "not-measured") result = "not-measured";
  }
  return result;
}

/** The verdict of a check that was made. */
export function verdictOf(passed: boolean): Verdict {
  return passed ? "passed" : "failed";
}

const OUTCOMES: Readonly<Record<Verdict, Outcome>> = {
  passed: Outcome.PASS,
  failed: Outcome.FAIL,
  "not-measured": Outcome.SKIPPED,
};

/** The verdict as the API writes it: what was not measured is SKIPPED. */
export function toOutcome(verdict: Verdict): Outcome {
  return OUTCOMES[verdict];
}
