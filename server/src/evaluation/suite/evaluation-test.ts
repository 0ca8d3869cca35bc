import { create } from "@bufbuild/protobuf";
import {
  type Evaluation,
  type EvaluationExpectation,
  EvaluationExpectationSchema,
  EvaluationResult_Outcome as Outcome,
} from "@frontdesk/protos/ces/evaluation";
import { EvaluationToolCallBehaviour as ToolCallBehaviour } from "@frontdesk/protos/ces/fakes";
import { GoldenRunMethod } from "@frontdesk/protos/ces/golden_run";
import { TestFileError } from "../files/test-source.ts";
import { watchTurns } from "../observation/watch-turns.ts";
import { runCase } from "../runs/run-case.ts";
import { toolCallBehaviourOf } from "../tool-call-behaviour.ts";
import type { Verdict } from "../verdict.ts";
import { bindEvaluation } from "./bind-evaluation.ts";
import type { AttemptContext, TestAttempt, TestCase, TestContext, TestKind } from "./contract.ts";
import { resultChecks } from "./result-checks.ts";

/** An evaluation as a test: one of the app, or one that a file was converted to. */
interface EvaluationTest {
  /** References are display names, or resource names of any app with the same display names. */
  readonly evaluation: Evaluation;
  readonly kind: TestKind;
  readonly file: string;
  readonly line: number;
  /** Criteria for a judge that the app does not have as resources. */
  readonly criteria?: readonly string[];
  /** Whether the app's fakes answer in place of its tools. Default: as the app's evaluation settings say. */
  readonly useToolFakes?: boolean;
}

/** The test that runs an evaluation. */
export function evaluationTest(test: EvaluationTest): TestCase {
  const { evaluation, kind, file, line } = test;
  return {
    name: evaluation.displayName,
    kind,
    tags: evaluation.tags,
    file,
    line,
    run: (context) => run(test, context),
  };
}

async function run(test: EvaluationTest, context: AttemptContext): Promise<TestAttempt> {
  const { evaluated, snapshot, names, deps, answers, signal } = context;
  const expectations = new Map(evaluated.evaluationExpectations.map((one) => [one.name, one]));
  const byReference = new Map(
    evaluated.evaluationExpectations.flatMap((one) => [
      [one.name, one.name],
      [one.displayName, one.name],
    ]),
  );
  const { evaluation, missing } = bindEvaluation(test.evaluation, names, (reference) => byReference.get(reference));
  const { file, line } = test;
  if (missing.length > 0) {
    const message = `${missing.join(" ")} Correct the name, or add it to the app.`;
    throw new TestFileError({ file: file || evaluation.displayName, line, message });
  }
  for (const [position, prompt] of (test.criteria ?? []).entries()) {
    const expectation = criterion(`${evaluated.app.name}/evaluationExpectations/criterion-${position + 1}`, prompt);
    expectations.set(expectation.name, expectation);
    if (evaluation.inputs.case) evaluation.inputs.value.evaluationExpectations.push(expectation.name);
  }
  const watched = watchTurns(deps.sessions);
  const findings = await runCase(
    {
      evaluation,
      app: snapshot.snapshot.app ?? evaluated.app,
      snapshot,
      settings: {
        stable: isStable(context),
        useToolFakes:
          context.useToolFakes ||
          (test.useToolFakes ?? toolCallBehaviourOf(evaluation, context.evaluated.app) === ToolCallBehaviour.FAKE),
        spoken: false,
      },
      persona: undefined,
      id: deps.ids.uuid(),
      expectations,
      answers,
      signal,
    },
    { ...deps, sessions: watched.sessions },
  );
  return {
    verdict: VERDICTS[findings.evaluationStatus] ?? "not-measured",
    checks: resultChecks(findings),
    problem: findings.errorInfo?.errorMessage ?? "",
    turns: watched.turns,
  };
}

const VERDICTS: Readonly<Record<number, Verdict>> = {
  [Outcome.PASS]: "passed",
  [Outcome.FAIL]: "failed",
  [Outcome.SKIPPED]: "not-measured",
};

function criterion(name: string, prompt: string): EvaluationExpectation {
  return create(EvaluationExpectationSchema, {
    name,
    displayName: prompt,
    criteria: { case: "llmCriteria", value: { prompt } },
  });
}

function isStable({ evaluated: { app } }: TestContext): boolean {
  return app.evaluationSettings?.goldenRunMethod !== GoldenRunMethod.NAIVE;
}
