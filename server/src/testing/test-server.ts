import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, readConfig, type Server, startServer } from "#app";
import { type Clock, definedFields, type Logger } from "#base";
import type { LanguageModel, Models } from "#models";
import { TEST_CACHE, testSandbox } from "./engine/index.ts";
import { placeSample } from "./shared-sample.ts";

/** Long enough that a busy machine does not change which operations are done at once. */
const QUICK_OPERATION_MS = 1_000;

/** The same for turns that another server takes. */
const TURN_TAKEN_MS = 20_000;

/** A complete server on a free port with a temporary data folder; disposing it stops the server and deletes the folder. */
export interface TestServer extends Server, AsyncDisposable {
  readonly dataDir: string;
}

export interface TestServerOptions {
  /** The model of every agent. Default: the built-in one. */
  readonly model?: LanguageModel;
  /** Whether the example app is imported. Default false. */
  readonly example?: boolean;
  readonly config?: Partial<Config>;
  /** The server's clock. Default: the machine's. */
  readonly clock?: Clock;
  /** Where the server logs. Default: nowhere. */
  readonly logger?: Logger;
  /** Keep this data folder (a restart) instead of a new one. */
  readonly dataDir?: string;
}

/** Starts a server as `frontdesk start` does, real sandbox and real database included. */
export async function startTestServer({
  model,
  example = false,
  config,
  dataDir,
  clock,
  logger,
}: TestServerOptions = {}): Promise<TestServer> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), "frontdesk-test-")));
  const base = readConfig(["--port", "0", "--data", folder, "--log", "silent"], {
    FRONTDESK_CACHE: TEST_CACHE,
  });
  if (example && !dataDir) await placeSample(folder);
  // What is set of the sandbox, or read in its log lines, is one of its own.
  const sandbox = config?.sandbox || config?.cacheDir || logger ? undefined : testSandbox();
  const server = await startServer(
    { ...base, example, drainMs: 2_000, ...config },
    {
      ...(model && { models: modelsOf(model) }),
      ...definedFields({ clock, logger, sandbox }),
      quickOperationMs: QUICK_OPERATION_MS,
      turnTakenMs: TURN_TAKEN_MS,
    },
  ).catch(async (error: unknown) => {
    await sandbox?.close();
    throw error;
  });
  return {
    ...server,
    dataDir: folder,
    async [Symbol.asyncDispose]() {
      await server.stop();
      if (!dataDir) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Resolves every name to one model. */
export function modelsOf(model: LanguageModel): Models {
  return {
    resolve: () => model,
    status: () => ({ defaultModel: model.label, providers: [] }),
    close: async () => {},
  };
}
