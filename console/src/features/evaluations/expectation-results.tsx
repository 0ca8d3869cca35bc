import type { EvaluationResult_EvaluationExpectationResult as ExpectationResult } from "@frontdesk/protos/ces/evaluation";
import { OutcomeView } from "./outcome-view.tsx";
import { verdictOf } from "./verdict.ts";

/** The expectations that a judge checked in the conversation as a whole. */
export function ExpectationResults({ results }: { readonly results: readonly ExpectationResult[] }) {
  return results.map(({ evaluationExpectation, prompt, outcome, explanation }) => (
    <OutcomeView
      key={evaluationExpectation || prompt}
      state={verdictOf(outcome)}
      title={prompt || "Expectation"}
      explanation={explanation}
    />
  ));
}
