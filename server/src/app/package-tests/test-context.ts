import type { Message } from "@bufbuild/protobuf";
import type { ExecuteToolResponse } from "@frontdesk/protos/ces/tool_service";
import { createEgress, type JsonValue, OPERATOR, systemIds } from "#base";
import {
  appNames,
  type ByteCache,
  createModelJudge,
  createSpokenTurns,
  createTextSimilarity,
  type TestContext,
} from "#evaluation";
import type { EmbeddingModel } from "#models";
import { createCallContext } from "#rpc";
import { internal } from "#status";
import { createTools } from "#tools";
import type { App } from "../build-app.ts";
import type { Config } from "../config.ts";
import { type PythonFileCall, runPythonCode } from "../run-python-file.ts";

/** A server for tests, with what only tests use. */
export interface TestApp {
  readonly app: App;
  readonly config: Config;
  /** Compares texts by meaning; undefined where no embedding model is configured. */
  readonly embeddings: EmbeddingModel | undefined;
}

/** How tests run. */
interface ContextOptions {
  /** Where judgements are kept beyond the server. */
  readonly kept?: ByteCache | undefined;
  /** Default: those of the server. */
  readonly models?: Pick<App["models"], "resolve">;
  /** As of `TestContext`. */
  readonly useToolFakes?: boolean;
  readonly signal: AbortSignal;
}

/** What tests of a stored app run against. */
export async function contextOf(
  name: string,
  { app, config, embeddings }: TestApp,
  { kept, signal, models = app.models, useToolFakes = false }: ContextOptions,
): Promise<TestContext> {
  const { resources, sessions, storage, logger } = app;
  const evaluated = await resources.tree.readTree(name);
  const draft = await resources.snapshots.draft(name);
  const blobs = kept ?? storage.blobs;
  const judge = createModelJudge({ models, model: config.evaluation.judge, blobs, logger });
  return {
    evaluated,
    names: appNames(draft.snapshot),
    snapshot: { ...draft, appVersion: "", deployment: "" },
    useToolFakes,
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
