import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createLogger, type Logger, systemClock, systemIds } from "#base";
import { createSandbox, type Sandbox } from "#sandbox";
import { createSessionEngine, type SessionEngine, type SessionEngineDeps } from "#session";
import { openStorage, type Storage } from "#storage";
import { createTools, type Tools } from "#tools";
import type { Config } from "../config.ts";

/** The settings that apply to an engine without a server. */
export type OfflineConfig = Pick<Config, "cacheDir" | "sandbox" | "maxModelCalls">;

/** Replacements of models, tools and Dialogflow. */
export interface RecordedServices {
  readonly models: SessionEngineDeps["models"];
  readonly dialogflow: NonNullable<SessionEngineDeps["dialogflow"]>;
  /** Wraps the app's own tools, which provide declarations and fakes. */
  readonly tools: (tools: Tools) => Tools;
  /** The engine's current time, milliseconds. */
  readonly now: () => number;
}

interface OfflineEngine extends AsyncDisposable {
  readonly engine: SessionEngine;
  readonly storage: Storage;
  readonly sandbox: Sandbox;
  readonly logger: Logger;
}

/** An engine with a temporary store and no network; disposing it deletes the store. */
export async function openOfflineEngine(services: RecordedServices, config: OfflineConfig): Promise<OfflineEngine> {
  const dataDir = await mkdtemp(join(tmpdir(), "frontdesk-offline-"));
  const logger = createLogger("silent");
  const storage = await openStorage({ dataDir, clock: systemClock, logger });
  // One conversation at a time: more guests would be started and never used.
  const { cacheDir } = config;
  const sandbox = createSandbox({ dataDir, cacheDir, logger, ...config.sandbox, maxGuests: 1 });
  const { models, dialogflow, now } = services;
  const engine = createSessionEngine({
    models,
    dialogflow,
    sandbox,
    tools: services.tools(createTools({ sandbox, egress: NO_NETWORK, logger })),
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

const NO_NETWORK = { fetch: () => Promise.reject(new Error("replays have no network")) };
