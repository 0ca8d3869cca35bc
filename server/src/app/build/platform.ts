import { openPolicyBook, type PolicyBook } from "#access";
import {
  CLOUD_STORAGE_URL,
  type Clock,
  createEgress,
  createLogger,
  type Egress,
  type Ids,
  type Logger,
  type ObjectStorage,
  type Sealer,
  systemClock,
  systemIds,
} from "#base";
import { createCloudStorage } from "#google";
import { createModels, type Models } from "#models";
import { createBuiltinModel } from "#offline";
import { createSandbox, type Sandbox } from "#sandbox";
import { openStorage, type Storage } from "#storage";
import { serverBindings } from "../config/access-section.ts";
import { storagePlace } from "../config/database-section.ts";
import type { Config } from "../config.ts";
import { openSealer } from "../keys/sealing-keys.ts";
import { countModels } from "../metrics/count-models.ts";
import { createMetrics, type Metrics } from "../metrics/metrics.ts";
import { createReadiness, type Readiness } from "../readiness.ts";
import { recordedModels } from "../recording/calls.ts";
import { createSessionRecorder, type SessionRecorder } from "../recording/record-sessions.ts";
import { type ClockWatch, createClockWatch } from "./clock-watch.ts";
import { keepPythonFindings } from "./python-findings.ts";

/** What a test may replace: everything that would make two runs differ. */
export interface AppOverrides {
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly models: Models;
  readonly sandbox: Sandbox;
  /** The egress gate of tools and callbacks. */
  readonly egress: Egress;
  /** How long a call waits for the operation that it starts. See `OperationsDeps`. */
  readonly quickOperationMs: number;
  /** How long another server has to take a turn. See `createTurnClient`. */
  readonly turnTakenMs: number;
}

/** What the other parts of a server are built on. */
export interface Platform {
  readonly config: Config;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly egress: Egress;
  /** Ports at which this server listens: whoever opens one adds it. */
  readonly ownPorts: Set<number>;
  /** Files at `gs://` addresses. */
  readonly objects: ObjectStorage;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly storage: Storage;
  readonly clockWatch: ClockWatch;
  /** All policies; `storage.resources` keeps it up to date. */
  readonly policyBook: PolicyBook;
  readonly models: Models;
  readonly sandbox: Sandbox;
  /** Seals secrets that are stored. */
  readonly sealer: Sealer;
  /** Present when the operator records sessions. */
  readonly recorder: SessionRecorder | undefined;
}

/** Opens the data folder, and creates models and sandbox. */
export async function openPlatform(config: Config, overrides: Partial<AppOverrides>): Promise<Platform> {
  const clock = overrides.clock ?? systemClock;
  const ids = overrides.ids ?? systemIds;
  // Where several servers share a database, what each says names it.
  const replica = config.database?.replica === undefined ? undefined : { replica: config.database.replica };
  const logger = overrides.logger ?? createLogger(config.logLevel, config.logFormat, replica ?? null);
  const { dataDir, cacheDir } = config;
  const ownPorts = new Set<number>();
  const egress = overrides.egress ?? createEgress({ allowedPrivateHosts: config.egressAllow, ownPorts });
  const url = config.voice.storageUrl ?? CLOUD_STORAGE_URL;
  const objects = createCloudStorage({ egress, url, access: config.cloudStorage });
  const readiness = createReadiness();
  const metrics = createMetrics({
    isReady: async () => (await readiness.state()) === "serving",
    guests: () => sandbox.status().guests,
    oldestExport: () => storage.exports.oldest(),
    deadLetters: () => storage.operations.countDead(),
    labels: replica,
  });
  const onCommit = (writes: number) => metrics.commitWrites.observe(writes);
  const onLateRead = (from: "standby" | "database") => metrics.standbyLists.inc({ from });
  const opened = await openStorage({ ...storagePlace(config), clock, logger, onCommit, onLateRead });
  const { roles } = config.access;
  const bindings = serverBindings(config.access, config.identities);
  const onFault = (error: unknown) => logger.error({ err: error }, "a policy could not be read");
  const policyBook = await openPolicyBook({
    ...{ store: opened.resources, roles, serverBindings: bindings, clock, ids, onFault },
  });
  const storage = { ...opened, resources: policyBook.store };
  const clockWatch = await createClockWatch({ storage, clock, logger });
  const sealer = openSealer(config.sealing, dataDir);
  const recorder = config.recordDir ? createSessionRecorder(config.recordDir, clock, logger) : undefined;
  const localModels = [createBuiltinModel()];
  const counted = countModels(
    overrides.models ?? createModels(config.models, { logger, clock, localModels }),
    metrics,
    clock,
  );
  const models = recorder ? recordedModels(counted, recorder.scope) : counted;
  const findings = keepPythonFindings(storage.blobs, clock);
  const sandbox = overrides.sandbox ?? createSandbox({ dataDir, cacheDir, logger, findings, ...config.sandbox });
  const parts = { objects, metrics, readiness, storage, clockWatch, policyBook, models, sandbox, sealer, recorder };
  return { config, clock, ids, logger, egress, ownPorts, ...parts };
}
