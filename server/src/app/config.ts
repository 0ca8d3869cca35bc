import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import type { AuditConfig } from "#audit";
import { definedFields, type LogFormat } from "#base";
import type { CloudStorageAccess } from "#google";
import { type ModelsConfig, modelsConfigFrom } from "#models";
import type { OutboundConfig } from "#outbound";
import type { QuotaConfig } from "#quota";
import type { CustomDetectors, LiveLimits } from "#session";
import { ConnectError } from "#status";
import type { BucketOptions } from "#storage";
import type { ConnectorsConfig, RemoteAgentCredential } from "#tools";
import type { WarehouseConfig } from "#warehouse";
import { type A2aConfig, a2aConfig } from "./config/a2a-section.ts";
import { type AccessConfig, accessConfig } from "./config/access-section.ts";
import { type AnalyticsConfig, analyticsConfig } from "./config/analytics-section.ts";
import { auditConfig } from "./config/audit-section.ts";
import { type AuthConfig, authConfig } from "./config/auth-section.ts";
import { type ConfigFile, LOG_FORMATS, LOG_LEVELS, readConfigFile } from "./config/config-file.ts";
import { ConfigError, choice, count, existingFolder, portOf, requireAllRead, truth } from "./config/config-values.ts";
import { connectorsConfig } from "./config/connectors-section.ts";
import { type DatabaseConfig, storageConfig } from "./config/database-section.ts";
import { type DrainTimes, drainTimes } from "./config/drain-times.ts";
import { type EvaluationConfig, evaluationConfig } from "./config/evaluation-section.ts";
import { type GenerationConfig, generationConfig } from "./config/generation-section.ts";
import { type GoogleServiceConfig, googleService } from "./config/google-sections.ts";
import { pageOrigins, privateHosts } from "./config/host-lists.ts";
import { type Identity, identities } from "./config/identities-section.ts";
import { ignoredVariables } from "./config/ignored-variables.ts";
import { type McpConfig, mcpConfig } from "./config/mcp-section.ts";
import { outboundConfig } from "./config/outbound-section.ts";
import { quotaConfig } from "./config/quotas-section.ts";
import { customDetectors } from "./config/redaction-section.ts";
import { remoteAgentCredentials } from "./config/remote-agents-section.ts";
import { type SearchSettings, searchSettings } from "./config/search-section.ts";
import { type VoiceConfig, voiceConfig } from "./config/speech-section.ts";
import { requireFiles, tlsFiles } from "./config/tls-files.ts";
import { warehouseConfig } from "./config/warehouse-section.ts";
import { type SealingConfig, sealingConfig } from "./keys/sealing-keys.ts";
import { type TelemetryConfig, telemetryConfigFrom } from "./telemetry/telemetry-config.ts";

/** The configuration of a server. Flags override environment variables, which override the config file, which overrides the defaults. */
export interface Config extends DrainTimes {
  /** TCP port; 0 picks a free one. Default 8080. */
  readonly port: number;
  /** Address to bind. Default 127.0.0.1; on any other, callers are authenticated unless `allowUnauthenticated`. */
  readonly host: string;
  /** Folder of the database, the caches and the lock. Default `.frontdesk` below the working directory. */
  readonly dataDir: string;
  /** Folder of files that can be built again (the Python image). Default `cache` in the data folder. */
  readonly cacheDir: string;
  /** A PostgreSQL database in place of the one in the data folder. Default none. */
  readonly database?: DatabaseConfig;
  /** A bucket of an S3-compatible store for blobs. Default none: they are in the database, or in the data folder. */
  readonly bucket?: BucketOptions;
  /** pino level. Default `info`. */
  readonly logLevel: string;
  /** Form of the log's lines. Default `pretty` when standard error is a terminal, else `json`. */
  readonly logFormat: LogFormat;
  /** Whether anybody who can reach the port may use the server. Default false. */
  readonly allowUnauthenticated: boolean;
  /** Web origins besides the server's own whose pages may call it; `*` for any. Default none. */
  readonly allowedOrigins: readonly string[];
  /** Private hosts (`host` or `host:port`) that tools and callbacks may call. Default none. */
  readonly egressAllow: readonly string[];
  /** Secrets, host names and limits of requests that tools make. */
  readonly outbound: OutboundConfig;
  /** Connections of connector tools. */
  readonly connectors: ConnectorsConfig;
  /** Credentials for calls to remote agents. */
  readonly remoteAgents: readonly RemoteAgentCredential[];
  readonly sandbox: {
    /** Isolation backend of user Python. Default: Deno, else Node. */
    readonly host?: "deno" | "node" | "worker";
    /** Most guest processes at once. Default: the number of cores, at least two. */
    readonly maxGuests?: number;
    /** Newest events of a session that user Python can read. */
    readonly historyEvents?: number;
    /** Memory of all guests together, bytes. Default: a quarter of the machine's, or of the container's. */
    readonly memoryBudget?: number;
    /** Folder of wheels (pure Python or native, with SHA256SUMS) whose packages user code may import. Default: none. */
    readonly wheelsDir?: string;
  };
  readonly models: ModelsConfig;
  /** Data stores, files and the web, for search tools. */
  readonly search: SearchSettings;
  /** Files and databases for questions to data. Default: the sample only. */
  readonly warehouse: WarehouseConfig;
  /** Semantic models of data agents. Default none. */
  readonly analytics: AnalyticsConfig;
  /** Principals with a token each. Default none. */
  readonly identities: readonly Identity[];
  /** Who calls. Default: authentication is off where only this machine can reach the server. */
  readonly auth: AuthConfig;
  /** Who may do what. */
  readonly access: AccessConfig;
  /** Settings of the MCP endpoints. */
  readonly mcp: McpConfig;
  /** How agents of others find the apps of this server. */
  readonly a2a: A2aConfig;
  /** Model calls in one turn. Default 10, as hosted. */
  readonly maxModelCalls: number;
  /** Limits of live sessions that differ from the defaults. */
  readonly live: Partial<LiveLimits>;
  /** Detectors of personal data besides the built-in ones, for apps that redact conversations. Default none. */
  readonly redaction: CustomDetectors;
  /** Access to Dialogflow. Default none: agents of Dialogflow cannot be called. */
  readonly dialogflow?: GoogleServiceConfig;
  /** Access to Cloud DLP, for apps that name its templates. Default none. */
  readonly dlp?: GoogleServiceConfig;
  /** Access to BigQuery for apps that export their turns. Default none: nothing is exported. */
  readonly bigqueryExport?: GoogleServiceConfig;
  /** Access to Cloud Logging, for apps that log their turns there, in `project` instead of their own. Default none: nothing is logged. */
  readonly cloudLogging?: GoogleServiceConfig & { readonly project?: string };
  /** Where the keys are that seal stored secrets. Default: `sealing.key` in the data folder. */
  readonly sealing: SealingConfig;
  /** What the audit log records. Default: changes and refusals, for 400 days. */
  readonly audit: AuditConfig;
  /** The buckets of Cloud Storage that callers may name. Default none: public objects can be read, and nothing is written. */
  readonly cloudStorage?: CloudStorageAccess;
  /** How much callers, apps and projects may use. Default: no limits but 1,000 turns at once. */
  readonly quotas: QuotaConfig;
  /** How evaluations run. */
  readonly evaluation: EvaluationConfig;
  /** How resources of apps are generated. */
  readonly generation: GenerationConfig;
  /** Folder where sessions are recorded for `frontdesk replay`. Default none: nothing is recorded. */
  readonly recordDir?: string;
  /** Speech providers of sessions by voice. Default none: such sessions fail. */
  readonly voice: VoiceConfig;
  /** Where the spans of turns are exported. Default: they are not. */
  readonly telemetry?: TelemetryConfig;
  /** PEM files for TLS on the same port; plain when absent. */
  readonly tls?: {
    readonly cert: string;
    readonly key: string;
    /** Authorities whose client certificates show who calls. Default: clients are not asked for certificates. */
    readonly clientCa?: string;
  };
  /** Whether the example app and the sample data are added to a new data folder. Default true. */
  readonly example: boolean;
  /** Sentences about variables that look like settings and are none, for the operator. */
  readonly ignored: readonly string[];
}

/** A value for every field, so that a setting that is not read does not compile; undefined where it has none. */
type Complete<Fields> = { readonly [Name in keyof Required<Fields>]: Fields[Name] };

const FLAGS = {
  port: { type: "string" },
  host: { type: "string" },
  data: { type: "string" },
  config: { type: "string" },
  record: { type: "string" },
  log: { type: "string" },
  "log-format": { type: "string" },
  auth: { type: "string" },
  origin: { type: "string" },
  "allow-unauthenticated": { type: "boolean" },
  "drain-delay": { type: "string" },
  "no-example": { type: "boolean" },
} as const;

/** Reads flags, environment and config file into one frozen value. `isTerminal`: whether people read standard error. Throws `ConfigError`. */
export function readConfig(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
  isTerminal = process.stderr.isTTY === true,
): Config {
  const flags = parseFlags(args);
  const file = readConfigFile(flags.config, environment);
  const host = flags.host ?? environment.FRONTDESK_HOST ?? file.host ?? "127.0.0.1";
  const allowUnauthenticated =
    flags["allow-unauthenticated"] ??
    truth("FRONTDESK_ALLOW_UNAUTHENTICATED", environment.FRONTDESK_ALLOW_UNAUTHENTICATED) ??
    file.allowUnauthenticated ??
    false;
  const dataDir = resolve(flags.data ?? environment.FRONTDESK_DATA ?? file.data ?? ".frontdesk");
  const tls = requireFiles(tlsFiles(environment) ?? (file.tls && definedFields(file.tls)));
  const fault = (sentence: string) => new ConfigError(sentence);
  const dialogflow = googleService(file.dialogflow, "Dialogflow", environment, fault);
  const dlp = googleService(file.dlp, "Cloud DLP", environment, fault);
  const bigqueryExport = googleService(file.bigqueryExport, "BigQuery", environment, fault);
  const cloudLogging = googleService(file.cloudLogging, "Cloud Logging", environment, fault);
  const cloudStorage = googleService(file.cloudStorage, "Cloud Storage", environment, fault);
  const access = accessConfig(file.access, fault);
  const models = readModels(environment, file.models);
  const telemetry = orConfigError(() => telemetryConfigFrom(environment));
  const auth = authConfig(file.auth, { host, flags, allowUnauthenticated, environment, fault });
  const { database, bucket } = storageConfig(file, environment, fault);
  const recordDir = flags.record ?? environment.FRONTDESK_RECORD ?? file.record;
  const config: Complete<Config> = {
    port: portOf(flags.port, environment.FRONTDESK_PORT) ?? file.port ?? 8080,
    host,
    dataDir,
    cacheDir: resolve(environment.FRONTDESK_CACHE ?? join(dataDir, "cache")),
    logLevel: logLevel(flags.log, environment, file.log),
    logFormat: logFormat(flags["log-format"], environment, file.logFormat, isTerminal),
    allowUnauthenticated,
    allowedOrigins: pageOrigins(environment, file.allowedOrigins),
    egressAllow: privateHosts(environment, file.egress?.allow),
    outbound: orConfigError(() => outboundConfig(file.outbound, (name) => environment[name])),
    connectors: connectorsConfig(file.connectors, environment, fault),
    remoteAgents: remoteAgentCredentials(file.remoteAgents),
    sandbox: sandboxSettings(environment, file.sandbox),
    models,
    search: orConfigError(() =>
      searchSettings(file.search, { dataDir, models, variable: (name) => environment[name] }),
    ),
    warehouse: requireSources(warehouseConfig(file.warehouse, dataDir, (name) => environment[name])),
    analytics: analyticsConfig(file.analytics, fault),
    identities: identities(file.identities, environment, fault, access.roles),
    ...{ auth, access },
    mcp: mcpConfig(file.mcp, auth),
    a2a: a2aConfig(file.a2a, environment, fault),
    maxModelCalls:
      count("FRONTDESK_MAX_MODEL_CALLS", environment.FRONTDESK_MAX_MODEL_CALLS) ?? file.maxModelCalls ?? 10,
    live: liveLimits(file.conversations),
    redaction: customDetectors(file.redaction),
    sealing: sealingConfig(file.sealing, environment.FRONTDESK_SEALING_KEY, fault),
    audit: auditConfig(file.audit),
    quotas: quotaConfig(file.quotas),
    evaluation: evaluationConfig(file.evaluation),
    generation: generationConfig(file.generation),
    voice: orConfigError(() => voiceConfig(file.speech, environment)),
    ...{ dialogflow, dlp, bigqueryExport },
    cloudLogging: cloudLogging && { ...cloudLogging, ...definedFields({ project: file.cloudLogging?.project }) },
    cloudStorage: cloudStorage && { ...cloudStorage, buckets: file.cloudStorage?.buckets ?? [] },
    ...drainTimes(flags["drain-delay"], environment.FRONTDESK_DRAIN_DELAY_SECONDS, file),
    recordDir: recordDir ? resolve(recordDir) : undefined,
    ...{ telemetry, tls, database, bucket },
    example: flags["no-example"] ? false : (file.example ?? true),
    ignored: ignoredVariables(environment, file),
  };
  return Object.freeze(definedFields(config));
}

function sandboxSettings(environment: NodeJS.ProcessEnv, section: ConfigFile["sandbox"] = {}): Config["sandbox"] {
  const { host, maxGuests, historyEvents, memoryMiB: memory, wheels, ...unread } = section;
  requireAllRead(unread);
  const memoryMiB = count("FRONTDESK_SANDBOX_MEMORY_MIB", environment.FRONTDESK_SANDBOX_MEMORY_MIB) ?? memory;
  return definedFields({
    host: choice("FRONTDESK_SANDBOX", environment.FRONTDESK_SANDBOX, ["deno", "node", "worker"]) ?? host,
    maxGuests: count("FRONTDESK_SANDBOX_GUESTS", environment.FRONTDESK_SANDBOX_GUESTS) ?? maxGuests,
    historyEvents: count("FRONTDESK_PYTHON_EVENTS", environment.FRONTDESK_PYTHON_EVENTS) ?? historyEvents,
    memoryBudget: memoryMiB && memoryMiB * 1_048_576,
    wheelsDir: existingFolder("FRONTDESK_PYTHON_WHEELS", environment.FRONTDESK_PYTHON_WHEELS ?? wheels),
  });
}

function logLevel(flag: string | undefined, { FRONTDESK_LOG }: NodeJS.ProcessEnv, setting = "info"): string {
  return choice("--log", flag, LOG_LEVELS) ?? choice("FRONTDESK_LOG", FRONTDESK_LOG, LOG_LEVELS) ?? setting;
}

function logFormat(
  flag: string | undefined,
  environment: NodeJS.ProcessEnv,
  setting: (typeof LOG_FORMATS)[number] | undefined,
  isTerminal: boolean,
): LogFormat {
  const format =
    choice("--log-format", flag, LOG_FORMATS) ??
    choice("FRONTDESK_LOG_FORMAT", environment.FRONTDESK_LOG_FORMAT, LOG_FORMATS) ??
    setting ??
    "auto";
  if (format !== "auto") return format;
  return isTerminal ? "pretty" : "json";
}

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new ConfigError(`${(error as Error).message}. 'frontdesk start --help' lists the flags.`);
  }
}

function readModels(environment: NodeJS.ProcessEnv, section: unknown): ModelsConfig {
  try {
    return modelsConfigFrom({ environment, file: section });
  } catch (error) {
    if (error instanceof ConnectError) throw new ConfigError(`${error.rawMessage}.`);
    throw error;
  }
}

/** Turns an error of a section into a `ConfigError` with its message. */
function orConfigError<Settings>(read: () => Settings): Settings {
  try {
    return read();
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

function liveLimits({
  configSeconds,
  idleSeconds,
  maxOpen,
  ...unread
}: ConfigFile["conversations"] = {}): Partial<LiveLimits> {
  requireAllRead(unread);
  return definedFields({
    configMs: configSeconds && 1_000 * configSeconds,
    idleMs: idleSeconds && 1_000 * idleSeconds,
    maxConversations: maxOpen,
  });
}

/** A question that finds no table would name the mapping, and not the path that is misspelt. */
function requireSources(warehouse: WarehouseConfig): WarehouseConfig {
  for (const { name, path } of warehouse.sources)
    if (!existsSync(path))
      throw new ConfigError(`warehouse.sources.${name.join(".")}: there is no file or folder ${path}.`);
  return warehouse;
}
