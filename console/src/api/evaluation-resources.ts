import {
  type Evaluation,
  EvaluationSchema,
  type ScheduledEvaluationRun,
  ScheduledEvaluationRunSchema,
} from "@frontdesk/protos/ces/evaluation";
import { evaluationService } from "./evaluation-service.ts";
import { listAllPages, type ResourceType } from "./resource-types.ts";

/** Evaluations of an app. */
export const evaluations: ResourceType<Evaluation> = {
  collection: "evaluations",
  singular: "evaluation",
  field: "evaluation",
  schema: EvaluationSchema,
  list: (parent) =>
    listAllPages(async (pageToken) => {
      const page = await evaluationService.listEvaluations({ parent, pageSize: 1000, pageToken });
      return { items: page.evaluations, next: page.nextPageToken };
    }),
  get: (name) => evaluationService.getEvaluation({ name }),
  create: (parent, evaluation) => evaluationService.createEvaluation({ parent, evaluation }),
  update: (evaluation, paths) => evaluationService.updateEvaluation({ evaluation, updateMask: { paths: [...paths] } }),
  remove: async ({ name, etag }, force) => {
    await evaluationService.deleteEvaluation({ name, etag, force });
  },
};

/** Runs of evaluations that a schedule starts. */
export const scheduledEvaluationRuns: ResourceType<ScheduledEvaluationRun> = {
  collection: "scheduledEvaluationRuns",
  singular: "schedule",
  field: "scheduledEvaluationRun",
  schema: ScheduledEvaluationRunSchema,
  list: (parent) =>
    listAllPages(async (pageToken) => {
      const page = await evaluationService.listScheduledEvaluationRuns({ parent, pageSize: 1000, pageToken });
      return { items: page.scheduledEvaluationRuns, next: page.nextPageToken };
    }),
  get: (name) => evaluationService.getScheduledEvaluationRun({ name }),
  create: (parent, scheduledEvaluationRun) =>
    evaluationService.createScheduledEvaluationRun({ parent, scheduledEvaluationRun }),
  update: (scheduledEvaluationRun, paths) =>
    evaluationService.updateScheduledEvaluationRun({ scheduledEvaluationRun, updateMask: { paths: [...paths] } }),
  remove: async ({ name, etag }) => {
    await evaluationService.deleteScheduledEvaluationRun({ name, etag });
  },
};

/** Datasets of evaluations, to choose from. */
export const evaluationDatasets = {
  collection: "evaluationDatasets",
  list: (parent: string) =>
    listAllPages(async (pageToken) => {
      const page = await evaluationService.listEvaluationDatasets({ parent, pageSize: 1000, pageToken });
      return { items: page.evaluationDatasets, next: page.nextPageToken };
    }),
  get: (name: string) => evaluationService.getEvaluationDataset({ name }),
};

/** Expectations about whole conversations, to choose from. */
export const evaluationExpectations = {
  collection: "evaluationExpectations",
  list: (parent: string) =>
    listAllPages(async (pageToken) => {
      const page = await evaluationService.listEvaluationExpectations({ parent, pageSize: 1000, pageToken });
      return { items: page.evaluationExpectations, next: page.nextPageToken };
    }),
  get: (name: string) => evaluationService.getEvaluationExpectation({ name }),
};
