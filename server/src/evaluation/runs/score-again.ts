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
import { observeTurn } from "../observation/observed-turn.ts";
import { Milestones } from "../scenario/milestones.ts";
import { type RunScenario, type ScenarioDeps, UNREACHED } from "../scenario/run-scenario.ts";
import { scoreScenario } from "../scenario/score-scenario.ts";
import { type CaseFindings, statusOf } from "./run-case.ts";

/** The stored turns of conversations, by their names. */
export type StoredTurns = Awaited<ReturnType<EvaluationResources["turnsOf"]>>;

/**
 * Scores a kept result from its stored conversations, with the evaluation and the thresholds as they are now (EVAL-26). The app does not run.
 * FAILED_PRECONDITION when the result has no conversations, or the evaluation is of another kind by now.
 */
export async function scoreAgain(
  result: EvaluationResult,
  evaluationCase: EvaluationCase,
  stored: StoredTurns,
  deps: ScenarioDeps,
): Promise<CaseFindings> {
  const { inputs } = evaluationCase.evaluation;
  if (result.result.case === "goldenResult" && inputs.case === "golden") {
    const turns = keptTurns(result.result.value, inputs.value, stored);
    const scored = await scoreGolden(inputs.value, turns, evaluationCase, deps);
    return { result: { case: "goldenResult", value: scored.result }, ...statusOf(scored.verdict, scored.problem) };
  }
  if (result.result.case === "scenarioResult" && inputs.case === "scenario") {
    const run = await keptScenario(result.result.value.conversation, inputs.value, evaluationCase, stored, deps);
    const brief = { scenario: inputs.value, persona: evaluationCase.persona };
    const scored = await scoreScenario(brief, run, evaluationCase, deps);
    return { result: { case: "scenarioResult", value: scored.result }, ...statusOf(scored.verdict, scored.problem) };
  }
  throw failedPrecondition(
    `Result '${result.name}' has no conversations to score: it did not run, or its evaluation is of another kind by now. Run the evaluation.`,
  );
}

/** The turns of a golden as they were observed. A STABLE turn has a conversation of its own. */
function keptTurns(
  { turnReplayResults }: EvaluationResult_GoldenResult,
  golden: Evaluation_Golden,
  stored: StoredTurns,
): readonly RunTurn[] {
  const names = turnReplayResults.map(({ conversation }) => conversation);
  const turns = goldenTurns(golden);
  if (turns.length !== names.length) {
    throw failedPrecondition(
      `The result has ${names.length} turns and its golden ${turns.length} by now, so they cannot be compared. Run the evaluation.`,
    );
  }
  // How many turns of each conversation were read: a STABLE turn is the first of its own, a NAIVE one the next of the same.
  const read = new Map<string, number>();
  return turns.map((turn, position): RunTurn => {
    const name = names[position] ?? "";
    const { errorInfo } = turnReplayResults[position] ?? {};
    if (name === "" && errorInfo) {
      const problem = { type: errorInfo.errorType, message: errorInfo.errorMessage, session: errorInfo.sessionId };
      return { golden: turn, outcome: { kind: "not-measured", problem } };
    }
    if (name === "") return { golden: turn, outcome: { kind: "session-ended", turn: position } };
    const at = read.get(name) ?? 0;
    read.set(name, at + 1);
    const { messages, rootSpan } = stored.get(name)?.[at] ?? {};
    if (!messages || !rootSpan)
      throw failedPrecondition(`Conversation '${name}' is gone, or has lost its turns. Run the evaluation again.`);
    const observed = observeTurn(name, messages, rootSpan);
    return { golden: turn, outcome: { kind: "observed", turn: observed, ended: false } };
  });
}

async function keptScenario(
  name: string,
  scenario: Evaluation_Scenario,
  { signal }: EvaluationCase,
  stored: StoredTurns,
  { judge }: ScenarioDeps,
): Promise<RunScenario> {
  const turns = (stored.get(name) ?? []).flatMap(({ messages, rootSpan }) =>
    rootSpan ? [observeTurn(name, messages, rootSpan)] : [],
  );
  if (turns.length === 0)
    throw failedPrecondition("The result has no conversation, or it is gone. Run the evaluation.");
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
