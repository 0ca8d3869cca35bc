import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import {
  type Evaluation,
  type EvaluationResult,
  type EvaluationRun,
  EvaluationResult_ExecutionState as ExecutionState,
  EvaluationRun_EvaluationRunState as RunState,
} from "@frontdesk/protos/ces/evaluation";
import {
  ListEvaluationResultsResponseSchema,
  ListEvaluationRunsResponseSchema,
  ListEvaluationsResponseSchema,
} from "@frontdesk/protos/ces/evaluation_service";
import { useQuery } from "@tanstack/react-query";
import { evaluationService } from "../../api/evaluation-service.ts";
import { parentApp } from "../../api/resource-names.ts";
import { listAllPages } from "../../api/resource-types.ts";
import { readRest } from "../../api/rest.ts";

/** Milliseconds between two reads while something runs, and while nothing does. */
const RUNNING_POLL_MS = 1_000;
const IDLE_POLL_MS = 5_000;

/** Runs of a list: the newest. */
const MOST_RUNS = 200;

/** What lists need: goldens, results of cases and their names would make them a thousand times as long. */
const EVALUATION_FIELDS =
  "nextPageToken,evaluations(name,displayName,description,tags,invalid,scenario(task),aggregatedMetrics(metricsByAppVersion(appVersionId,passCount,failCount)))";
const RUN_FIELDS =
  "evaluationRuns(name,displayName,createTime,appVersion,appVersionDisplayName,state,progress,runCount,evaluationDataset,initiatedBy)";
const RESULT_FIELDS =
  "nextPageToken,evaluationResults(name,displayName,evaluationStatus,executionState,errorInfo,createTime,evaluationRun,appVersionDisplayName,persona(displayName))";

/** The evaluations of an app without what they expect, with their counts by version. */
export function useEvaluationSummaries(app: string) {
  return useQuery({
    queryKey: ["evaluation-summaries", app],
    queryFn: ({ signal }): Promise<readonly Evaluation[]> =>
      listAllPages(async (pageToken) => {
        const query = new URLSearchParams({ pageSize: "1000", pageToken, fields: EVALUATION_FIELDS });
        const json = await readRest<JsonValue>(`${app}/evaluations?${query}`, signal);
        const page = fromJson(ListEvaluationsResponseSchema, json, { ignoreUnknownFields: true });
        return { items: page.evaluations, next: page.nextPageToken };
      }),
    refetchInterval: ({ state }) => pollMs(IDLE_POLL_MS, state.data?.length),
  });
}

/** The newest runs of an app, newest first, without the names of their results. */
export function useRuns(app: string) {
  return useQuery({
    queryKey: ["evaluation-runs", app],
    queryFn: async ({ signal }): Promise<readonly EvaluationRun[]> => {
      const query = new URLSearchParams({
        pageSize: String(MOST_RUNS),
        orderBy: "create_time",
        fields: RUN_FIELDS,
      });
      const json = await readRest<JsonValue>(`${app}/evaluationRuns?${query}`, signal);
      return fromJson(ListEvaluationRunsResponseSchema, json, { ignoreUnknownFields: true }).evaluationRuns;
    },
    refetchInterval: ({ state }) => (state.data?.some(isActive) ? RUNNING_POLL_MS : IDLE_POLL_MS),
  });
}

/** One run, read again while it runs. */
export function useRun(name: string) {
  return useQuery({
    queryKey: ["evaluation-run", name],
    queryFn: () => evaluationService.getEvaluationRun({ name }),
    refetchInterval: ({ state }) => (!state.data || isActive(state.data) ? RUNNING_POLL_MS : false),
  });
}

/** The results of a run without what happened in them, in the order of their names. Without a run nothing is read. */
export function useRunResults(run: string) {
  return useResultList(`${parentApp(run)}/evaluations/-`, `evaluation_run = "${run}"`, run !== "");
}

/** The results of an evaluation, newest first. */
export function useEvaluationResults(evaluation: string) {
  return useResultList(evaluation, "", true);
}

function useResultList(parent: string, filter: string, enabled: boolean) {
  return useQuery({
    queryKey: ["evaluation-results", parent, filter],
    queryFn: ({ signal }): Promise<readonly EvaluationResult[]> =>
      listAllPages(async (pageToken) => {
        const query = new URLSearchParams({
          pageSize: "1000",
          orderBy: "create_time",
          pageToken,
          filter,
          fields: RESULT_FIELDS,
        });
        const json = await readRest<JsonValue>(`${parent}/results?${query}`, signal);
        const page = fromJson(ListEvaluationResultsResponseSchema, json, { ignoreUnknownFields: true });
        return { items: page.evaluationResults, next: page.nextPageToken };
      }),
    enabled,
    refetchInterval: ({ state }) =>
      !state.data || state.data.some(isPending) ? pollMs(RUNNING_POLL_MS, state.data?.length) : false,
  });
}

/** A list is read again after so many milliseconds for each five hundred entries of it: longer ones take longer to read. */
function pollMs(each: number, length = 0): number {
  return each * Math.max(1, Math.ceil(length / 500));
}

/** One result with everything that happened, read again until it is known. */
export function useResult(name: string) {
  return useQuery({
    queryKey: ["evaluation-result", name],
    queryFn: () => evaluationService.getEvaluationResult({ name }),
    refetchInterval: ({ state }) => (!state.data || isPending(state.data) ? RUNNING_POLL_MS : false),
  });
}

/** Whether a run has not ended. */
export function isActive({ state }: Pick<EvaluationRun, "state">): boolean {
  return state === RunState.QUEUED || state === RunState.RUNNING;
}

function isPending({ executionState }: EvaluationResult): boolean {
  return executionState === ExecutionState.QUEUED || executionState === ExecutionState.RUNNING;
}
