import { stat } from "node:fs/promises";
import { type Evaluation, EvaluationSchema } from "@frontdesk/protos/ces/evaluation";
import { ifThere } from "#base";
import {
  allOf,
  appTests,
  changedNames,
  changesBetween,
  isTouched,
  runSuite,
  type SuiteReport,
  type TestCase,
  type TestContext,
  type TestedCase,
  usedResources,
} from "#evaluation";
import { packFolder } from "#resources";
import { ConnectError, failedPrecondition } from "#status";
import type { Config } from "../config.ts";
import { createBudget } from "./create-budget.ts";
import { type PackageEvaluation, selected } from "./evaluate-package.ts";
import { unreadableText, watchFolder } from "./folder-changes.ts";
import { importForTests } from "./import-for-tests.ts";
import { importedName, openTemporaryApp, resolvedModel, type TemporaryApp } from "./temporary-app.ts";
import { contextOf } from "./test-context.ts";

/** Id of the tested app on its server. */
const APP_ID = "watched";

/** A package that is tested while it is edited. */
interface PackageWatch extends Pick<PackageEvaluation, "tests" | "tags" | "model" | "signal"> {
  /** Folder of the package. */
  readonly source: string;
  /** Called after each run, with all cases: those that ran, and the last outcome of the others. */
  readonly onReport: (report: SuiteReport, ran: number) => void;
  /** Called with one sentence or more when the package, as it is now, cannot be imported. */
  readonly onProblem: (problem: string) => void;
}

/**
 * Runs the tests of a package folder, and with each change those that used what changed (EVAL-61). Resolves when the signal aborts.
 * Rejects like `evaluatePackage` when there is nothing to run at first, and with FAILED_PRECONDITION for what is no folder.
 */
export async function watchPackage(request: PackageWatch, config: Config): Promise<void> {
  const found = await ifThere(stat(request.source));
  if (!found?.isDirectory()) throw failedPrecondition(`${request.source} is not a folder.`);
  await using opened = await openTemporaryApp(config, request.model);
  try {
    const watched = new WatchedPackage(request, opened);
    const changes = await watchFolder(request.source, request.signal);
    do await watched.run();
    while (await changes.next());
  } catch (error) {
    if (!request.signal.aborted) throw error;
  }
}

/** The package as it was imported last, with the outcome of each test and the resources that it used. */
class WatchedPackage {
  readonly #request: PackageWatch;
  readonly #opened: TemporaryApp;
  readonly #outcomes = new Map<string, { readonly tested: TestedCase; readonly used: ReadonlySet<string> }>();
  #before: TestContext | undefined;

  constructor(request: PackageWatch, opened: TemporaryApp) {
    this.#request = request;
    this.#opened = opened;
  }

  async run(): Promise<void> {
    try {
      await this.#runTouched();
    } catch (error) {
      const isFirst = this.#before === undefined;
      const isRefused = error instanceof ConnectError;
      const problem = isRefused ? error.rawMessage : unreadableText(this.#request.source, error);
      if (isFirst || this.#request.signal.aborted || problem === undefined) throw error;
      this.#request.onProblem(problem);
    }
  }

  async #runTouched(): Promise<void> {
    const { source, tests: given, tags, signal, onReport, model } = this.#request;
    const { app: server, config } = this.#opened;
    const resolved = resolvedModel(model, server);
    const startTime = server.clock.now();
    const start = performance.now();
    const app = { name: source, ...(await packFolder(source, startTime)) };
    const { warnings, unreadable } = await importForTests(app, APP_ID, server);
    const budget = createBudget({}, config);
    const context = await contextOf(importedName(APP_ID), this.#opened, {
      signal,
      models: budget.models(server.models),
    });
    const tests = selected(given ?? [...appTests(context.evaluated), ...unreadable], tags, source);
    const touched = this.#touched(tests, context);
    const used = new Map<string, Set<string>>();
    const result = await runSuite(
      touched.map((test) => recordingUse(test, used)),
      context,
      {
        runs: 1,
        concurrency: config.evaluation.concurrency,
        today: new Date(startTime).toISOString().slice(0, 10),
        now: () => performance.now(),
      },
    );
    for (const tested of result.cases)
      this.#outcomes.set(tested.test.name, { tested, used: used.get(tested.test.name) ?? new Set() });
    this.#before = context;
    const cases = tests.flatMap(({ name }) => this.#outcomes.get(name)?.tested ?? []);
    const durationMs = performance.now() - start;
    const report = {
      ...result,
      cases,
      verdict: allOf(cases.map(({ verdict }) => verdict)),
      subject: source,
      model: resolved,
      startTime,
      durationMs,
      used: budget.used,
      warnings,
    };
    onReport(report, touched.length);
  }

  /** The tests that may come out differently: all at first. */
  #touched(tests: readonly TestCase[], { evaluated, snapshot }: TestContext): readonly TestCase[] {
    const before = this.#before;
    if (!before) return tests;
    const changes = changesBetween(before.snapshot.snapshot, snapshot.snapshot);
    const edited = new Set(changedNames(EvaluationSchema, before.evaluated.evaluations, evaluated.evaluations));
    const editedNames = new Set(
      evaluated.evaluations.filter(({ name }: Evaluation) => edited.has(name)).map(({ displayName }) => displayName),
    );
    return tests.filter(({ name }) => {
      const outcome = this.#outcomes.get(name);
      // A test without turns, such as one of a tool, notes no use.
      return !outcome || outcome.used.size === 0 || editedNames.has(name) || isTouched(outcome.used, changes);
    });
  }
}

/** A test that notes the resources that its turns use. */
function recordingUse(test: TestCase, all: Map<string, Set<string>>): TestCase {
  return {
    ...test,
    run: (context) => {
      const used = new Set<string>();
      all.set(test.name, used);
      const { snapshot } = context.snapshot;
      const { sessions } = context.deps;
      const recording: TestContext["deps"]["sessions"] = {
        async *runTurn(request) {
          for await (const event of sessions.runTurn(request)) {
            if (event.kind === "turn-completed")
              for (const name of usedResources(event.messages, event.rootSpan, snapshot)) used.add(name);
            yield event;
          }
        },
      };
      return test.run({ ...context, deps: { ...context.deps, sessions: recording } });
    },
  };
}
