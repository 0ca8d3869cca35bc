import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger, type Logger, systemClock, systemIds } from "#base";
import { createSandbox, type Sandbox } from "#sandbox";
import { createSessionEngine, type SessionEngine, type SessionEngineDeps } from "#session";
import { openStorage, type Storage } from "#storage";
import { createTools, type Tools } from "#tools";
import type { Config } from "../config.ts";

/** What of the configuration an engine without a server uses. */
export type OfflineConfig = Pick<Config, "cacheDir" | "sandbox" | "maxModelCalls">;

/** What stands in the place of the world outside. */
export interface Outside {
  readonly models: SessionEngineDeps["models"];
  readonly dialogflow: NonNullable<SessionEngineDeps["dialogflow"]>;
  /** Takes the app's own tools, which answer declarations and fakes. */
  readonly tools: (tools: Tools) => Tools;
  /** What the engine takes for now, milliseconds. */
  readonly now: () => number;
}

export interface OfflineEngine extends AsyncDisposable {
  readonly engine: SessionEngine;
  readonly storage: Storage;
  readonly sandbox: Sandbox;
  readonly logger: Logger;
}

/** An engine with a store of its own and no network, which goes when it is disposed of. */
export async function openOfflineEngine(outside: Outside, config: OfflineConfig): Promise<OfflineEngine> {
  const dataDir = await mkdtemp(join(tmpdir(), "frontdesk-offline-"));
  const logger = createLogger("silent");
  const storage = await openStorage({ dataDir, clock: systemClock, logger });
  const sandbox = createSandbox({ dataDir, cacheDir: config.cacheDir, logger, ...config.sandbox });
  const { models, dialogflow, now } = outside;
  const engine = createSessionEngine({
    models,
    dialogflow,
    sandbox,
    tools: outside.tools(createTools({ sandbox, egress: NO_NETWORK, logger })),
    storage: storage.conversations,
    clock: { now },
    ids: systemIds,
    logger,
    maxModelCalls: config.maxModelCalls,
  });
  return {
    engine,
    storage,
    sandbox,
    logger,
    async [Symbol.asyncDispose]() {
      await sandbox.close();
      await storage.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const NO_NETWORK = { fetch: () => Promise.reject(new Error("there is no network here")) };
