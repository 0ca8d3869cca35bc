import { AgentSchema } from "@frontdesk/protos/ces/agent";
import {
  type Evaluation,
  type EvaluationDataset,
  EvaluationDatasetSchema,
  EvaluationExpectationSchema,
  EvaluationSchema,
} from "@frontdesk/protos/ces/evaluation";
import { ToolSchema } from "@frontdesk/protos/ces/tool";
import { ToolsetSchema } from "@frontdesk/protos/ces/toolset";
import { resourceTypeOf } from "#aip";
import type { FieldViolation } from "#status";
import { type AppView, defineResource } from "../define-resource.ts";
import { withDerived } from "../resource.ts";
import { EVALUATION_ORDER, presentEvaluations } from "./evaluation-runs.ts";
import { hasDanglingReference, withDisplayNames } from "./recorded-references.ts";

/** Turns of a golden, and simulated turns of a scenario (EVAL-1). */
const MAX_TURNS = 100;

/** Evaluations. One that refers to a deleted agent, tool or toolset stays and is marked invalid (Evaluation.invalid's comment). */
export const evaluations = defineResource(EvaluationSchema, "app", {
  uniqueDisplayName: true,
  keepsRecordedReferences: true,
  allowsDeletionOf: [AgentSchema, ToolSchema, ToolsetSchema].map((desc) => resourceTypeOf(desc)?.type ?? ""),
  validate: turnViolations,
  derivesFrom: "references",
  deriveFromState,
  cascade: ({ name }) => [`${name}/`],
  present: presentEvaluations,
  order: EVALUATION_ORDER,
});

/** Sets of evaluations. */
export const evaluationDatasets = defineResource(EvaluationDatasetSchema, "app", {
  uniqueDisplayName: true,
  order: EVALUATION_ORDER,
});

/** Criteria that evaluations share. */
export const evaluationExpectations = defineResource(EvaluationExpectationSchema, "app", {
  uniqueDisplayName: true,
  order: EVALUATION_ORDER,
});

async function deriveFromState(evaluation: Evaluation, state: AppView): Promise<Evaluation> {
  const datasets = state.list(EvaluationDatasetSchema).filter((dataset) => membersOf(dataset).has(evaluation.name));
  return withDerived(withDisplayNames(EvaluationSchema, evaluation, state), {
    evaluationDatasets: datasets.map(({ name }) => name),
    invalid: hasDanglingReference(EvaluationSchema, evaluation, state),
  });
}

/** Names of the evaluations of a dataset. An import asks each dataset about each evaluation. */
function membersOf(dataset: EvaluationDataset): ReadonlySet<string> {
  const known = members.get(dataset);
  if (known) return known;
  const names = new Set(dataset.evaluations);
  members.set(dataset, names);
  return names;
}

/** Resources do not change once they are stored. */
const members = new WeakMap<EvaluationDataset, ReadonlySet<string>>();

function turnViolations({ inputs }: Evaluation): readonly FieldViolation[] {
  if (inputs.case === "golden" && inputs.value.turns.length > MAX_TURNS) {
    return [
      {
        field: "golden.turns",
        description: `A golden has at most ${MAX_TURNS} turns; this one has ${inputs.value.turns.length}.`,
      },
    ];
  }
  if (inputs.case === "scenario" && (inputs.value.maxTurns < 0 || inputs.value.maxTurns > MAX_TURNS)) {
    return [
      { field: "scenario.max_turns", description: `A scenario has at most ${MAX_TURNS} turns; 0 means ${MAX_TURNS}.` },
    ];
  }
  return [];
}
