import type { AppSnapshot } from "@frontdesk/protos/ces/app_version";
import type { Evaluation } from "@frontdesk/protos/ces/evaluation";
import type { EvaluatedApp } from "../contract.ts";
import { bindEvaluation } from "./bind-evaluation.ts";
import type { TestCase } from "./contract.ts";
import { evaluationTest } from "./evaluation-test.ts";

/**
 * The evaluations of an app as tests, by display name (EVAL-116): most packages name no ids, and new ones have another order each time. Names in the tests are those
 * of the app, wherever they run.
 */
export function appTests({ evaluations }: EvaluatedApp): readonly TestCase[] {
  return evaluations.toSorted(byDisplayName).map((evaluation) => {
    const { inputs } = evaluation;
    const isSimulation = inputs.case === "scenario" && inputs.value.milestones.length > 0;
    const kind = isSimulation ? "simulation" : inputs.case === "scenario" ? "scenario" : "golden";
    return evaluationTest({ evaluation, kind, file: "", line: 0 });
  });
}

/** The order of their folders in a package, whatever the language of the machine. */
function byDisplayName({ displayName: one }: Evaluation, { displayName: other }: Evaluation): number {
  return one === other ? 0 : one < other ? -1 : 1;
}

/** The evaluations of an app with display names in place of resource names, so that they run against another version of it. */
export function withDisplayNames(evaluated: EvaluatedApp, { agents, tools, toolsets }: AppSnapshot): EvaluatedApp {
  const resources = [...agents, ...tools, ...toolsets, ...evaluated.evaluationExpectations];
  const byName = new Map(resources.map(({ name, displayName }) => [name, displayName]));
  const displayName = (reference: string) => byName.get(reference) ?? reference;
  const names = {
    agent: displayName,
    toolset: displayName,
    toolOrMember: (reference: string) => ({ case: "tool" as const, value: displayName(reference) }),
    agents: [],
    tools: [],
    toolsets: [],
  };
  return {
    ...evaluated,
    evaluations: evaluated.evaluations.map((evaluation) => bindEvaluation(evaluation, names, displayName).evaluation),
  };
}
