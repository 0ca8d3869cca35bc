import { existsSync, readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { type ModelsConfig, modelsConfigFrom } from "#models";
import type { OutboundConfig } from "#outbound";
import type { Identity } from "#services";
import type { CustomDetectors, LiveLimits } from "#session";
import { ConnectError } from "#status";
import type { ConnectorsConfig, RemoteAgentCredential } from "#tools";
import type { WarehouseConfig } from "#warehouse";
import { ConnectorsSectionSchema, connectorsConfig } from "./connectors-section.ts";
import {
  DialogflowSectionSchema,
  DlpSectionSchema,
  type GoogleServiceConfig,
  googleService,
} from "./google-sections.ts";
import { IdentitiesSectionSchema, identities } from "./identities-section.ts";
import { type McpConfig, McpSectionSchema, mcpConfig } from "./mcp-section.ts";
import { OutboundSectionSchema, outboundConfig } from "./outbound-section.ts";
import { customDetectors, RedactionSectionSchema } from "./redaction-section.ts";
import { RemoteAgentsSectionSchema, remoteAgentCredentials } from "./remote-agents-section.ts";
import { SearchSectionSchema, type SearchSettings, searchSettings } from "./search-section.ts";
import { SpeechSectionSchema, type VoiceConfig, voiceConfig } from "./speech-section.ts";
import { type TelemetryConfig, telemetryConfigFrom } from "./telemetry/telemetry-config.ts";
import { WarehouseSectionSchema, warehouseConfig } from "./warehouse-section.ts";

/** Everything a server is told at start. Flags win over the environment, which wins over the config file, which wins over the defaults. */
export interface Config {
  /** TCP port; 0 picks a free one. Default 8080. */
  readonly port: number;
  /** Address to bind. Default 127.0.0.1; anything but loopback needs `allowUnauthenticated`. */
  readonly host: string;
  /** Folder of the database, the caches and the lock. Default `.frontdesk` below the working directory. */
  readonly dataDir: string;
  /** Folder of what can be made again (the Python image). Default `cache` in the data folder. */
  readonly cacheDir: string;
  /** pino level. Default `info`. */
  readonly logLevel: string;
  /** The operator said plainly that anybody who can reach the port may use it. Default false. */
  readonly allowUnauthenticated: boolean;
  /** Web origins besides the server's own whose pages may call it; `*` for any. Default none. */
  readonly allowedOrigins: readonly string[];
  /** Private hosts (`host` or `host:port`) that tools and callbacks may call. Default none. */
  readonly egressAllow: readonly string[];
  /** Secrets, names and walls of requests that tools make. */
  readonly outbound: OutboundConfig;
  /** Connections of connector tools. */
  readonly connectors: ConnectorsConfig;
  /** As whom remote agents are called. */
  readonly remoteAgents: readonly RemoteAgentCredential[];
  readonly sandbox: {
    /** Which wall stands around user Python. Default: Deno, else Node. */
    readonly host?: "deno" | "node" | "worker";
    /** Most guests at once. Default: the number of cores, at least two. */
    readonly maxGuests?: number;
    /** Memory that all guests together may take, bytes. Default: a quarter of the machine's, or of the container's. */
    readonly memoryBudget?: number;
    /** Folder of wheels (pure Python or native, with SHA256SUMS) whose packages user code may import. Default: none. */
    readonly wheelsDir?: string;
  };
  readonly models: ModelsConfig;
  /** Data stores, files and the web, for tools that search. */
  readonly search: SearchSettings;
  /** The files and databases that questions about data are asked of. Default: the sample alone. */
  readonly warehouse: WarehouseConfig;
  /** Who may ask data and keep data agents. Default none: everybody. */
  readonly identities: readonly Identity[];
  /** What MCP clients are told and allowed. */
  readonly mcp: McpConfig;
  /** Model calls in one turn. Default 10, as hosted. */
  readonly maxModelCalls: number;
  /** Limits of conversations over a stream that differ from the defaults. */
  readonly live: Partial<LiveLimits>;
  /** Kinds of personal data to take out of stored conversations beside the built-in ones, for apps that redact. Default none. */
  readonly redaction: CustomDetectors;
  /** How Dialogflow agents are called. Default not at all. */
  readonly dialogflow?: GoogleServiceConfig;
  /** How Cloud DLP is called, for apps that name its templates. Default not at all. */
  readonly dlp?: GoogleServiceConfig;
  /** Milliseconds that turns in flight get after SIGTERM. Default 25,000. */
  readonly drainMs: number;
  /** Folder in which sessions are recorded for `frontdesk replay`. Default none: nothing is recorded. */
  readonly recordDir?: string;
  /** Who listens and who speaks in conversations by voice. Default nobody: they are refused. */
  readonly voice: VoiceConfig;
  /** Where the spans of turns go. Default nowhere. */
  readonly telemetry?: TelemetryConfig;
  /** PEM files for TLS on the same port; plain when absent. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Whether the shipped examples, an app and a shop's data, are put into an empty data folder. Default true. */
  readonly example: boolean;
}

/** A setting that cannot be used; the message says which, why and what would do. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

const FLAGS = {
  port: { type: "string" },
  host: { type: "string" },
  data: { type: "string" },
  config: { type: "string" },
  record: { type: "string" },
  log: { type: "string" },
  "allow-unauthenticated": { type: "boolean" },
  "no-example": { type: "boolean" },
} as const;

const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"];

const FileSchema = z.strictObject({
  port: z.number().int().min(0).max(65_535).optional(),
  host: z.string().optional(),
  data: z.string().optional(),
  log: z.string().optional(),
  allowUnauthenticated: z.boolean().optional(),
  allowedOrigins: z.array(z.string()).optional(),
  egress: z.strictObject({ allow: z.array(z.string()) }).optional(),
  outbound: OutboundSectionSchema.optional(),
  connectors: ConnectorsSectionSchema.optional(),
  remoteAgents: RemoteAgentsSectionSchema.optional(),
  sandbox: z
    .strictObject({
      host: z.enum(["deno", "node", "worker"]).optional(),
      maxGuests: z.number().int().positive().optional(),
      memoryMiB: z.number().int().positive().optional(),
      wheels: z.string().optional(),
    })
    .optional(),
  warehouse: WarehouseSectionSchema.optional(),
  identities: IdentitiesSectionSchema.optional(),
  mcp: McpSectionSchema.optional(),
  maxModelCalls: z.number().int().positive().optional(),
  drainSeconds: z.number().nonnegative().optional(),
  conversations: z
    .strictObject({
      configSeconds: z.number().positive().optional(),
      idleSeconds: z.number().positive().optional(),
      maxOpen: z.number().int().positive().optional(),
    })
    .optional(),
  record: z.string().optional(),
  redaction: RedactionSectionSchema.optional(),
  search: SearchSectionSchema.optional(),
  speech: SpeechSectionSchema.optional(),
  dialogflow: DialogflowSectionSchema.optional(),
  dlp: DlpSectionSchema.optional(),
  tls: z.strictObject({ cert: z.string(), key: z.string() }).optional(),
  example: z.boolean().optional(),
  /** Checked by the models room. */
  models: z.unknown().optional(),
});

type OutboundSection = z.infer<typeof FileSchema>["outbound"];
type ConversationsSection = z.infer<typeof FileSchema>["conversations"];

/** Reads flags, environment and config file into one frozen value. Throws `ConfigError` with one sentence per fault. */
export function readConfig(args: readonly string[], environment: NodeJS.ProcessEnv = process.env): Config {
  const flags = parseFlags(args);
  const file = readFile(flags.config ?? environment.FRONTDESK_CONFIG);
  const host = flags.host ?? environment.FRONTDESK_HOST ?? file.host ?? "127.0.0.1";
  const allowUnauthenticated =
    flags["allow-unauthenticated"] ??
    truth("FRONTDESK_ALLOW_UNAUTHENTICATED", environment.FRONTDESK_ALLOW_UNAUTHENTICATED) ??
    file.allowUnauthenticated ??
    false;
  refuseOpenDoor(host, allowUnauthenticated);
  const dataDir = resolve(flags.data ?? environment.FRONTDESK_DATA ?? file.data ?? ".frontdesk");
  const tls = readable(tlsFiles(environment) ?? file.tls);
  const sandboxHost =
    choice("FRONTDESK_SANDBOX", environment.FRONTDESK_SANDBOX, ["deno", "node", "worker"] as const) ??
    file.sandbox?.host;
  const maxGuests = count("FRONTDESK_SANDBOX_GUESTS", environment.FRONTDESK_SANDBOX_GUESTS) ?? file.sandbox?.maxGuests;
  const memoryMiB =
    count("FRONTDESK_SANDBOX_MEMORY_MIB", environment.FRONTDESK_SANDBOX_MEMORY_MIB) ?? file.sandbox?.memoryMiB;
  const wheelsDir = existingFolder(
    "FRONTDESK_PYTHON_WHEELS",
    environment.FRONTDESK_PYTHON_WHEELS ?? file.sandbox?.wheels,
  );
  const fault = (sentence: string) => new ConfigError(sentence);
  const dialogflow = googleService(file.dialogflow, "Dialogflow", environment, fault);
  const dlp = googleService(file.dlp, "Cloud DLP", environment, fault);
  const models = readModels(environment, file.models);
  const recordDir = flags.record ?? environment.FRONTDESK_RECORD ?? file.record;
  return Object.freeze({
    port: port(flags.port ?? environment.FRONTDESK_PORT) ?? file.port ?? 8080,
    host,
    dataDir,
    cacheDir: resolve(environment.FRONTDESK_CACHE ?? join(dataDir, "cache")),
    logLevel: choice("--log", flags.log ?? environment.FRONTDESK_LOG ?? file.log, LOG_LEVELS) ?? "info",
    allowUnauthenticated,
    allowedOrigins: list(environment.FRONTDESK_ALLOWED_ORIGINS) ?? file.allowedOrigins ?? [],
    egressAllow: list(environment.FRONTDESK_EGRESS_ALLOW) ?? file.egress?.allow ?? [],
    outbound: readOutbound(environment, file.outbound),
    connectors: connectorsConfig(file.connectors, environment, fault),
    remoteAgents: remoteAgentCredentials(file.remoteAgents),
    sandbox: {
      ...(sandboxHost && { host: sandboxHost }),
      ...(maxGuests && { maxGuests }),
      ...(memoryMiB && { memoryBudget: memoryMiB * 1_048_576 }),
      ...(wheelsDir && { wheelsDir }),
    },
    models,
    search: readSearch(file.search, { dataDir, models, variable: (name) => environment[name] }),
    warehouse: warehouseConfig(file.warehouse, dataDir, (name) => environment[name]),
    identities: identities(file.identities, environment, fault),
    mcp: mcpConfig(file.mcp),
    maxModelCalls:
      count("FRONTDESK_MAX_MODEL_CALLS", environment.FRONTDESK_MAX_MODEL_CALLS) ?? file.maxModelCalls ?? 10,
    live: liveLimits(file.conversations),
    redaction: customDetectors(file.redaction),
    voice: readVoice(environment, file.speech),
    ...(dialogflow && { dialogflow }),
    ...(dlp && { dlp }),
    drainMs: 1_000 * (file.drainSeconds ?? 25),
    ...(recordDir && { recordDir: resolve(recordDir) }),
    ...readTelemetry(environment),
    ...(tls && { tls }),
    example: flags["no-example"] ? false : (file.example ?? true),
  });
}

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new ConfigError(`${(error as Error).message}. 'frontdesk start --help' lists the flags.`);
  }
}

function readFile(path: string | undefined): z.infer<typeof FileSchema> {
  if (!path) return {};
  if (!existsSync(path)) throw new ConfigError(`The config file ${path} does not exist.`);
  let content: unknown;
  try {
    content = parseYaml(readFileSync(path, "utf8")) ?? {};
  } catch (error) {
    throw new ConfigError(`The config file ${path} is not valid YAML or JSON: ${(error as Error).message}`);
  }
  const parsed = FileSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map((issue) => `${issue.path.join(".") || "(top)"}: ${issue.message}`);
  throw new ConfigError(`The config file ${path} has faults: ${faults.join("; ")}`);
}

function readModels(environment: NodeJS.ProcessEnv, section: unknown): ModelsConfig {
  try {
    return modelsConfigFrom({ environment, file: section });
  } catch (error) {
    if (error instanceof ConnectError) throw new ConfigError(`${error.rawMessage}.`);
    throw error;
  }
}

function readOutbound(environment: NodeJS.ProcessEnv, section: OutboundSection): OutboundConfig {
  try {
    return outboundConfig(section, (name) => environment[name]);
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

function readVoice(environment: NodeJS.ProcessEnv, section: Parameters<typeof voiceConfig>[0]): VoiceConfig {
  try {
    return voiceConfig(section, environment);
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

function readSearch(...[section, context]: Parameters<typeof searchSettings>): SearchSettings {
  try {
    return searchSettings(section, context);
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

function readTelemetry(environment: NodeJS.ProcessEnv): Pick<Config, "telemetry"> {
  try {
    const telemetry = telemetryConfigFrom(environment);
    return telemetry ? { telemetry } : {};
  } catch (error) {
    throw new ConfigError((error as Error).message);
  }
}

function liveLimits({ configSeconds, idleSeconds, maxOpen }: ConversationsSection = {}): Partial<LiveLimits> {
  return {
    ...(configSeconds && { configMs: 1_000 * configSeconds }),
    ...(idleSeconds && { idleMs: 1_000 * idleSeconds }),
    ...(maxOpen && { maxConversations: maxOpen }),
  };
}

/** Until somebody has to prove who they are, the port stays on this machine. */
function refuseOpenDoor(host: string, allowUnauthenticated: boolean): void {
  if (allowUnauthenticated || isLoopback(host)) return;
  throw new ConfigError(
    `Binding ${host} would let anybody who can reach it use this server, because authentication is off. ` +
      "Bind 127.0.0.1, or say --allow-unauthenticated (FRONTDESK_ALLOW_UNAUTHENTICATED=1) if that is what you want.",
  );
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
}

function tlsFiles(environment: NodeJS.ProcessEnv): Config["tls"] {
  const { FRONTDESK_TLS_CERT: cert, FRONTDESK_TLS_KEY: key } = environment;
  if (!cert && !key) return undefined;
  if (!cert || !key)
    throw new ConfigError("TLS needs both FRONTDESK_TLS_CERT and FRONTDESK_TLS_KEY (paths of PEM files).");
  return { cert, key };
}

function readable(tls: Config["tls"]): Config["tls"] {
  for (const path of tls ? [tls.cert, tls.key] : [])
    if (!existsSync(path)) throw new ConfigError(`The TLS file ${path} does not exist.`);
  return tls;
}

function port(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 0 && value <= 65_535 && text.trim() !== "") return value;
  throw new ConfigError(`'${text}' is not a port; use a number from 0 to 65535.`);
}

function count(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (Number.isInteger(value) && value > 0) return value;
  throw new ConfigError(`${name} is '${text}'; use a whole number above zero.`);
}

function truth(name: string, text: string | undefined): boolean | undefined {
  if (text === undefined) return undefined;
  if (["1", "true", "yes"].includes(text.toLowerCase())) return true;
  if (["", "0", "false", "no"].includes(text.toLowerCase())) return false;
  throw new ConfigError(`${name} is '${text}'; use 1 or 0.`);
}

function existingFolder(name: string, path: string | undefined): string | undefined {
  if (!path) return undefined;
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return resolve(path);
  throw new ConfigError(`${name} is '${path}', which is no folder.`);
}

function choice<T extends string>(name: string, text: string | undefined, choices: readonly T[]): T | undefined {
  if (text === undefined) return undefined;
  const found = choices.find((candidate) => candidate === text);
  if (!found) throw new ConfigError(`${name} is '${text}'; use one of ${choices.join(", ")}.`);
  return found;
}

function list(text: string | undefined): readonly string[] | undefined {
  return text
    ?.split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
