import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import { ImportAppRequestSchema } from "@frontdesk/protos/ces/agent_service";
import type { ExecuteToolRequest, ExecuteToolResponse } from "@frontdesk/protos/ces/tool_service";
import { createEgress, definedFields, type JsonValue, systemIds } from "#base";
import {
  appNames,
  appTests,
  createModelJudge,
  type GatesFile,
  gatedCase,
  type KeptBytes,
  runSuite,
  type SuiteReport,
  type TestCase,
  type TestContext,
  withDisplayNames,
} from "#evaluation";
import { packFolder } from "#resources";
import { createCallContext } from "#rpc";
import { failedPrecondition, internal } from "#status";
import { createTools } from "#tools";
import { type App, buildApp } from "./build-app.ts";
import type { Config } from "./config.ts";
import { type PythonFileCall, runPythonCode } from "./run-python-file.ts";

/** The zip of an app package. */
export interface AppPackage {
  /** As reports name it. */
  readonly name: string;
  readonly zip: Uint8Array;
  /** Sentences about entries of a folder that are not part of it. */
  readonly warnings: readonly string[];
}

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
  /** The model of every agent. Undefined: those that the app names, by the configuration. */
  readonly model?: string | undefined;
  /** Where answers of models and other servers are kept and found again. Undefined: nowhere. */
  readonly kept?: KeptBytes | undefined;
  readonly signal: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Where the package is imported to. */
export const PARENT = "projects/local/locations/us";
export const APP_ID = "evaluated";

/**
 * Runs the tests of an app package on a server of its own that listens nowhere and keeps nothing (EVAL-32). INVALID_ARGUMENT for a package
 * that cannot be imported, FAILED_PRECONDITION for a model that nobody serves and where there is nothing to run.
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
  const startTime = app.clock.now();
  const start = performance.now();
  const model = resolvedModel(request.model, app);
  const warnings = await importPackage(request.app, APP_ID, app);
  const context = await contextOf(APP_ID, request, config, app);
  const own = selected(request.tests ?? appTests(context.evaluated), request.tags, request.app.name);
  const options = {
    runs: request.runs,
    concurrency: config.evaluation.concurrency,
    today: new Date(startTime).toISOString().slice(0, 10),
    now: () => performance.now(),
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
  return { ...result, subject: request.app.name, model, startTime, durationMs: performance.now() - start, warnings };

  /** Other answers than those of the app itself are kept elsewhere, or not at all. */
  async function runBaseline(id: string, baseline: AppPackage) {
    await importPackage(baseline, id, app);
    const { kept: _kept, ...without } = options;
    const { cases } = await runSuite(tests, await contextOf(id, request, config, app), without);
    return cases.map(gatedCase);
  }
}

async function importPackage({ zip, warnings }: AppPackage, appId: string, app: App): Promise<readonly string[]> {
  const imported = await app.resources.packages.importApp(
    create(ImportAppRequestSchema, { parent: PARENT, appId, app: { case: "appContent", value: zip } }),
  );
  return [...warnings, ...(imported.warnings ?? [])];
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
export async function contextOf(
  id: string,
  request: Pick<PackageEvaluation, "kept" | "signal">,
  config: Config,
  app: App,
): Promise<TestContext> {
  const { resources, sessions, models, storage, logger } = app;
  const name = `${PARENT}/apps/${id}`;
  const evaluated = await resources.tree.readTree(name);
  const draft = await resources.snapshots.draft(name);
  const blobs = request.kept ?? storage.blobs;
  const judge = createModelJudge({ models, model: config.evaluation.judge, blobs, logger });
  return {
    evaluated,
    names: appNames(draft.snapshot),
    snapshot: { ...draft, appVersion: "", deployment: "" },
    deps: {
      sessions,
      judge,
      models,
      userModel: config.evaluation.user,
      ids: systemIds,
      executeTool: (call, signal) => executeTool(call, signal, app),
      runPython: (call) => runPython(call, config, app),
    },
    signal: request.signal,
  };
}

/** Runs code without an app, as `frontdesk python` does. */
async function runPython(
  call: Pick<PythonFileCall, "code" | "filename" | "args">,
  { egressAllow }: Config,
  { sandbox, logger }: App,
): Promise<{ readonly value: JsonValue; readonly problem: string }> {
  const egress = createEgress({ allowedPrivateHosts: egressAllow });
  try {
    const tools = createTools({ sandbox, egress, logger });
    const { outcome } = await runPythonCode({ ...call, context: {} }, sandbox, tools);
    return outcome.kind === "returned"
      ? { value: outcome.value, problem: "" }
      : { value: null, problem: outcome.error };
  } finally {
    await egress.close();
  }
}

/** Calls ExecuteTool as a client does. */
async function executeTool(
  request: ExecuteToolRequest,
  signal: AbortSignal,
  { registry, logger }: App,
): Promise<ExecuteToolResponse> {
  const method = registry.find("/google.cloud.ces.v1beta.ToolService/ExecuteTool");
  if (!method) throw internal("ExecuteTool is not registered.");
  const call = {
    signal,
    revision: "v1beta",
    protocol: "memory",
    headers: new Map(),
    requestId: systemIds.uuid(),
  } as const;
  return (await registry.unary(method, request, createCallContext(call, logger))) as ExecuteToolResponse;
}

/** The tests that a request asks for, of the app of a name. FAILED_PRECONDITION when there are none. */
export function selected(tests: readonly TestCase[], tags: readonly string[], app: string): readonly TestCase[] {
  const isChosen = (test: TestCase) => tags.length === 0 || test.tags.some((tag) => tags.includes(tag));
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
