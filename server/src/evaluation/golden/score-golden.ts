import { create } from "@bufbuild/protobuf";
import {
  type Evaluation_Golden,
  type EvaluationResult_GoldenResult,
  EvaluationResult_GoldenResultSchema as GoldenResultSchema,
  EvaluationResult_GoldenResult_TurnReplayResultSchema as TurnReplayResultSchema,
} from "@frontdesk/protos/ces/evaluation";
import type { CaseDeps, EvaluationCase, NotMeasured } from "../contract.ts";
import { judgeExpectations } from "../judge/judge-expectations.ts";
import { type ScoredTurn, scoreGoldenTurn } from "../metrics/score-golden-turn.ts";
import { scored } from "../metrics/scored-expectation.ts";
import { goldenCriteria } from "../metrics/thresholds.ts";
import { errorInfo } from "../observation/error-info.ts";
import { guardrailNames } from "../observation/latencies.ts";
import { allOf, type Verdict } from "../verdict.ts";
import type { RunTurn } from "./run-golden.ts";

/** A scored golden. */
interface ScoredGolden {
  readonly result: EvaluationResult_GoldenResult;
  readonly verdict: Verdict;
  /** The first thing that could not be measured. */
  readonly problem: NotMeasured | undefined;
}

/** Scores the turns of a golden that was run. */
export async function scoreGolden(
  golden: Evaluation_Golden,
  turns: readonly RunTurn[],
  evaluationCase: EvaluationCase,
  { judge }: Pick<CaseDeps, "judge">,
): Promise<ScoredGolden> {
  const { app, evaluation, snapshot, signal } = evaluationCase;
  const guardrails = guardrailNames(snapshot.snapshot);
  const scoredTurns = await Promise.all(
    turns.map(({ golden, outcome }): ScoredTurn | Promise<ScoredTurn> => {
      if (outcome.kind === "not-measured") return unmeasuredTurn(outcome.problem);
      if (outcome.kind === "session-ended") return endedTurn(golden);
      const criteria = goldenCriteria(app, evaluation, golden.turn);
      return scoreGoldenTurn(golden, outcome.turn, { criteria, guardrails }, judge, signal);
    }),
  );
  const messages = turns.flatMap(({ outcome }) => (outcome.kind === "observed" ? outcome.turn.messages : []));
  const { evaluationExpectations } = golden;
  const judged = await judgeExpectations(evaluationExpectations, messages, evaluationCase, { judge });
  const problems = turns.flatMap(({ outcome }) => (outcome.kind === "not-measured" ? [outcome.problem] : []));
  return {
    result: create(GoldenResultSchema, {
      turnReplayResults: scoredTurns.map(({ result }) => result),
      evaluationExpectationResults: judged.map(({ result }) => result),
    }),
    verdict: allOf([...scoredTurns, ...judged].map(({ verdict }) => verdict)),
    problem: problems[0],
  };
}

function unmeasuredTurn(problem: NotMeasured): ScoredTurn {
  return { result: create(TurnReplayResultSchema, { errorInfo: errorInfo(problem) }), verdict: "not-measured" };
}

/** A turn that never came, because the agent had ended the session: nothing of what is expected happened. */
function endedTurn({ expectations }: RunTurn["golden"]): ScoredTurn {
  const outcomes = expectations.map((expectation) => scored(expectation, "failed", {}).outcome);
  return { result: create(TurnReplayResultSchema, { expectationOutcome: outcomes }), verdict: "failed" };
}
