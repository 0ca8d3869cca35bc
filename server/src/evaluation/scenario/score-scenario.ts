import { create } from "@bufbuild/protobuf";
import { EvaluationSettings_ScenarioExecutionMode as ExecutionMode } from "@frontdesk/protos/ces/app";
import {
  EvaluationErrorInfo_ErrorType as ErrorType,
  type Evaluation_Scenario,
  type EvaluationResult_ScenarioResult,
  Evaluation_Scenario_UserGoalBehavior as GoalBehavior,
  EvaluationResult_ScenarioResultSchema as ScenarioResultSchema,
  Evaluation_Scenario_TaskCompletionBehavior as TaskBehavior,
} from "@frontdesk/protos/ces/evaluation";
import { definedFields } from "#base";
import type { CaseDeps, EvaluationCase, NotMeasured } from "../contract.ts";
import type { Judgement } from "../judge/judge.ts";
import { judgeExpectations } from "../judge/judge-expectations.ts";
import { transcriptOf } from "../judge/transcript.ts";
import { judgeHallucination } from "../metrics/hallucination.ts";
import { scenarioCriteria } from "../metrics/thresholds.ts";
import { guardrailNames, latenciesOf } from "../observation/latencies.ts";
import { allOf, type Verdict, verdictOf } from "../verdict.ts";
import type { RunScenario } from "./run-scenario.ts";
import { scenarioExpectationOutcomes } from "./scenario-expectations.ts";
import { briefOf, type UserBrief } from "./simulated-user.ts";

/** A scored scenario. */
interface ScoredScenario {
  readonly result: EvaluationResult_ScenarioResult;
  readonly verdict: Verdict;
  /** Why it could not be measured. */
  readonly problem: NotMeasured | undefined;
}

/**
 * Scores a simulated conversation: expectations, milestones, the user's goal, claims, and the expectations of the app. Rubrics are scored
 * and do not decide (EVAL-18).
 */
export async function scoreScenario(
  brief: UserBrief,
  run: RunScenario,
  evaluationCase: EvaluationCase,
  deps: CaseDeps,
): Promise<ScoredScenario> {
  const { scenario } = brief;
  const { judge } = deps;
  const { app, evaluation, signal } = evaluationCase;
  const criteria = scenarioCriteria(app, evaluation);
  const transcript = transcriptOf(run.messages);
  const [expectations, goal, claims, judged, rubrics, strayed] = await Promise.all([
    scenarioExpectationOutcomes(criteria.expectations ? scenario.scenarioExpectations : [], run, judge, signal),
    criteria.userGoal ? judgeGoal(scenario, transcript, evaluationCase, deps) : UNJUDGED,
    Promise.all(run.turns.map((turn) => judgeHallucination(turn, undefined, judge, signal))),
    judgeExpectations(scenario.evaluationExpectations, run.messages, evaluationCase, deps),
    Promise.all(scenario.rubrics.map((rubric) => judgeRubric(rubric, transcript, evaluationCase, deps))),
    judgeUser(brief, transcript, run, evaluationCase, deps),
  ]);
  const satisfied = allOf(expectations.map(({ verdict }) => verdict));
  const reached = run.unreached?.verdict ?? "passed";
  const claimsVerdict = allOf(claims.flatMap((claim) => (claim ? [claim.verdict] : [])));
  const completed = allOf([satisfied, reached, goal.verdict, ...(criteria.hallucinationCounts ? [claimsVerdict] : [])]);
  const guardrails = guardrailNames(evaluationCase.snapshot.snapshot);
  const spans = run.turns.map((turn) => latenciesOf(turn, guardrails));
  const result = create(ScenarioResultSchema, {
    conversation: run.turns[0]?.conversation ?? "",
    task: scenario.task,
    userFacts: scenario.userFacts,
    expectationOutcomes: expectations.map(({ outcome }) => outcome),
    rubricOutcomes: rubrics,
    hallucinationResult: claims.flatMap((claim) => (claim ? [claim.result] : [])),
    toolCallLatencies: spans.flatMap(({ toolCallLatencies }) => toolCallLatencies),
    spanLatencies: spans.flatMap(({ spanLatencies }) => spanLatencies),
    evaluationExpectationResults: judged.map(({ result: expectationResult }) => expectationResult),
    ...definedFields({
      userGoalSatisfactionResult: goal.result,
      taskCompletionResult: completionOf(run),
      allExpectationsSatisfied: known(satisfied),
      taskCompleted: known(completed),
    }),
  });
  const problem = run.problem ?? strayed ?? unreachedProblem(run);
  const verdict = problem ? "not-measured" : allOf([completed, ...judged.map((one) => one.verdict)]);
  return { result, verdict, problem };
}

/** True or false, or undefined for what was not measured. */
function known(verdict: Verdict): boolean | undefined {
  return verdict === "not-measured" ? undefined : verdict === "passed";
}

/** Which milestone was not reached: no other field of a result has a place for it (EVAL-106). */
function completionOf({ unreached }: RunScenario) {
  if (unreached?.verdict !== "failed") return undefined;
  return { score: 0, label: "Task Not Completed", explanation: unreached.explanation };
}

function unreachedProblem({ unreached, turns }: RunScenario): NotMeasured | undefined {
  if (unreached?.verdict !== "not-measured") return undefined;
  const session = turns[0]?.conversation.replace("/conversations/", "/sessions/") ?? "";
  return { type: ErrorType.METRIC_CALCULATION_FAILURE, message: unreached.explanation, session };
}

/** The scale of the user goal (EVAL-18). */
const GOAL_SCALE: ReadonlyMap<number, string> = new Map([
  [1, "User Task Satisfied"],
  [0, "User Task Not Satisfied"],
  [-1, "User Task Unspecified"],
]);

interface JudgedGoal {
  readonly verdict: Verdict;
  readonly result?: Partial<Extract<Judgement, { kind: "measured" }>>;
}

/** The metric is off. */
const UNJUDGED: JudgedGoal = { verdict: "passed" };

async function judgeGoal(
  scenario: Evaluation_Scenario,
  transcript: string,
  { signal }: EvaluationCase,
  { judge }: CaseDeps,
): Promise<JudgedGoal> {
  const wanted = goalBehavior(scenario);
  if (wanted === GoalBehavior.USER_GOAL_IGNORED) return UNJUDGED;
  const judgement = await judge.ask(
    {
      metric: "user-goal",
      rubric: `Did the agent satisfy the user's task?\nTask: ${scenario.task}`,
      material: transcript,
      scale: GOAL_SCALE,
    },
    signal,
  );
  if (judgement.kind === "not-measured") return { verdict: "not-measured", result: { explanation: judgement.reason } };
  const { score, label, explanation } = judgement;
  const satisfied = wanted === GoalBehavior.USER_GOAL_REJECTED ? score === 0 : score === 1;
  return { verdict: verdictOf(satisfied), result: { score, label, explanation } };
}

/** The deprecated field stands in where the newer one is not set. */
function goalBehavior({ userGoalBehavior, taskCompletionBehavior }: Evaluation_Scenario): GoalBehavior {
  if (userGoalBehavior) return userGoalBehavior;
  return taskCompletionBehavior === TaskBehavior.TASK_REJECTED
    ? GoalBehavior.USER_GOAL_REJECTED
    : GoalBehavior.USER_GOAL_SATISFIED;
}

const RUBRIC_SCALE: ReadonlyMap<number, string> = new Map([
  [1, "The conversation satisfies the rubric."],
  [0, "The conversation does not satisfy the rubric."],
]);

async function judgeRubric(
  rubric: string,
  material: string,
  { signal }: EvaluationCase,
  { judge }: CaseDeps,
): Promise<{ rubric: string; score?: number; scoreExplanation: string }> {
  const judgement = await judge.ask({ metric: "rubric", rubric, material, scale: RUBRIC_SCALE }, signal);
  if (judgement.kind === "not-measured") return { rubric, scoreExplanation: judgement.reason };
  return { rubric, score: judgement.score, scoreExplanation: judgement.explanation };
}

const USER_SCALE: ReadonlyMap<number, string> = new Map([
  [1, "The user stayed within the brief."],
  [0, "The user left the brief."],
]);

/** Whether the simulated user did what it was told: a user that left its brief says nothing about the app. Not checked in SPEED_OPTIMIZED runs. */
async function judgeUser(
  brief: UserBrief,
  transcript: string,
  { turns }: RunScenario,
  { app, signal }: EvaluationCase,
  { judge }: CaseDeps,
): Promise<NotMeasured | undefined> {
  const mode = brief.scenario.scenarioExecutionMode || app.evaluationSettings?.scenarioExecutionMode;
  if (mode === ExecutionMode.SPEED_OPTIMIZED || turns.length === 0) return undefined;
  const judgement = await judge.ask(
    {
      metric: "user-simulation",
      rubric:
        "Did the user of this conversation stay within this brief, without inventing facts and without doing the agent's work?\n\n" +
        briefOf(brief, undefined),
      material: transcript,
      scale: USER_SCALE,
    },
    signal,
  );
  if (judgement.kind === "not-measured" || judgement.score === 1) return undefined;
  const session = turns[0]?.conversation.replace("/conversations/", "/sessions/") ?? "";
  const message = `The simulated user left its brief: ${judgement.explanation}`;
  return { type: ErrorType.USER_SIMULATION_FAILURE, message, session };
}
