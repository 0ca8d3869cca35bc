import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import {
  ExportAppRequestSchema,
  ExportAppRequest_ExportFormat as Format,
  GenerateAppResourceOperationMetadataSchema as MetadataSchema,
  GenerateAppResourceRequestSchema as RequestSchema,
  GenerateAppResourceResponseSchema as ResponseSchema,
} from "@frontdesk/protos/ces/agent_service";
import { AppSchema } from "@frontdesk/protos/ces/app";
import { FileContextSchema } from "@frontdesk/protos/ces/file_context";
import type { Operation } from "@frontdesk/protos/google/longrunning/operations";
import { unpackToFolder } from "#resources";
import { ConnectError, internal } from "#status";
import { type App, buildApp } from "./build-app.ts";
import type { Config } from "./config.ts";
import { EMPTY_TREE } from "./empty-tree.ts";
import { importedName, temporaryConfig } from "./package-tests/temporary-app.ts";
import { callMethod } from "./package-tests/test-context.ts";
import { assertEmpty } from "./templates.ts";

/** An app to generate into a folder. */
export interface PackageGeneration {
  /** What the app is for. */
  readonly description: string;
  readonly files: readonly { readonly fileName: string; readonly mimeType: string; readonly data: Uint8Array }[];
  /** A new folder, or one with nothing in it. */
  readonly folder: string;
  /** Called with what is being done. */
  readonly onProgress: (message: string) => void;
  readonly signal: AbortSignal;
}

/** Id of the app on its server. */
const APP_ID = "generated";

/** How often the progress is looked at, in milliseconds. */
const LOOK_MS = 500;

/**
 * Has an app generated, with goldens, and writes it into a folder as a package. Returns what is told of it. Rejects with the errors of
 * GenerateAppResource, and with FAILED_PRECONDITION for a folder that is not empty; then nothing is written.
 */
export async function generatePackage(request: PackageGeneration, config: Config): Promise<string> {
  await assertEmpty(request.folder);
  const dataDir = await mkdtemp(join(tmpdir(), "frontdesk-init-"));
  try {
    const app = await buildApp(temporaryConfig(config, dataDir, undefined));
    try {
      return await generate(request, app);
    } finally {
      await app.close(0);
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function generate(generation: PackageGeneration, app: App): Promise<string> {
  const { description: context, files, folder, signal } = generation;
  const name = importedName(APP_ID);
  const { tree, packages } = app.resources;
  await tree.writeTree({ ...EMPTY_TREE, app: create(AppSchema, { name, displayName: "New app" }) });
  const request = create(RequestSchema, {
    parent: name,
    appGenerationConfig: {
      context,
      fileContexts: files.map((file) => create(FileContextSchema, { file: { case: "fileBytes", value: file } })),
      generateEvaluations: true,
    },
  });
  const started = await callMethod<Operation>(GENERATE, request, signal, app);
  const { generatedResource, generateResultInfo } = responseOf(await ended(started, generation, app));
  if (generatedResource.case !== "appResources") throw internal("an app was generated without its resources");
  const { appSnapshot, evaluations } = generatedResource.value;
  const { agents = [], tools = [], app: written } = appSnapshot ?? {};
  if (!written) throw internal("a snapshot was generated without its app");
  await tree.writeTree({ ...EMPTY_TREE, app: written, agents, tools, evaluations });
  const exported = await packages.exportApp(create(ExportAppRequestSchema, { name, exportFormat: Format.JSON }));
  if (exported.app.case === "appContent") await unpackToFolder(exported.app.value, folder);
  return generateResultInfo?.explanation ?? "";
}

const GENERATE = "/google.cloud.ces.v1beta.AgentService/GenerateAppResource";

/** The operation when it has ended; an abort cancels it. */
async function ended(
  { name }: Operation,
  { onProgress, signal }: PackageGeneration,
  { operations }: App,
): Promise<Operation> {
  let shown = "";
  for (;;) {
    const operation = await operations.wait(name, LOOK_MS);
    const message = (operation.metadata && anyUnpack(operation.metadata, MetadataSchema)?.message) ?? "";
    if (message !== shown) onProgress(message);
    shown = message;
    if (operation.done) return operation;
    if (signal.aborted) await operations.cancel(name);
  }
}

function responseOf({ result }: Operation) {
  if (result.case === "error") throw new ConnectError(result.value.message, result.value.code);
  const response = result.case === "response" ? anyUnpack(result.value, ResponseSchema) : undefined;
  if (!response) throw internal("a generation ended without a response");
  return response;
}
