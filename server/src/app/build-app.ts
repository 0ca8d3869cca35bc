import { createAnalytics, createDataStores, type DataStores } from "#analytics";
import {
  type Clock,
  createEgress,
  createLogger,
  type Egress,
  type Ids,
  type Logger,
  systemClock,
  systemIds,
} from "#base";
import { createEmbeddings, createModels, type Models } from "#models";
import { createBuiltinModel, createRulePlanners } from "#offline";
import { createOperations, type Operations } from "#operations";
import { createOutbound } from "#outbound";
import { createResources, type Resources } from "#resources";
import { createRegistry, type Registry } from "#rpc";
import { createSandbox, type Sandbox } from "#sandbox";
import { createSearch, type Search, type SearchDeps } from "#search";
import { createServices, restrictChatTokenCallers } from "#services";
import {
  createBuiltinRedaction,
  createConversations,
  createDialogflowClient,
  createDlpRedaction,
  createGoogleService,
  createLiveSessions,
  createRetention,
  createSessionEngine,
  createVoiceConversation,
  type DialogflowAgents,
  type LiveSessions,
  PROMPT_SECURITY_POLICY,
  type Redaction,
  type Retention,
  type SessionEngine,
  withSpeechOutput,
} from "#session";
import { createSpeech } from "#speech";
import { openStorage, type Storage } from "#storage";
import { createTools } from "#tools";
import { createWarehouse } from "#warehouse";
import { chatTokenKey } from "./chat-token-key.ts";
import type { Config } from "./config.ts";
import { createDataSample, type DataSample, withSample } from "./data-sample.ts";
import type { GoogleServiceConfig } from "./google-sections.ts";
import { countModels } from "./metrics/count-models.ts";
import { countRequests } from "./metrics/count-requests.ts";
import { countTools } from "./metrics/count-tools.ts";
import { createMetrics, type Metrics } from "./metrics/metrics.ts";
import { timeTurns } from "./metrics/time-turns.ts";
import { recordedDialogflow, recordedModels, recordedTools } from "./recording/calls.ts";
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
  /** How long a call waits for the operation that it starts. See `OperationsDeps`. */
  readonly quickOperationMs: number;
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
  readonly data: DataStores;
  readonly sample: DataSample;
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
  const ownModels =
    overrides.models ?? createModels(config.models, { logger, clock, localModels: [createBuiltinModel()] });
  const counted = countModels(ownModels, metrics, clock);
  const models = recorder ? recordedModels(counted, recorder.scope) : counted;
  const sandbox =
    overrides.sandbox ??
    createSandbox({ dataDir: config.dataDir, cacheDir: config.cacheDir, logger, ...config.sandbox });
  const operations = createOperations({
    store: storage.operations,
    clock,
    ids,
    logger,
    quickMs: overrides.quickOperationMs,
  });
  const resources = createResources({
    store: storage.resources,
    clock,
    ids,
    inspectPython: (code) => sandbox.inspect(code),
    toolChecks: {
      problems: (subject) => tools.problems(subject),
      knownToolIds: (toolset) => tools.knownToolIds(toolset),
      nameOf: (tool) => tools.nameOf(tool),
      refreshSnapshots: (toolset) => tools.refreshSnapshots(toolset),
    },
    server: serverFacts(config),
  });
  const outbound = createOutbound({
    egress,
    clock,
    logger,
    config: config.outbound,
    securitySettings: (app) => resources.securitySettings(app),
  });
  const search = openSearch(config, { models, egress, clock, logger });
  const ownTools = countTools(
    createTools({
      sandbox,
      egress,
      outbound,
      connectors: config.connectors,
      remoteAgentCredentials: config.remoteAgents,
      search,
      clock,
      logger,
    }),
    metrics,
  );
  const tools = recorder ? recordedTools(ownTools, recorder.scope) : ownTools;
  const conversations = createConversations(storage.conversations);
  const redaction = redactionOf(config, egress, logger);
  const dialogflow = config.dialogflow && dialogflowAgents(config.dialogflow, egress);
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
    ...(dialogflow && { dialogflow: recorder ? recordedDialogflow(dialogflow, recorder.scope) : dialogflow }),
    ...(telemetry && { observe: telemetry.observe }),
    maxModelCalls: config.maxModelCalls,
  });
  const { providers, ...voice } = config.voice;
  const speech = createSpeech(providers);
  const speaking = withSpeechOutput(recorder?.record(engine) ?? engine, { speech, clock, logger });
  const sessions = timeTurns(speaking, metrics, clock);
  const live = createLiveSessions({
    voice: createVoiceConversation({ speech, egress, clock, logger, ...voice }),
    engine: sessions,
    unprompted: sessions.unprompted,
    logger,
    limits: config.live,
  });
  const data = createDataStores({ store: storage.resources, clock, ids });
  const sample = createDataSample(config, clock);
  const warehouse = withSample((own) => createWarehouse(own, egress), config.warehouse, sample);
  const analytics = createAnalytics({ models, warehouse, rules: createRulePlanners(), sandbox, clock, ids, logger });
  const retention = createRetention({ ...storage, redaction, clock });
  await operations.recover();
  const chatTokens = { chatTokenKey: chatTokenKey(config.dataDir), clock };
  const methods = createRegistry(
    createServices({
      resources,
      operations,
      sessions,
      live,
      conversations,
      tools,
      ...chatTokens,
      data,
      analytics,
      identities: config.identities,
      ids,
    }),
    { logger, clock, interceptors: [restrictChatTokenCallers(chatTokens)] },
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
    data,
    sample,
    metrics,
    clock,
    logger,
    close: async (graceMs) => {
      await Promise.all([within(graceMs, sessions.drained()), operations.drain(graceMs)]);
      await Promise.all([
        sandbox.close(),
        models.close(),
        Promise.all([tools.close(), search.close()]).then(() => Promise.all([outbound.close(), egress.close()])),
        sample.settled().then(() => warehouse.close()),
        telemetry?.close(),
        recorder?.close(),
      ]);
      await storage.close();
    },
  };
}

function dialogflowAgents(config: GoogleServiceConfig, egress: Egress): DialogflowAgents {
  const { endpoint, projects, accessToken, timeoutMs } = config;
  const service = createGoogleService({ label: "Dialogflow", egress, accessToken, timeoutMs });
  return createDialogflowClient({ service, ...(endpoint && { endpoint }), ...(projects && { projects }) });
}

/** What resources tell of this server. */
function serverFacts({ dialogflow, dlp }: Config) {
  const configured = { dialogflow, dlp };
  const names = (["dialogflow", "dlp"] as const).filter((name) => configured[name]);
  return { services: new Set(names), promptSecurityTemplate: PROMPT_SECURITY_POLICY };
}

/** The built-in detectors, and Cloud DLP for apps that name its templates where the operator configured it. */
function redactionOf({ redaction, dlp }: Config, egress: Egress, logger: Logger): Redaction {
  const fallback = createBuiltinRedaction(redaction);
  if (!dlp) return fallback;
  const { endpoint, projects, accessToken, timeoutMs } = dlp;
  const service = createGoogleService({ label: "Cloud DLP", egress, accessToken, timeoutMs });
  return createDlpRedaction({
    service,
    fallback,
    logger,
    ...(endpoint && { endpoint }),
    ...(projects && { projects }),
  });
}

/** Begins to index what is configured: who asks first need not wait for it. */
function openSearch({ search, models }: Config, deps: Omit<SearchDeps, "embeddings">): Search {
  const embeddings = search.embeddings === "" ? undefined : createEmbeddings(search.embeddings, models, deps);
  const opened = createSearch(search, { ...deps, embeddings });
  opened.warm();
  return opened;
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
