import { setTimeout as delay } from "node:timers/promises";
import { clone } from "@bufbuild/protobuf";
import {
  EvaluationErrorInfo_ErrorType as ErrorType,
  type EvaluationResult,
  type EvaluationRun,
  EvaluationRunSchema,
  EvaluationResult_ExecutionState as ExecutionState,
  OptimizationConfig_OptimizationStatus as OptimizationStatus,
  EvaluationRun_EvaluationRunState as RunState,
} from "@frontdesk/protos/ces/evaluation";
import { resourceTypeOf } from "#aip";
import { type Clock, definedFields, type Ids, inParallel } from "#base";
import { Code, ConnectError, logFault, notFound, toStatusError } from "#status";
import type { Storage } from "#storage";
import type { EvaluatedApp, EvaluationResources } from "../contract.ts";
import { errorInfo } from "../observation/error-info.ts";
import type { ScenarioDeps } from "../scenario/run-scenario.ts";
import { aggregateMetrics } from "./aggregate-metrics.ts";
import { type CaseOptions, caseRunner, isLeft } from "./case-runner.ts";
import { forgetDraft, keepDraft } from "./evaluated-draft.ts";
import { explainedLosses } from "./explain-losses.ts";
import { forgetCaching, keptCaching } from "./kept-caching.ts";
import { latencyReport } from "./latency-report.ts";
import type { CaseFindings } from "./run-case.ts";
import { evaluationOf, progressOf, summariesOf } from "./run-progress.ts";
import type { RunSharing, SharedCases } from "./share-run.ts";

/** What executes runs. */
export interface RunDeps extends ScenarioDeps {
  readonly resources: EvaluationResources;
  /** Name of the model that judges, and explains what failed. "" = the server's default model. */
  readonly judgeModel: string;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Where answers are kept for the next run. */
  readonly blobs: Pick<Storage["blobs"], "get" | "put" | "remove">;
  /** Cases that run at the same time. */
  readonly concurrency: number;
}

/** The operation that a run is executed by. */
export interface RunOptions extends Omit<CaseOptions, "caching"> {
  /** Resource name of the operation that the run is. */
  readonly operation: string;
  /** Whether the run goes on after a failure with this error. */
  readonly isTriedAgain: (error: unknown) => boolean;
}

/** How often a running run stores its progress, in milliseconds. */
const PROGRESS_MS = 500;
/** Milliseconds between two looks at cases that other servers run. */
const OTHERS_MS = 300;

/**
 * Runs the cases of a run that have no result yet, stores each result as soon as it is known, and completes the run. Begun again
 * after a stop, it goes on with what is left (EVAL-16). An abort cancels what is left and rejects. NOT_FOUND when the run, or its app, is
 * deleted meanwhile: no case runs any more then, and nothing is stored (EVAL-92).
 */
export async function executeRun(
  name: string,
  given: RunOptions,
  deps: RunDeps & { readonly sharing: RunSharing },
): Promise<EvaluationRun> {
  const { resources } = deps;
  const deleted = new AbortController();
  const caching = await keptCaching(name, deps);
  const options = { ...given, caching, signal: AbortSignal.any([given.signal, deleted.signal]) };
  const run = clone(EvaluationRunSchema, await resources.run(name));
  const app = name.slice(0, name.indexOf("/evaluationRuns/"));
  run.operation = options.operation;
  const results = new Map((await resources.results(run.evaluationResults)).map((result) => [result.name, result]));
  const execution = new RunExecution(run, results, deps, deleted);
  await execution.start();
  try {
    const evaluated = await resources.read(app);
    if (run.appVersion === "") await execution.beginWithDraft(app);
    const findingsOf = await caseRunner(run, evaluated, options, deps);
    await execution.store();
    const cases = deps.sharing.share(name, caching);
    try {
      await runCases(execution, cases, findingsOf, options.signal, deps);
    } finally {
      await cases.end();
    }
    if (run.optimizationConfig?.generateLossReport) {
      const report = await explainedLosses(execution.results, deps, options.signal);
      Object.assign(run.optimizationConfig, report, { status: OptimizationStatus.COMPLETED });
    }
    await execution.complete();
    await forget(name, deps);
    await annotateAll(run, execution.results, evaluated, resources);
    return run;
  } catch (error) {
    if (!options.signal.aborted && options.isTriedAgain(error)) throw error;
    // The operation logs the error; what is thrown while it is stored would hide it.
    await execution.fail(given.signal.aborted ? undefined : error).catch((fault: unknown) => {
      logFault(fault, deps.logger, "the end of an evaluation run could not be stored", { run: name });
    });
    throw error;
  }
}

/** Runs the cases that are left, and waits for those that other servers run. */
async function runCases(
  execution: RunExecution,
  cases: SharedCases,
  findingsOf: (result: EvaluationResult) => Promise<CaseFindings>,
  signal: AbortSignal,
  { concurrency }: RunDeps,
): Promise<void> {
  for (let left = execution.left(); left.length > 0; left = execution.left()) {
    let claimed = 0;
    await inParallel(left, concurrency, signal, async (result) => {
      const isMine = await cases.claim(result, async (stored) => {
        if (isLeft(stored)) await execution.finish(stored, await findingsOf(stored));
        else execution.know(stored);
      });
      if (isMine) claimed += 1;
    });
    if (claimed === left.length) continue;
    await delay(OTHERS_MS, undefined, { signal });
    await execution.read();
  }
}

/** Forgets what was kept for a run to go on after a stop. */
async function forget(run: string, deps: Pick<RunDeps, "blobs">): Promise<void> {
  await forgetDraft(run, deps);
  await forgetCaching(run, deps);
}

/** The record of a run and its results while it is executed. */
class RunExecution {
  readonly #run: EvaluationRun;
  readonly #results: Map<string, EvaluationResult>;
  readonly #deps: RunDeps;
  readonly #deleted: AbortController;
  #storedAt = 0;
  #change: Partial<Pick<EvaluationResult, "changelog" | "changelogCreateTime">> = {};

  /** `deleted`: aborted once the run is found to be deleted. */
  constructor(run: EvaluationRun, results: Map<string, EvaluationResult>, deps: RunDeps, deleted: AbortController) {
    this.#run = run;
    this.#results = results;
    this.#deps = deps;
    this.#deleted = deleted;
  }

  async start(): Promise<void> {
    this.#run.state = RunState.RUNNING;
    delete this.#run.errorInfo;
    await this.store();
  }

  /** Keeps the draft that is evaluated, and what it was changed by last, before it ran (EVAL-77). */
  async beginWithDraft(app: string): Promise<void> {
    // Before the draft is read: a change in between is one that the next run names.
    const lastChange = await this.#deps.resources.lastChange(app);
    if (!(await keepDraft(this.#run.name, app, this.#deps))) {
      const { name: changelog = "", createTime: changelogCreateTime } = lastChange ?? {};
      Object.assign(this.#run, { changelog, ...definedFields({ changelogCreateTime }) });
    }
    const { changelog, changelogCreateTime } = this.#run;
    this.#change = { changelog, ...definedFields({ changelogCreateTime }) };
  }

  get results(): readonly EvaluationResult[] {
    return [...this.#results.values()];
  }

  /** The results that have no outcome yet. */
  left(): readonly EvaluationResult[] {
    return this.results.filter(isLeft);
  }

  /** Takes a result that another server stored. */
  know(result: EvaluationResult): void {
    this.#results.set(result.name, result);
  }

  /** Reads the results that other servers may have stored meanwhile. */
  async read(): Promise<void> {
    const left = this.left().map(({ name }) => name);
    for (const result of await this.#deps.resources.results(left)) this.know(result);
    await this.store();
  }

  async finish(result: EvaluationResult, findings: CaseFindings): Promise<void> {
    const finished = { ...result, ...findings, ...this.#change };
    this.#results.set(finished.name, finished);
    const now = this.#deps.clock.now();
    if (now - this.#storedAt < PROGRESS_MS) return this.#deps.resources.replace(finished);
    this.#storedAt = now;
    await this.store(finished);
  }

  async complete(): Promise<void> {
    this.#run.state = RunState.COMPLETED;
    this.#report();
    await this.store();
  }

  /** The times that were asked for, of what ran: of a run that was cancelled, too. */
  #report(): void {
    if (this.#run.latencyReport) this.#run.latencyReport = latencyReport(this.results);
  }

  /** `error`: undefined when the run was cancelled. */
  async fail(error: unknown): Promise<void> {
    const executionState = error === undefined ? ExecutionState.CANCELLED : ExecutionState.ERROR;
    const left = this.left().map((result) => ({ ...result, executionState }));
    for (const result of left) this.#results.set(result.name, result);
    this.#run.state = error === undefined ? RunState.CANCELLED : RunState.ERROR;
    this.#report();
    if (error !== undefined) {
      const message = toStatusError(error).rawMessage;
      this.#run.errorInfo = errorInfo({ type: ErrorType.RUNTIME_FAILURE, message, session: "" });
    }
    await this.#store(left);
    // A run that failed can be begun again, and goes on with the same draft then.
    if (error === undefined) await forget(this.#run.name, this.#deps);
  }

  /** Stores the run as it is, with results. NOT_FOUND, and an abort of what still runs, when the run was deleted. */
  async store(...results: readonly EvaluationResult[]): Promise<void> {
    await this.#store(results);
    const { name } = this.#run;
    if (await this.#deps.resources.exists(name)) return;
    const error = notFound(name, resourceTypeOf(EvaluationRunSchema)?.type);
    this.#deleted.abort(error);
    await forget(name, this.#deps);
    throw error;
  }

  async #store(results: readonly EvaluationResult[]): Promise<void> {
    this.#run.progress = progressOf(this.results);
    this.#run.evaluationRunSummaries = summariesOf(this.results);
    await this.#deps.resources.replace(...results, this.#run);
  }
}

/** Sets the aggregated metrics of the evaluations and of the dataset of a run, and the last run of its schedule. One that was deleted meanwhile needs none. */
async function annotateAll(
  { name: lastCompletedRun, evaluations, evaluationDataset, appVersion, scheduledEvaluationRun }: EvaluationRun,
  results: readonly EvaluationResult[],
  evaluated: EvaluatedApp,
  resources: EvaluationResources,
): Promise<void> {
  const byEvaluation = Map.groupBy(results, (result) => evaluationOf(result.name));
  const ran = new Set(evaluations);
  const subjects = [
    ...evaluated.evaluations.filter(({ name }) => ran.has(name)),
    ...evaluated.evaluationDatasets.filter(({ name }) => name === evaluationDataset),
  ];
  for (const { name, aggregatedMetrics } of subjects) {
    const own = name === evaluationDataset ? results : (byEvaluation.get(name) ?? []);
    const metrics = aggregateMetrics(aggregatedMetrics, appVersion, own);
    await resources.annotate(name, { aggregatedMetrics: metrics }).catch(unlessDeleted);
  }
  // Only a schedule of this app, which may have been deleted meanwhile.
  if (!scheduledEvaluationRun.startsWith(`${evaluated.app.name}/`)) return;
  const [scheduled] = await resources.schedules(scheduledEvaluationRun);
  if (scheduled) await resources.annotate(scheduledEvaluationRun, { lastCompletedRun });
}

function unlessDeleted(error: unknown): void {
  if (!(error instanceof ConnectError) || error.code !== Code.NotFound) throw error;
}
