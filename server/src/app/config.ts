import { existsSync, readFileSync, statSync } from "node:fs";
import { isIP } from "node:net";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { type ModelsConfig, modelsConfigFrom } from "#models";
import type { CustomDetectors, LiveLimits } from "#session";
import { ConnectError } from "#status";
import { customDetectors, RedactionSectionSchema } from "./redaction-section.ts";
import { type TelemetryConfig, telemetryConfigFrom } from "./telemetry/telemetry-config.ts";

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
  readonly sandbox: {
    /** Which wall stands around user Python. Default: Deno, else Node. */
    readonly host?: "deno" | "node" | "worker";
    /** Most guests at once. Default: the number of cores, at least two. */
    readonly maxGuests?: number;
    /** Folder of pure-Python wheels (`*-none-any.whl`, with SHA256SUMS) that user code may import. Default: none. */
    readonly wheelsDir?: string;
  };
  readonly models: ModelsConfig;
  /** Model calls in one turn. Default 10, as hosted. */
  readonly maxModelCalls: number;
  /** Limits of conversations over a stream that differ from the defaults. */
  readonly live: Partial<LiveLimits>;
  /** Kinds of personal data to take out of stored conversations beside the built-in ones, for apps that redact. Default none. */
  readonly redaction: CustomDetectors;
  /** Milliseconds that turns in flight get after SIGTERM. Default 25,000. */
  readonly drainMs: number;
  /** Folder in which sessions are recorded for `frontdesk replay`. Default none: nothing is recorded. */
  readonly recordDir?: string;
  /** Where the spans of turns go. Default nowhere. */
  readonly telemetry?: TelemetryConfig;
  /** PEM files for TLS on the same port; plain when absent. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Whether the shipped example is imported into an empty data folder. Default true. */
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
  sandbox: z
    .strictObject({
      host: z.enum(["deno", "node", "worker"]).optional(),
      maxGuests: z.number().int().positive().optional(),
      wheels: z.string().optional(),
    })
    .optional(),
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
  tls: z.strictObject({ cert: z.string(), key: z.string() }).optional(),
  example: z.boolean().optional(),
  /** Checked by the models room. */
  models: z.unknown().optional(),
});

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
  const wheelsDir = existingFolder(
    "FRONTDESK_PYTHON_WHEELS",
    environment.FRONTDESK_PYTHON_WHEELS ?? file.sandbox?.wheels,
  );
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
    sandbox: {
      ...(sandboxHost && { host: sandboxHost }),
      ...(maxGuests && { maxGuests }),
      ...(wheelsDir && { wheelsDir }),
    },
    models: readModels(environment, file.models),
    maxModelCalls:
      count("FRONTDESK_MAX_MODEL_CALLS", environment.FRONTDESK_MAX_MODEL_CALLS) ?? file.maxModelCalls ?? 10,
    live: liveLimits(file.conversations),
    redaction: customDetectors(file.redaction),
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

/** Address of the server that the command line talks to: FRONTDESK_SERVER, else the default port on this machine. */
export function serverAddress(environment: NodeJS.ProcessEnv = process.env): string {
  return environment.FRONTDESK_SERVER ?? `http://127.0.0.1:${environment.FRONTDESK_PORT ?? 8080}`;
}
