import { z } from "zod";
import { LONGEST_TIMER_MS } from "#base";
import { SealingSectionSchema } from "../keys/sealing-keys.ts";
import { A2aSectionSchema } from "./a2a-section.ts";
import { AccessSectionSchema } from "./access-section.ts";
import { AnalyticsSectionSchema } from "./analytics-section.ts";
import { AuditSectionSchema } from "./audit-section.ts";
import { AuthSectionSchema } from "./auth-section.ts";
import { BucketSectionSchema } from "./bucket-section.ts";
import { configFaults } from "./config-faults.ts";
import { ConfigPath, withAbsolutePaths } from "./config-path.ts";
import { configSource } from "./config-source.ts";
import { ConfigError } from "./config-values.ts";
import { ConnectorsSectionSchema } from "./connectors-section.ts";
import { DatabaseSectionSchema } from "./database-section.ts";
import { EvaluationSectionSchema } from "./evaluation-section.ts";
import { GenerationSectionSchema } from "./generation-section.ts";
import {
  BigQueryExportSectionSchema,
  CloudLoggingSectionSchema,
  CloudStorageSectionSchema,
  DialogflowSectionSchema,
  DlpSectionSchema,
} from "./google-sections.ts";
import { IdentitiesSectionSchema } from "./identities-section.ts";
import { McpSectionSchema } from "./mcp-section.ts";
import { OutboundSectionSchema } from "./outbound-section.ts";
import { QuotasSectionSchema } from "./quotas-section.ts";
import { RedactionSectionSchema } from "./redaction-section.ts";
import { RemoteAgentsSectionSchema } from "./remote-agents-section.ts";
import { SearchSectionSchema } from "./search-section.ts";
import { SpeechSectionSchema } from "./speech-section.ts";
import { WarehouseSectionSchema } from "./warehouse-section.ts";

export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;

/** `auto`: pretty on a terminal, else JSON. */
export const LOG_FORMATS = ["auto", "json", "pretty"] as const;

/** A duration in seconds that a timer can wait for: a longer one would end at once. */
const seconds = z.number().max(Math.floor(LONGEST_TIMER_MS / 1_000));

/** The configuration file. */
export const FileSchema = z.strictObject({
  port: z.number().int().min(0).max(65_535).optional(),
  host: z.string().optional(),
  data: ConfigPath.optional(),
  database: DatabaseSectionSchema.optional(),
  s3: BucketSectionSchema.optional(),
  log: z.enum(LOG_LEVELS).optional(),
  logFormat: z.enum(LOG_FORMATS).optional(),
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
      historyEvents: z.number().int().positive().optional(),
      memoryMiB: z.number().int().positive().optional(),
      wheels: ConfigPath.optional(),
    })
    .optional(),
  warehouse: WarehouseSectionSchema.optional(),
  analytics: AnalyticsSectionSchema.optional(),
  identities: IdentitiesSectionSchema.optional(),
  auth: AuthSectionSchema.optional(),
  access: AccessSectionSchema.optional(),
  mcp: McpSectionSchema.optional(),
  a2a: A2aSectionSchema.optional(),
  maxModelCalls: z.number().int().positive().optional(),
  drainDelaySeconds: seconds.nonnegative().optional(),
  drainSeconds: seconds.nonnegative().optional(),
  conversations: z
    .strictObject({
      configSeconds: seconds.positive().optional(),
      idleSeconds: seconds.positive().optional(),
      maxOpen: z.number().int().positive().optional(),
    })
    .optional(),
  record: ConfigPath.optional(),
  redaction: RedactionSectionSchema.optional(),
  sealing: SealingSectionSchema.optional(),
  audit: AuditSectionSchema.optional(),
  quotas: QuotasSectionSchema.optional(),
  evaluation: EvaluationSectionSchema.optional(),
  generation: GenerationSectionSchema.optional(),
  search: SearchSectionSchema.optional(),
  speech: SpeechSectionSchema.optional(),
  dialogflow: DialogflowSectionSchema.optional(),
  dlp: DlpSectionSchema.optional(),
  bigqueryExport: BigQueryExportSectionSchema.optional(),
  cloudLogging: CloudLoggingSectionSchema.optional(),
  cloudStorage: CloudStorageSectionSchema.optional(),
  tls: z.strictObject({ cert: ConfigPath, key: ConfigPath, clientCa: ConfigPath.optional() }).optional(),
  example: z.boolean().optional(),
  /** Validated by `modelsConfigFrom`. */
  models: z.unknown().optional(),
});

/** What a config file says. */
export type ConfigFile = z.infer<typeof FileSchema>;

/** Reads the file of the flag or the environment; paths in it are absolute then. Without a file nothing is set. Throws `ConfigError`. */
export function readConfigFile(flag: string | undefined, environment: NodeJS.ProcessEnv): ConfigFile {
  const source = configSource(flag, environment);
  if (!source) return {};
  const parsed = FileSchema.safeParse(source.content);
  if (parsed.success) return withAbsolutePaths(FileSchema, parsed.data, source.folder);
  throw new ConfigError(`${source.name} is invalid: ${configFaults(parsed.error).join("; ")}`);
}
