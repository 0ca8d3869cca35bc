import { create, type MessageInitShape } from "@bufbuild/protobuf";
import {
  type Evaluation_GoldenExpectation,
  type EvaluationResult_GoldenExpectationOutcome,
  EvaluationResult_GoldenExpectationOutcomeSchema as OutcomeSchema,
} from "@frontdesk/protos/ces/evaluation";
import { toOutcome, type Verdict } from "../verdict.ts";

/** An outcome of an expectation with what decided it. */
export interface ScoredExpectation {
  readonly outcome: EvaluationResult_GoldenExpectationOutcome;
  /** What the turn counts: passed where a metric of the whole turn counts this outcome instead. */
  readonly verdict: Verdict;
}

/** Writes the outcome of an expectation. `counts`: what the turn counts of it, if not the same. */
export function scored(
  expectation: Evaluation_GoldenExpectation,
  verdict: Verdict,
  fields: Omit<MessageInitShape<typeof OutcomeSchema>, "$typeName" | "expectation" | "outcome">,
  counts: Verdict = verdict,
): ScoredExpectation {
  return { verdict: counts, outcome: create(OutcomeSchema, { expectation, outcome: toOutcome(verdict), ...fields }) };
}
