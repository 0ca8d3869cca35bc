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
  readonly verdict: Verdict;
}

/** Writes the outcome of an expectation. */
export function scored(
  expectation: Evaluation_GoldenExpectation,
  verdict: Verdict,
  fields: Omit<MessageInitShape<typeof OutcomeSchema>, "$typeName" | "expectation" | "outcome">,
): ScoredExpectation {
  return { verdict, outcome: create(OutcomeSchema, { expectation, outcome: toOutcome(verdict), ...fields }) };
}
