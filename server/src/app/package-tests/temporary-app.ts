import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import {
  ImportAppRequestSchema,
  ImportAppRequest_ImportOptions_ConflictResolutionStrategy as Strategy,
} from "@frontdesk/protos/ces/agent_service";
import { createEmbeddings } from "#models";
import { failedPrecondition } from "#status";
import { type App, buildApp } from "../build-app.ts";
import type { Config } from "../config.ts";
import type { TestApp } from "./test-context.ts";

/** The zip of an app package. */
export interface AppPackage {
  /** As reports name it. */
  readonly name: string;
  readonly zip: Uint8Array;
  /** Sentences about entries of a folder that are not part of it. */
  readonly warnings: readonly string[];
}

/** A server for tests that listens nowhere. */
export interface TemporaryApp extends TestApp, AsyncDisposable {}

/** Opens such a server in a temporary folder, which is gone when the server is disposed of. `model`: of every agent. */
export async function openTemporaryApp(given: Config, model: string | undefined): Promise<TemporaryApp> {
  await using opened = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), "frontdesk-eval-"));
  opened.defer(() => rm(dataDir, { recursive: true, force: true }));
  const config = temporaryConfig(given, dataDir, model);
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
export function temporaryConfig(config: Config, dataDir: string, model: string | undefined): Config {
  const { bigqueryExport: _rows, cloudLogging: _logs, telemetry: _spans, recordDir: _recordings, ...others } = config;
  const { database: _shared, ...kept } = others;
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
