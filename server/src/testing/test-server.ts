import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Config, readConfig, type Server, startServer } from "#app";
import type { Clock } from "#base";
import type { LanguageModel, Models } from "#models";

/** The Python image is built once for all tests of a checkout. */
const CACHE = join(import.meta.dirname, "..", "..", "..", "node_modules", ".cache", "frontdesk");

/** So that what a client sees done at once does not depend on how busy the machine is. */
const QUICK_OPERATION_MS = 1_000;

/** A whole server on a free port with a data folder of its own; both go when it is disposed of. */
export interface TestServer extends Server, AsyncDisposable {
  readonly dataDir: string;
}

export interface TestServerOptions {
  /** The model that every agent talks to. Default: the built-in one. */
  readonly model?: LanguageModel;
  /** Whether the shipped example is imported. Default false. */
  readonly example?: boolean;
  readonly config?: Partial<Config>;
  /** What the server takes for the time. Default the machine's. */
  readonly clock?: Clock;
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
}: TestServerOptions = {}): Promise<TestServer> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), "frontdesk-test-")));
  const base = readConfig(["--port", "0", "--data", folder, "--log", "silent"], {
    FRONTDESK_CACHE: CACHE,
  });
  const server = await startServer(
    { ...base, example, drainMs: 2_000, ...config },
    { ...(model && { models: modelsOf(model) }), ...(clock && { clock }), quickOperationMs: QUICK_OPERATION_MS },
  );
  return {
    ...server,
    dataDir: folder,
    async [Symbol.asyncDispose]() {
      await server.stop();
      if (!dataDir) await rm(folder, { recursive: true, force: true });
    },
  };
}

/** One model under every name. */
export function modelsOf(model: LanguageModel): Models {
  return {
    resolve: () => model,
    status: () => ({ defaultModel: model.label, providers: [] }),
    close: async () => {},
  };
}
