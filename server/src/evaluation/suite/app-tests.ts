import type { EvaluatedApp } from "../contract.ts";
import type { TestCase } from "./contract.ts";
import { evaluationTest } from "./evaluation-test.ts";

/** The evaluations of an app as tests. Names in the tests are those of the app, wherever they run. */
export function appTests({ evaluations }: EvaluatedApp): readonly TestCase[] {
  return evaluations.map((evaluation) => {
    const { inputs } = evaluation;
    const isSimulation = inputs.case === "scenario" && inputs.value.milestones.length > 0;
    const kind = isSimulation ? "simulation" : inputs.case === "scenario" ? "scenario" : "golden";
    return evaluationTest({ evaluation, kind, file: "", line: 0 });
  });
}
