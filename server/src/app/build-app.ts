import type { Access } from "#access";
import type { Analytics, DataStores } from "#analytics";
import { createAssistant } from "#assistant";
import type { AuditLog } from "#audit";
import { type Clock, definedFields, type Logger } from "#base";
import type { Authentication } from "#identity";
import type { Models } from "#models";
import { createOperations, type Operations } from "#operations";
import { chargedModels, limitRequests } from "#quota";
import type { Resources } from "#resources";
import { createRegistry, type Registry } from "#rpc";
import type { Sandbox } from "#sandbox";
import type { ToolFiles } from "#search";
import {
  type ChargedModels,
  createServices,
  createSnapshotResolver,
  nameDefaultAgent,
  restrictChatTokenCallers,
} from "#services";
import type { LiveSessions, Retention, SessionEngine } from "#session";
import type { Speech } from "#speech";
import type { Storage } from "#storage";
import { requireAuditFile } from "./audit-file.ts";
import { type A2a, createA2a } from "./build/a2a.ts";
import { createAccessControl } from "./build/access.ts";
import { createDataAnalytics, createDataRefreshes } from "./build/analytics.ts";
import { createAuditParts } from "./build/audit.ts";
import { createAuthenticationParts } from "./build/authentication.ts";
import { type ClockWatch, requireClock } from "./build/clock-watch.ts";
import { createEvaluationParts } from "./build/evaluations.ts";
import { createAppGeneration } from "./build/generation.ts";
import { type AppOverrides, openPlatform, type Platform } from "./build/platform.ts";
import { createQuotaParts } from "./build/quotas.ts";
import { createRepeatingWork, type RepeatingWork } from "./build/repeating-work.ts";
import { createSessions } from "./build/sessions.ts";
import { createResourcesAndTools } from "./build/tools.ts";
import { createForwarding, type TurnPort } from "./build/turn-forwarding.ts";
import type { Config } from "./config.ts";
import type { DataSample } from "./data-sample.ts";
import { beginAtZero } from "./metrics/begin-at-zero.ts";
import { countOperations } from "./metrics/count-operations.ts";
import { countRequests } from "./metrics/count-requests.ts";
import type { Metrics } from "./metrics/metrics.ts";
import type { Readiness } from "./readiness.ts";

/** The parts of a server: what protocols serve, and what start and stop need. */
export interface App {
  readonly registry: Registry;
  readonly authentication: Authentication;
  readonly access: Access;
  readonly audit: AuditLog;
  /** Whether calls are refused while the audit log cannot be written. */
  readonly auditRequired: boolean;
  readonly storage: Storage;
  readonly clockWatch: ClockWatch;
  readonly resources: Resources;
  readonly operations: Operations;
  readonly sessions: SessionEngine;
  readonly live: LiveSessions;
  readonly sandbox: Sandbox;
  readonly models: Models;
  readonly speech: Speech;
  readonly retention: Retention;
  /** Removes everything that is kept no longer. */
  readonly keep: RepeatingWork["keep"];
  readonly sweep: RepeatingWork["sweep"];
  readonly ownPorts: Platform["ownPorts"];
  readonly a2a: A2a;
  readonly crawls: RepeatingWork["crawls"];
  readonly schedules: RepeatingWork["schedules"];
  /** Schedules of pinned questions. */
  readonly refreshes: RepeatingWork["refreshes"];
  /** Opens the port for turns of other servers (DB-53), and takes none from when it is drained; undefined where there are none. */
  readonly turnPort: TurnPort | undefined;
  /** Takes over the operations of servers that have ended, and follows what others were asked about this one's. */
  readonly shareOperations: () => Promise<void>;
  /** Tells other servers what was used of quotas; undefined where there are none. */
  readonly shareQuotas: (() => Promise<void>) | undefined;
  /** Stores what is used up of quotas; undefined where none outlives a restart. */
  readonly keepQuotas: (() => Promise<void>) | undefined;
  readonly data: DataStores;
  /** Files of file search tools, which callers upload. */
  readonly toolFiles: ToolFiles;
  readonly analytics: Analytics;
  readonly sample: DataSample;
  readonly metrics: Metrics;
  readonly readiness: Readiness;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Waits for turns and operations in flight (at most `graceMs`), then closes everything. */
  close(graceMs: number): Promise<void>;
}

/** Creates all parts of a server, those that others depend on first. */
export async function buildApp(config: Config, overrides: Partial<AppOverrides> = {}): Promise<App> {
  await requireAuditFile(config.audit.file);
  const platform = await openPlatform(config, overrides);
  try {
    return await buildOn(platform, overrides);
  } catch (error) {
    // Nobody gets an `App` to close, and what stayed open would keep the process from ending.
    const { sandbox, models, egress, recorder, storage } = platform;
    await Promise.allSettled([sandbox.close(), models.close(), egress.close(), recorder?.close()]);
    await storage.close();
    throw error;
  }
}

async function buildOn(platform: Platform, overrides: Partial<AppOverrides>): Promise<App> {
  const { config, storage, clockWatch, policyBook, models, sandbox, metrics, readiness, clock, ids, logger } = platform;
  const operations = openOperations(platform, overrides.quickOperationMs);
  const { resources, tools, search, toolFiles, close: closeTools } = createResourcesAndTools(platform);
  const { quotas, share: shareQuotas, keep: keepQuotas } = await createQuotaParts(platform);
  const forwarding = createForwarding(platform, overrides.turnTakenMs);
  const sessionParts = await createSessions(platform, { tools, quotas, forwarding: forwarding?.forwarding });
  const { sessions, live, conversations, retention } = sessionParts;
  const { data, sample, analytics, close: closeAnalytics } = createDataAnalytics(platform);
  const evaluations = createEvaluationParts(platform, { ...sessionParts, resources, operations });
  const snapshots = createSnapshotResolver(resources);
  const { access, policies } = createAccessControl(platform, operations);
  const a2a = createA2a(platform, { ...sessionParts, snapshots, access });
  const repeating = createRepeatingWork(platform, {
    ...{ operations, retention, a2a, data, search, toolFiles, schedules: evaluations.schedules },
    refreshesWith: (outcomes) => createDataRefreshes(platform, { data, analytics, access, outcomes }),
  });
  const resumable = [...evaluations.resumable, ...repeating.kinds];
  // Awaited at the end, because the thread that writes starts meanwhile.
  const begun = clockWatch.begin();
  begun.catch(() => {});
  await Promise.all([operations.recover(resumable), a2a.tasks.recover()]).then(repeating.tellDoubt);
  // Data stores are indexed before the first search asks for them; what fails is tried again, which the operations know now.
  search.warm();
  const { authentication, chatTokens, close: closeAuthentication } = await createAuthenticationParts(platform);
  const generation = createAppGeneration(platform, { resources, operations, conversations, build: buildApp });
  const assistant = createAssistant({ resources, generation, objects: platform.objects, clock, ids, logger });
  const { prices } = config.quotas;
  const charged: ChargedModels = (sender, resource) => chargedModels(sender, resource, { quotas, models, prices });
  const services = createServices({
    ...{ chatTokens, authentication, clock, resources, operations, sessions, live, quotas },
    ...{ conversations, evaluations, generation, assistant, audit: storage.audit, quotaRules: config.quotas.rules },
    chargedModels: charged,
    tools,
    ...{ a2a, snapshots, data, analytics, access, policyBook, policies, ids, serving: readiness.state },
  });
  const { audit, recordCalls } = createAuditParts(platform, access);
  const interceptors = [
    nameDefaultAgent(a2a.agents),
    requireClock(clockWatch),
    recordCalls,
    authentication.requireScopes,
    restrictChatTokenCallers(chatTokens),
  ];
  const methods = createRegistry(services, {
    logger,
    clock,
    interceptors,
    // Limits come second: who may not call an app uses nothing of what it may get.
    authorize: (next) => access.authorize(limitRequests(quotas, access.countedResource)(next)),
    permits: (method, asker) => access.mayCall(asker, method),
  });
  beginAtZero(metrics, methods.methods, resumable);
  await begun;
  return {
    // The counter wraps the whole pipeline, so that it counts the status that callers get.
    registry: { ...methods, ...countRequests(metrics)(methods) },
    ...{ authentication, access, audit, auditRequired: config.audit.required },
    ...{ storage, clockWatch, resources, operations, sessions, ownPorts: platform.ownPorts },
    ...{ live, sandbox, models, speech: sessionParts.speech },
    ...{ ...repeating, retention, a2a },
    turnPort: forwarding?.portFor({ engine: sessionParts.engine, snapshots, charged }),
    shareOperations: async () => {
      await operations.follow();
      await Promise.all([operations.recover(resumable), a2a.tasks.adopt()]);
    },
    ...{ shareQuotas, keepQuotas, data, toolFiles, analytics, sample },
    ...{ metrics, readiness, clock, logger },
    close: async (graceMs) => {
      const ended = [sessions.drained(), a2a.tasks.close(), evaluations.close()];
      await Promise.all([within(graceMs, ended), operations.drain(graceMs)]);
      await forwarding?.close();
      // Exports end before the gate that they pass.
      await Promise.all([sessionParts.close(), assistant.close().then(() => generation.close())]);
      await Promise.all([closeOutside(platform, closeTools), closeAnalytics(), closeAuthentication()]);
      await Promise.all([audit.close(), keepQuotas?.()]);
      await storage.close();
    },
  };
}

/** Closes what reaches other processes and servers; tools before the gate that their requests pass. */
async function closeOutside(
  { sandbox, models, egress, recorder }: Pick<Platform, "sandbox" | "models" | "egress" | "recorder">,
  closeTools: () => Promise<void>,
): Promise<void> {
  await Promise.all([sandbox.close(), models.close(), closeTools().then(() => egress.close()), recorder?.close()]);
}

function openOperations({ storage, clock, ids, logger, metrics }: Platform, quickMs: number | undefined): Operations {
  const observer = countOperations(metrics);
  const { operations: store, jobs } = storage;
  return createOperations({ store, jobs, clock, ids, logger, observer, ...definedFields({ quickMs }) });
}

async function within(milliseconds: number, work: readonly Promise<void>[]): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  await Promise.race([Promise.all(work), promise]);
  clearTimeout(timer);
}
