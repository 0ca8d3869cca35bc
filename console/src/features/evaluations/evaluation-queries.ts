import { fromJson, type JsonValue } from "@bufbuild/protobuf";
import {
  type Evaluation,
  type EvaluationResult,
  type EvaluationRun,
  EvaluationRunSchema,
  EvaluationResult_ExecutionState as ExecutionState,
  EvaluationRun_EvaluationRunState as RunState,
} from "@frontdesk/protos/ces/evaluation";
import {
  ListEvaluationResultsResponseSchema,
  ListEvaluationRunsResponseSchema,
  ListEvaluationsResponseSchema,
} from "@frontdesk/protos/ces/evaluation_service";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { evaluationService } from "../../api/evaluation-service.ts";
import { evaluationOf, parentApp } from "../../api/resource-names.ts";
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
const ONE_RUN_FIELDS =
  "name,displayName,createTime,appVersion,appVersionDisplayName,state,progress,runCount,evaluationDataset,initiatedBy,errorInfo,operation,optimizationConfig,evaluationRunSummaries,continuedRun";
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

/** One run with its counts by evaluation and without the names of its results, read again while it runs. Without a name nothing is read. */
export function useRun(name: string) {
  return useQuery({
    queryKey: ["evaluation-run", name],
    queryFn: async ({ signal }): Promise<EvaluationRun> => {
      const json = await readRest<JsonValue>(`${name}?${new URLSearchParams({ fields: ONE_RUN_FIELDS })}`, signal);
      return fromJson(EvaluationRunSchema, json, { ignoreUnknownFields: true });
    },
    enabled: name !== "",
    refetchInterval: ({ state }) => (!state.data || isActive(state.data) ? RUNNING_POLL_MS : false),
  });
}

/** The number of each attempt of a run among those of its evaluation, by the name of its result. Read only when somebody has to tell them apart. */
export function useAttempts(run: string, isNeeded: boolean) {
  return useQuery({
    queryKey: ["run-attempts", run],
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, number>> => {
      const json = await readRest<JsonValue>(`${run}?${new URLSearchParams({ fields: "evaluationResults" })}`, signal);
      return attemptsOf(fromJson(EvaluationRunSchema, json, { ignoreUnknownFields: true }).evaluationResults);
    },
    enabled: isNeeded,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Only of evaluations that have several. */
function attemptsOf(results: readonly string[]): ReadonlyMap<string, number> {
  const byEvaluation = [...Map.groupBy(results, evaluationOf).values()].filter((names) => names.length > 1);
  return new Map(byEvaluation.flatMap((names) => names.map((name, at) => [name, at + 1] as const)));
}

/** The parts in which the results of a run are read, and shown: each result is in one of them. */
const PARTS = ["= FAIL", "!= FAIL AND evaluation_status != PASS", "= PASS"];

/** Where a page of a run's results begins: a part, and the token of a page of it. */
interface ResultsPosition {
  readonly part: number;
  readonly token: string;
}

/** Results of a run that are read at once. */
const RESULTS_AT_ONCE = 200;

/**
 * The results of a run without what happened in them, those that failed first: as many as fit in a page, and more when asked. A run may have ten thousand, of
 * which nobody reads those that passed.
 */
export function useRunResults(run: EvaluationRun) {
  return useInfiniteQuery({
    queryKey: ["run-results", run.name, run.state],
    queryFn: ({ pageParam, signal }) => readRunResults(run.name, pageParam, signal),
    initialPageParam: { part: 0, token: "" } as ResultsPosition,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    refetchInterval: isActive(run) && pollMs(RUNNING_POLL_MS, run.progress?.totalCount),
  });
}

/** A page of results, of as many parts as it takes to fill it. */
async function readRunResults(run: string, from: ResultsPosition, signal: AbortSignal) {
  const results: EvaluationResult[] = [];
  let next: ResultsPosition | undefined = from;
  while (next && results.length < RESULTS_AT_ONCE) {
    const { part, token }: ResultsPosition = next;
    const page = await readResults(`${parentApp(run)}/evaluations/-`, signal, {
      pageSize: String(RESULTS_AT_ONCE - results.length),
      orderBy: "name",
      pageToken: token,
      filter: `evaluation_run = "${run}" AND evaluation_status ${PARTS[part]}`,
    });
    results.push(...page.items);
    if (page.next !== "") next = { part, token: page.next };
    else next = part + 1 < PARTS.length ? { part: part + 1, token: "" } : undefined;
  }
  return { results, next };
}

/** The results of an evaluation, newest first. */
export function useEvaluationResults(evaluation: string) {
  return useQuery({
    queryKey: ["evaluation-results", evaluation],
    queryFn: ({ signal }): Promise<readonly EvaluationResult[]> =>
      listAllPages((pageToken) =>
        readResults(evaluation, signal, { pageSize: "1000", orderBy: "create_time", pageToken }),
      ),
    refetchInterval: ({ state }) =>
      !state.data || state.data.some(isPending) ? pollMs(RUNNING_POLL_MS, state.data?.length) : false,
  });
}

/** One page of a list of results. */
async function readResults(parent: string, signal: AbortSignal, query: Readonly<Record<string, string>>) {
  const asked = new URLSearchParams({ ...query, fields: RESULT_FIELDS });
  const json = await readRest<JsonValue>(`${parent}/results?${asked}`, signal);
  const page = fromJson(ListEvaluationResultsResponseSchema, json, { ignoreUnknownFields: true });
  return { items: page.evaluationResults, next: page.nextPageToken };
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
