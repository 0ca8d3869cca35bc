import { type Clock, createEgress, createLogger, type Ids, type Logger, systemClock, systemIds } from "#base";
import { createModels, type Models } from "#models";
import { createOperations, type Operations } from "#operations";
import { createResources, type Resources } from "#resources";
import { createRegistry, type Registry } from "#rpc";
import { createSandbox, type Sandbox } from "#sandbox";
import { createServices } from "#services";
import {
  createBuiltinRedaction,
  createConversations,
  createLiveSessions,
  createRetention,
  createSessionEngine,
  type LiveSessions,
  type Retention,
  type SessionEngine,
} from "#session";
import { openStorage, type Storage } from "#storage";
import { createTools } from "#tools";
import { chatTokenKey } from "./chat-token-key.ts";
import type { Config } from "./config.ts";
import { countModels } from "./metrics/count-models.ts";
import { countRequests } from "./metrics/count-requests.ts";
import { countTools } from "./metrics/count-tools.ts";
import { createMetrics, type Metrics } from "./metrics/metrics.ts";
import { timeTurns } from "./metrics/time-turns.ts";
import { recordedModels, recordedTools } from "./recording/calls.ts";
import { createSessionRecorder } from "./recording/record-sessions.ts";
import type { Telemetry } from "./telemetry/create-telemetry.ts";
import type { TelemetryConfig } from "./telemetry/telemetry-config.ts";
import { VERSION } from "./version.ts";

/** What a test may replace: everything that would make a run differ from the last one. */
export interface Capabilities {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly models: Models;
  readonly sandbox: Sandbox;
}

/** All rooms joined: what protocols serve, and what start and stop need. */
export interface App {
  readonly registry: Registry;
  readonly storage: Storage;
  readonly resources: Resources;
  readonly operations: Operations;
  readonly sessions: SessionEngine;
  readonly live: LiveSessions;
  readonly sandbox: Sandbox;
  readonly models: Models;
  readonly retention: Retention;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Waits for turns and operations in flight (at most `graceMs`), then closes every room. */
  close(graceMs: number): Promise<void>;
}

/** Joins the rooms, in the order of the arrows. Nothing else in the program knows two rooms at once. */
export async function buildApp(config: Config, overrides: Partial<Capabilities> = {}): Promise<App> {
  const clock = overrides.clock ?? systemClock;
  const ids = overrides.ids ?? systemIds;
  const logger = overrides.logger ?? createLogger(config.logLevel);
  const egress = createEgress({ allowedPrivateHosts: config.egressAllow });
  const metrics = createMetrics({ guests: () => sandbox.status().guests });
  const onCommit = (writes: number) => metrics.commitWrites.observe(writes);
  const storage = await openStorage({ dataDir: config.dataDir, clock, logger, onCommit });
  const recorder = config.recordDir ? createSessionRecorder(config.recordDir, clock, logger) : undefined;
  const counted = countModels(overrides.models ?? createModels(config.models, { logger, clock }), metrics, clock);
  const models = recorder ? recordedModels(counted, recorder.scope) : counted;
  const sandbox =
    overrides.sandbox ??
    createSandbox({ dataDir: config.dataDir, cacheDir: config.cacheDir, logger, ...config.sandbox });
  const operations = createOperations({ store: storage.operations, clock, ids, logger });
  const resources = createResources({
    store: storage.resources,
    clock,
    ids,
    inspectPython: (code) => sandbox.inspect(code),
  });
  const ownTools = countTools(createTools({ sandbox, egress, logger }), metrics);
  const tools = recorder ? recordedTools(ownTools, recorder.scope) : ownTools;
  const conversations = createConversations(storage.conversations);
  const redaction = createBuiltinRedaction(config.redaction);
  const telemetry = config.telemetry && (await openTelemetry(config.telemetry, logger));
  const engine = createSessionEngine({
    models,
    sandbox,
    tools,
    storage: storage.conversations,
    clock,
    ids,
    logger,
    redaction,
    ...(telemetry && { observe: telemetry.observe }),
    maxModelCalls: config.maxModelCalls,
  });
  const sessions = timeTurns(recorder?.record(engine) ?? engine, metrics, clock);
  const live = createLiveSessions({
    engine: sessions,
    unprompted: sessions.unprompted,
    logger,
    limits: config.live,
  });
  const retention = createRetention({ ...storage, redaction, clock });
  await operations.recover();
  const methods = createRegistry(
    createServices({
      resources,
      operations,
      sessions,
      live,
      conversations,
      clock,
      tools,
      chatTokenKey: chatTokenKey(config.dataDir),
    }),
    {
      logger,
      clock,
    },
  );
  return {
    // Around everything else, so that what is counted is what callers got.
    registry: { ...methods, ...countRequests(metrics)(methods) },
    storage,
    resources,
    operations,
    sessions,
    live,
    sandbox,
    models,
    retention,
    metrics,
    clock,
    logger,
    close: async (graceMs) => {
      await Promise.all([within(graceMs, sessions.drained()), operations.drain(graceMs)]);
      await Promise.all([sandbox.close(), models.close(), egress.close(), telemetry?.close(), recorder?.close()]);
      await storage.close();
    },
  };
}

/** Loaded only where it is configured. */
async function openTelemetry(config: TelemetryConfig, logger: Logger): Promise<Telemetry> {
  const { createTelemetry } = await import("./telemetry/create-telemetry.ts");
  return createTelemetry(config, { version: VERSION, logger });
}

async function within(milliseconds: number, work: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([work, promise]);
  clearTimeout(timer);
}
