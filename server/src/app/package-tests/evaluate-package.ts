import { definedFields } from "#base";
import {
  appTests,
  type BudgetLimits,
  type ByteCache,
  type GatesFile,
  gatedCase,
  runSuite,
  type SuiteReport,
  type TestCase,
  waitForModels,
  withDisplayNames,
} from "#evaluation";
import { failedPrecondition } from "#status";
import type { Config } from "../config.ts";
import { createBudget } from "./create-budget.ts";
import { importForTests } from "./import-for-tests.ts";
import { type AppPackage, importedName, openTemporaryApp, resolvedModel, type TemporaryApp } from "./temporary-app.ts";
import { contextOf } from "./test-context.ts";

/** An app package, and the tests that it is run against. */
export interface PackageEvaluation {
  readonly app: AppPackage;
  /** Other versions that the same tests run against, by the name that gates give them. */
  readonly baselines: ReadonlyMap<string, AppPackage>;
  /** Tests of files. Undefined: the evaluations of the package. */
  readonly tests: readonly TestCase[] | undefined;
  /** Only tests with one of these tags. Empty: all. */
  readonly tags: readonly string[];
  /** How often each test runs. */
  readonly runs: number;
  readonly gates?: GatesFile | undefined;
  /** What the run may use, beside the budget of the gates file. */
  readonly budget?: BudgetLimits | undefined;
  /** The model of every agent. Undefined: those that the app names, by the configuration. */
  readonly model?: string | undefined;
  /** Where answers of models and other servers are kept and found again. Undefined: nowhere. */
  readonly kept?: ByteCache | undefined;
  /** Whether tools that have a fake answer by it. Default: as cases and the app's evaluation settings say. */
  readonly useToolFakes?: boolean;
  /** Interrupts the run: what has no verdict by then is not measured. */
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Id of the tested app on its server. */
const APP_ID = "evaluated";

/**
 * Runs the tests of an app package on a server of its own that listens nowhere and keeps nothing (EVAL-32). FAILED_PRECONDITION for an
 * app that cannot be imported, for a model that nobody serves and where there is nothing to run.
 */
export async function evaluatePackage(request: PackageEvaluation, config: Config): Promise<SuiteReport> {
  await using opened = await openTemporaryApp(config, request.model);
  return await evaluate(request, opened);
}

async function evaluate(request: PackageEvaluation, opened: TemporaryApp): Promise<SuiteReport> {
  const { app, config } = opened;
  const startTime = app.clock.now();
  const start = performance.now();
  const model = resolvedModel(request.model, app);
  const { warnings, unreadable } = await importForTests(request.app, APP_ID, app);
  const budget = createBudget({ ...request.gates?.budget, ...definedFields({ ...request.budget }) }, config);
  const testing = {
    ...request,
    signal: new AbortController().signal,
    models: waitForModels(budget.models(app.models), app),
  };
  const context = await contextOf(importedName(APP_ID), opened, testing);
  const all = request.tests ?? [...appTests(context.evaluated), ...unreadable];
  const own = selected(all, request.tags, request.app.name);
  const options = {
    runs: request.runs,
    concurrency: config.evaluation.concurrency,
    today: new Date(startTime).toISOString().slice(0, 10),
    now: () => performance.now(),
    budget,
    interrupted: request.signal,
    ...definedFields({ kept: request.kept, onProgress: request.onProgress }),
  };
  const portable = request.tests ? own : appTests(withDisplayNames(context.evaluated, context.snapshot.snapshot));
  const names = new Set(own.map(({ name }) => name));
  const tests = portable.filter(({ name }) => names.has(name));
  const baselines = new Map<string, Awaited<ReturnType<typeof runBaseline>>>();
  for (const [name, baseline] of request.baselines) {
    baselines.set(name, await runBaseline(`baseline-${baselines.size + 1}`, baseline));
  }
  const result = await runSuite(own, context, { ...options, gates: request.gates, baselines });
  const durationMs = performance.now() - start;
  return { ...result, subject: request.app.name, model, startTime, durationMs, used: budget.used, warnings };

  /** Other answers than those of the app itself are kept elsewhere, or not at all. */
  async function runBaseline(id: string, baseline: AppPackage) {
    await importForTests(baseline, id, app);
    const { kept: _kept, ...without } = options;
    const { cases } = await runSuite(tests, await contextOf(importedName(id), opened, testing), without);
    return cases.map(gatedCase);
  }
}

/** The tests that a request asks for, of the app of a name. FAILED_PRECONDITION when there are none. */
export function selected<Test extends Pick<TestCase, "kind" | "tags">>(
  tests: readonly Test[],
  tags: readonly string[],
  app: string,
): readonly Test[] {
  const isChosen = (test: Test) => tags.length === 0 || test.tags.some((tag) => tags.includes(tag));
  // What cannot be read has no tags, and is said whatever was chosen.
  const chosen = tests.filter((test) => test.kind === "unreadable" || isChosen(test));
  if (chosen.length > 0) return chosen;
  const known = [...new Set(tests.flatMap((test) => test.tags))].sort().join(", ") || "none";
  throw failedPrecondition(
    tests.length === 0
      ? `${app} has no evaluations. Add some to the app, or name test files.`
      : `No test has a tag of ${tags.join(", ")}; the tags are ${known}.`,
  );
}
