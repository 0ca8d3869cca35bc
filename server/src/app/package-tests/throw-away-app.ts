import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create, type Message } from "@bufbuild/protobuf";
import {
  ImportAppRequestSchema,
  ImportAppRequest_ImportOptions_ConflictResolutionStrategy as Strategy,
} from "@frontdesk/protos/ces/agent_service";
import type { ExecuteToolResponse } from "@frontdesk/protos/ces/tool_service";
import { createEgress, type JsonValue, OPERATOR, systemIds } from "#base";
import {
  appNames,
  createModelJudge,
  createSpokenTurns,
  createTextSimilarity,
  type KeptBytes,
  type TestContext,
} from "#evaluation";
import { createEmbeddings, type EmbeddingModel } from "#models";
import { createCallContext } from "#rpc";
import { failedPrecondition, internal } from "#status";
import { createTools } from "#tools";
import { type App, buildApp } from "../build-app.ts";
import type { Config } from "../config.ts";
import { type PythonFileCall, runPythonCode } from "../run-python-file.ts";

/** The zip of an app package. */
export interface AppPackage {
  /** As reports name it. */
  readonly name: string;
  readonly zip: Uint8Array;
  /** Sentences about entries of a folder that are not part of it. */
  readonly warnings: readonly string[];
}

/** A server for tests that listens nowhere, with what only tests use. */
export interface ThrowAwayApp extends AsyncDisposable {
  readonly app: App;
  readonly config: Config;
  /** Compares texts by meaning; undefined where no embedding model is configured. */
  readonly embeddings: EmbeddingModel | undefined;
}

/** Opens such a server in a temporary folder, which is gone when the server is disposed of. `model`: of every agent. */
export async function openThrowAwayApp(given: Config, model: string | undefined): Promise<ThrowAwayApp> {
  await using opened = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), "frontdesk-eval-"));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const config = throwAway(given, dataDir, model);
  const app = await buildApp(config);
  opened.defer(() => app.close(0));
  const { embeddings: name } = config.search;
  const embeddings = name === "" ? undefined : createEmbeddings(name, config.models, app);
  opened.defer(async () => embeddings?.close());
  const owned = opened.move();
  return { app, config, embeddings, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const PARENT = "projects/local/locations/us";

/** The configuration of a server that keeps nothing, exports nothing and logs faults only. */
export function throwAway(config: Config, dataDir: string, model: string | undefined): Config {
  const { bigqueryExport: _rows, cloudLogging: _logs, telemetry: _spans, recordDir: _recordings, ...kept } = config;
  const { judge, user } = config.evaluation;
  const own = Object.fromEntries([judge, user].filter((name) => name !== "").map((name) => [name, name]));
  const models = model === undefined ? kept.models : { ...kept.models, aliases: { ...own, "*": model } };
  return { ...kept, dataDir, models, logLevel: "error", example: false };
}

/** Imports a package, in place of the app of this id if there is one. Returns its warnings. */
export async function importPackage(
  { zip, warnings }: AppPackage,
  appId: string,
  { resources }: App,
): Promise<readonly string[]> {
  const request = create(ImportAppRequestSchema, {
    parent: PARENT,
    appId,
    app: { case: "appContent", value: zip },
    importOptions: { conflictResolutionStrategy: Strategy.OVERWRITE },
  });
  const imported = await resources.packages.importApp(request);
  return [...warnings, ...(imported.warnings ?? [])];
}

/** The label of the model that answers. Without providers a local model answers to every name, which is not what was asked for. */
export function resolvedModel(wanted: string | undefined, { models }: App): string {
  if (wanted === undefined) return models.status().defaultModel;
  const { label } = models.resolve(wanted);
  if (models.status().providers.length === 0 && label !== wanted)
    throw failedPrecondition(`No provider is configured for the model '${wanted}'. Set its key, or use '${label}'.`);
  return label;
}

/** Resource name of an app that `importPackage` imported. */
export function importedName(appId: string): string {
  return `${PARENT}/apps/${appId}`;
}

/** What tests of a stored app run against. `kept`: where judgements are kept beyond the server. */
export async function contextOf(
  name: string,
  { kept, signal }: { readonly kept?: KeptBytes | undefined; readonly signal: AbortSignal },
  { app, config, embeddings }: Omit<ThrowAwayApp, typeof Symbol.asyncDispose>,
): Promise<TestContext> {
  const { resources, sessions, models, storage, logger } = app;
  const evaluated = await resources.tree.readTree(name);
  const draft = await resources.snapshots.draft(name);
  const blobs = kept ?? storage.blobs;
  const judge = createModelJudge({ models, model: config.evaluation.judge, blobs, logger });
  return {
    evaluated,
    names: appNames(draft.snapshot),
    snapshot: { ...draft, appVersion: "", deployment: "" },
    deps: {
      sessions,
      judge,
      similarity: embeddings && createTextSimilarity(embeddings, blobs),
      spokenTurns: createSpokenTurns(app),
      models,
      logger,
      userModel: config.evaluation.user,
      ids: systemIds,
      executeTool: (call, signal) => callMethod<ExecuteToolResponse>(EXECUTE_TOOL, call, signal, app),
      runPython: (call) => runPython(call, config, app),
    },
    signal,
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

/** Calls a method as a client does, by its path. */
export async function callMethod<Response extends Message>(
  path: string,
  request: Message,
  signal: AbortSignal,
  { registry, logger }: App,
): Promise<Response> {
  const method = registry.find(path);
  if (!method) throw internal(`${path} is not registered.`);
  const call = {
    signal,
    revision: "v1beta",
    protocol: "memory",
    headers: new Map(),
    requestId: systemIds.uuid(),
    caller: OPERATOR,
  } as const;
  return (await registry.unary(method, request, createCallContext(call, logger))) as Response;
}

const EXECUTE_TOOL = "/google.cloud.ces.v1beta.ToolService/ExecuteTool";
