import type {
  Evaluation_Golden,
  Evaluation_Scenario,
  EvaluationResult,
  EvaluationResult_GoldenResult,
} from "@frontdesk/protos/ces/evaluation";
import { failedPrecondition } from "#status";
import type { EvaluationCase, EvaluationResources } from "../contract.ts";
import { goldenTurns } from "../golden/golden-turns.ts";
import type { RunTurn } from "../golden/run-golden.ts";
import { scoreGolden } from "../golden/score-golden.ts";
import { type ObservedTurn, observeTurn } from "../observation/observed-turn.ts";
import { Milestones } from "../scenario/milestones.ts";
import { type RunScenario, type ScenarioDeps, UNREACHED } from "../scenario/run-scenario.ts";
import { scoreScenario } from "../scenario/score-scenario.ts";
import { type CaseFindings, statusOf } from "./run-case.ts";

/**
 * Scores a kept result from its stored conversations, with the evaluation and the thresholds as they are now (EVAL-26). The app does not run.
 * FAILED_PRECONDITION when the result has no conversations, or the evaluation is of another kind by now.
 */
export async function scoreAgain(
  result: EvaluationResult,
  evaluationCase: EvaluationCase,
  resources: Pick<EvaluationResources, "conversation">,
  deps: ScenarioDeps,
): Promise<CaseFindings> {
  const { inputs } = evaluationCase.evaluation;
  if (result.result.case === "goldenResult" && inputs.case === "golden") {
    const turns = await keptTurns(result.result.value, inputs.value, resources);
    const scored = await scoreGolden(inputs.value, turns, evaluationCase, deps);
    return { result: { case: "goldenResult", value: scored.result }, ...statusOf(scored.verdict, scored.problem) };
  }
  if (result.result.case === "scenarioResult" && inputs.case === "scenario") {
    const run = await keptScenario(result.result.value.conversation, inputs.value, evaluationCase, resources, deps);
    const brief = { scenario: inputs.value, persona: evaluationCase.persona };
    const scored = await scoreScenario(brief, run, evaluationCase, deps);
    return { result: { case: "scenarioResult", value: scored.result }, ...statusOf(scored.verdict, scored.problem) };
  }
  throw failedPrecondition(
    `Result '${result.name}' has no conversations to score: it did not run, or its evaluation is of another kind by now. Run the evaluation.`,
  );
}

/** The turns of a golden as they were observed. A STABLE turn has a conversation of its own. */
async function keptTurns(
  { turnReplayResults }: EvaluationResult_GoldenResult,
  golden: Evaluation_Golden,
  resources: Pick<EvaluationResources, "conversation">,
): Promise<readonly RunTurn[]> {
  const names = turnReplayResults.map(({ conversation }) => conversation);
  const turns = goldenTurns(golden);
  if (turns.length !== names.length) {
    throw failedPrecondition(
      `The result has ${names.length} turns and its golden ${turns.length} by now, so they cannot be compared. Run the evaluation.`,
    );
  }
  return Promise.all(
    turns.map(async (turn, position): Promise<RunTurn> => {
      const name = names[position] ?? "";
      const { errorInfo } = turnReplayResults[position] ?? {};
      if (name === "" && errorInfo) {
        const problem = { type: errorInfo.errorType, message: errorInfo.errorMessage, session: errorInfo.sessionId };
        return { golden: turn, outcome: { kind: "not-measured", problem } };
      }
      if (name === "") return { golden: turn, outcome: { kind: "session-ended", turn: position } };
      const observed = await observedTurns(name, resources);
      const isOwn = names.filter((other) => other === name).length === 1;
      const kept = observed[isOwn ? 0 : names.slice(0, position).filter((other) => other === name).length];
      if (!kept) throw failedPrecondition(`Conversation '${name}' has lost its turns. Run the evaluation again.`);
      return { golden: turn, outcome: { kind: "observed", turn: kept, ended: false } };
    }),
  );
}

async function keptScenario(
  name: string,
  scenario: Evaluation_Scenario,
  { signal }: EvaluationCase,
  resources: Pick<EvaluationResources, "conversation">,
  { judge }: ScenarioDeps,
): Promise<RunScenario> {
  const turns = name === "" ? [] : await observedTurns(name, resources);
  if (turns.length === 0) throw failedPrecondition("The result has no conversation. Run the evaluation.");
  const milestones = new Milestones(scenario.milestones);
  const messages = turns.flatMap((turn) => turn.messages);
  for (const [position] of turns.entries()) {
    const until = turns.slice(0, position + 1).flatMap((turn) => turn.messages);
    const step = await milestones.countTurn(until, judge, signal);
    if (step && step.verdict !== "passed") return { turns, messages, unreached: step, problem: undefined };
  }
  const unreached = milestones.allReached ? undefined : UNREACHED;
  return { turns, messages, unreached, problem: undefined };
}

async function observedTurns(
  name: string,
  { conversation }: Pick<EvaluationResources, "conversation">,
): Promise<readonly ObservedTurn[]> {
  const { turns } = await conversation(name);
  return turns.flatMap(({ messages, rootSpan }) => (rootSpan ? [observeTurn(name, messages, rootSpan)] : []));
}
