import { clone } from "@bufbuild/protobuf";
import {
  EvaluationDatasetSchema,
  EvaluationExpectationSchema,
  EvaluationResultSchema,
  EvaluationRunSchema,
  ScheduledEvaluationRun_SchedulingConfig_Frequency as Frequency,
  type ScheduledEvaluationRun,
  ScheduledEvaluationRunSchema,
} from "@frontdesk/protos/ces/evaluation";
import type { FieldViolation } from "#status";
import { defineResource } from "../define-resource.ts";
import type { ReadContext } from "../read/read-context.ts";
import type { Resource } from "../resource.ts";
import { EVALUATION_ORDER } from "./evaluation-order.ts";

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

/** Runs and results: written by the server. A run takes its results with it. */
export const evaluationRuns = defineResource(EvaluationRunSchema, "log", {
  order: EVALUATION_ORDER,
  cascade: ({ evaluationResults }) => evaluationResults,
});
export const evaluationResults = defineResource(EvaluationResultSchema, "log", { order: EVALUATION_ORDER });

/** Evaluations that run by the clock. */
export const scheduledEvaluationRuns = defineResource(ScheduledEvaluationRunSchema, "app", {
  normalize: (scheduled, app) => {
    const copy = clone(ScheduledEvaluationRunSchema, scheduled);
    if (copy.request?.app === "") copy.request.app = app;
    return copy;
  },
  validate: scheduleViolations,
  order: {
    fields: ["name", "create_time", "update_time", "next_scheduled_execution", "last_completed_run.create_time"],
    descendingByDefault: ["create_time", "update_time", "last_completed_run.create_time"],
    fallback: "update_time",
    keys: {
      next_scheduled_execution: async (resources) =>
        (resources as readonly ScheduledEvaluationRun[]).map(({ nextScheduledExecutionTime }) =>
          Number(nextScheduledExecutionTime?.seconds ?? 0),
        ),
      "last_completed_run.create_time": lastRunTimes,
    },
  },
});

function scheduleViolations({ schedulingConfig, request }: ScheduledEvaluationRun): readonly FieldViolation[] {
  const violations: FieldViolation[] = [];
  const { frequency, daysOfWeek = [] } = schedulingConfig ?? {};
  for (const [index, day] of daysOfWeek.entries()) {
    if (day >= 1 && day <= 7) continue;
    violations.push({
      field: `scheduling_config.days_of_week[${index}]`,
      description: "A day is between 1 (Monday) and 7 (Sunday).",
    });
  }
  if (daysOfWeek.length > 0 && frequency !== Frequency.WEEKLY && frequency !== Frequency.BIWEEKLY) {
    violations.push({
      field: "scheduling_config.days_of_week",
      description: "Days can only be given for WEEKLY and BIWEEKLY.",
    });
  }
  if (request && request.evaluations.length === 0 && request.evaluationDataset === "") {
    violations.push({ field: "request", description: "Name evaluations, an evaluation_dataset, or both." });
  }
  return violations;
}

async function lastRunTimes(resources: readonly Resource[], { store }: ReadContext): Promise<readonly number[]> {
  const names = (resources as readonly ScheduledEvaluationRun[]).map(({ lastCompletedRun }) => lastCompletedRun);
  const rows = await store.getMany(names.filter((name) => name !== ""));
  return names.map((name) => rows.get(name)?.createTime ?? 0);
}
