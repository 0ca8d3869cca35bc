import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import { ImportAppRequestSchema } from "@frontdesk/protos/ces/agent_service";
import { systemIds } from "#base";
import {
  appNames,
  appTests,
  createModelJudge,
  type GatesFile,
  runSuite,
  type SuiteReport,
  type TestCase,
  type TestContext,
} from "#evaluation";
import { packFolder } from "#resources";
import { failedPrecondition } from "#status";
import { type App, buildApp } from "./build-app.ts";
import type { Config } from "./config.ts";

/** An app package, and the tests that it is run against. */
export interface PackageEvaluation {
  /** Folder or zip of the package. */
  readonly source: string;
  /** Tests of files. Undefined: the evaluations of the package. */
  readonly tests: readonly TestCase[] | undefined;
  /** Only tests with one of these tags. Empty: all. */
  readonly tags: readonly string[];
  /** How often each test runs. */
  readonly runs: number;
  readonly gates?: GatesFile | undefined;
  /** The model of every agent. Undefined: those that the app names, by the configuration. */
  readonly model?: string | undefined;
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Where the package is imported to. */
export const PARENT = "projects/local/locations/us";
export const APP_ID = "evaluated";

/**
 * Runs the tests of an app package on a server of its own that listens nowhere and keeps nothing (EVAL-32). INVALID_ARGUMENT for a package
 * that cannot be imported, FAILED_PRECONDITION for one that does not exist, for a model that nobody serves and where there is nothing to run.
 */
export async function evaluatePackage(request: PackageEvaluation, config: Config): Promise<SuiteReport> {
  const dataDir = await mkdtemp(join(tmpdir(), "frontdesk-eval-"));
  try {
    const app = await buildApp(throwAway(config, dataDir, request.model));
    try {
      return await evaluate(request, config, app);
    } finally {
      await app.close(0);
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function evaluate(request: PackageEvaluation, config: Config, app: App): Promise<SuiteReport> {
  const { clock } = app;
  const startTime = clock.now();
  const start = performance.now();
  const model = resolvedModel(request.model, app);
  const { zip, warnings } = await packageBytes(request.source, startTime);
  const imported = await app.resources.packages.importApp(
    create(ImportAppRequestSchema, { parent: PARENT, appId: APP_ID, app: { case: "appContent", value: zip } }),
  );
  const context = await contextOf(`${PARENT}/apps/${APP_ID}`, config, app, request.signal);
  const tests = selected(request.tests ?? appTests(context.evaluated), request);
  const result = await runSuite(tests, context, {
    runs: request.runs,
    concurrency: config.evaluation.concurrency,
    gates: request.gates,
    today: new Date(startTime).toISOString().slice(0, 10),
    now: () => performance.now(),
    ...(request.onProgress && { onProgress: request.onProgress }),
  });
  return {
    ...result,
    subject: request.source,
    model,
    startTime,
    durationMs: performance.now() - start,
    warnings: [...warnings, ...(imported.warnings ?? [])],
  };
}

/** Keeps nothing, exports nothing, says nothing. */
export function throwAway(config: Config, dataDir: string, model: string | undefined): Config {
  const { bigqueryExport: _rows, cloudLogging: _logs, telemetry: _spans, recordDir: _recordings, ...kept } = config;
  const { judge, user } = config.evaluation;
  const own = Object.fromEntries([judge, user].filter((name) => name !== "").map((name) => [name, name]));
  const models = model === undefined ? kept.models : { ...kept.models, aliases: { ...own, "*": model } };
  return { ...kept, dataDir, models, logLevel: "silent", example: false };
}

/** The label of the model that answers. Without providers a local model answers to every name, which is not what was asked for. */
export function resolvedModel(wanted: string | undefined, { models }: App): string {
  if (wanted === undefined) return models.status().defaultModel;
  const { label } = models.resolve(wanted);
  if (models.status().providers.length === 0 && label !== wanted)
    throw failedPrecondition(`No provider is configured for the model '${wanted}'. Set its key, or use '${label}'.`);
  return label;
}

/** The package of a folder, or a zip as it is. FAILED_PRECONDITION when there is none. */
export async function packageBytes(source: string, time: number) {
  const found = await stat(source).catch(() => undefined);
  if (!found) throw failedPrecondition(`${source} does not exist.`);
  return found.isDirectory() ? packFolder(source, time) : { zip: await readFile(source), warnings: [] };
}

/** What tests of an imported app run against. */
export async function contextOf(name: string, config: Config, app: App, signal: AbortSignal): Promise<TestContext> {
  const { resources, sessions, models, storage, logger } = app;
  const evaluated = await resources.tree.readTree(name);
  const draft = await resources.snapshots.draft(name);
  const judge = createModelJudge({ models, model: config.evaluation.judge, blobs: storage.blobs, logger });
  return {
    evaluated,
    names: appNames(draft.snapshot),
    snapshot: { ...draft, appVersion: "", deployment: "" },
    deps: { sessions, judge, models, userModel: config.evaluation.user, ids: systemIds },
    signal,
  };
}

/** The tests that a request asks for. FAILED_PRECONDITION when there are none. */
export function selected(tests: readonly TestCase[], { tags, source }: PackageEvaluation): readonly TestCase[] {
  const isChosen = (test: TestCase) => tags.length === 0 || test.tags.some((tag) => tags.includes(tag));
  // What cannot be read has no tags, and is said whatever was chosen.
  const chosen = tests.filter((test) => test.kind === "unreadable" || isChosen(test));
  if (chosen.length > 0) return chosen;
  const known = [...new Set(tests.flatMap((test) => test.tags))].sort().join(", ") || "none";
  throw failedPrecondition(
    tests.length === 0
      ? `${source} has no evaluations. Add some to the app, or name test files.`
      : `No test has a tag of ${tags.join(", ")}; the tags are ${known}.`,
  );
}
