import { create } from "@bufbuild/protobuf";
import {
  type EvaluationResult_EvaluationExpectationResult,
  EvaluationResult_EvaluationExpectationResultSchema as ResultSchema,
} from "@frontdesk/protos/ces/evaluation";
import type { Message } from "@frontdesk/protos/ces/example";
import type { CaseDeps, EvaluationCase } from "../contract.ts";
import { toOutcome, type Verdict, verdictOf } from "../verdict.ts";
import { transcriptOf } from "./transcript.ts";

/** An expectation about a whole conversation, judged. */
interface JudgedExpectation {
  readonly result: EvaluationResult_EvaluationExpectationResult;
  readonly verdict: Verdict;
}

/** Judges a conversation by the criteria that its evaluation names. One that the app does not have is not measured. */
export function judgeExpectations(
  names: readonly string[],
  messages: readonly Message[],
  { expectations, signal }: Pick<EvaluationCase, "expectations" | "signal">,
  { judge }: Pick<CaseDeps, "judge">,
): Promise<readonly JudgedExpectation[]> {
  const material = transcriptOf(messages);
  return Promise.all(
    names.map(async (name): Promise<JudgedExpectation> => {
      const found = expectations.get(name);
      const prompt = found?.criteria.case === "llmCriteria" ? found.criteria.value.prompt : "";
      if (prompt === "") {
        const explanation = found ? "The expectation has no prompt." : "The app has no such expectation.";
        return toResult(name, prompt, "not-measured", explanation);
      }
      const question = { metric: "expectation", rubric: prompt, material, scale: SCALE } as const;
      const judgement = await judge.ask(question, signal);
      if (judgement.kind === "not-measured") return toResult(name, prompt, "not-measured", judgement.reason);
      return toResult(name, prompt, verdictOf(judgement.score === 1), judgement.explanation);
    }),
  );
}

const SCALE: ReadonlyMap<number, string> = new Map([
  [1, "The conversation meets the expectation."],
  [0, "The conversation does not meet the expectation."],
]);

function toResult(name: string, prompt: string, verdict: Verdict, explanation: string): JudgedExpectation {
  const result = create(ResultSchema, {
    evaluationExpectation: name,
    prompt,
    explanation,
    outcome: toOutcome(verdict),
  });
  return { result, verdict };
}
