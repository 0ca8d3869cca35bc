import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { scrapedGauge } from "./scraped-gauge.ts";

/** The metrics of one server. Label values are bounded: methods, codes, configured models, kinds of tools. */
export interface Metrics {
  readonly requests: Counter<"method" | "code" | "protocol">;
  readonly turnSeconds: Histogram<"outcome">;
  /** Turns that have begun and not ended. */
  readonly turnsRunning: Gauge;
  /** Turns whose session another server was at. */
  readonly turnsForwarded: Counter<"outcome">;
  readonly modelCalls: Counter<"model" | "code">;
  readonly modelSeconds: Histogram<"model">;
  readonly modelTokens: Counter<"model" | "direction">;
  readonly toolCalls: Counter<"kind" | "outcome">;
  /** Queries to data while results are kept. */
  readonly dataQueries: Counter<"outcome">;
  readonly commitWrites: Histogram;
  /** Lists of conversations and of the audit log, where a standby is configured. */
  readonly standbyLists: Counter<"from">;
  readonly exports: Counter<"service" | "outcome">;
  /** Entries of the audit log that nothing but the server's own log has. */
  readonly auditLost: Counter<"place">;
  readonly operations: Counter<"kind" | "code">;
  readonly operationsRunning: Gauge<"kind">;
  readonly operationsTakenOver: Counter<"kind" | "outcome">;
  readonly operationsRetried: Counter<"kind">;
  /** From now on `frontdesk_audit_entries_waiting` is what this returns, by place. */
  followAudit(places: () => readonly { readonly place: string; readonly waiting: number }[]): void;
  /** From now on `frontdesk_tls_certificate_end_seconds` is what this returns, in milliseconds since the epoch. */
  followCertificate(endTime: () => number): void;
  /** The Prometheus text exposition. A metric that cannot be read, or not within a second, has no sample in it. */
  text(): Promise<string>;
  readonly contentType: string;
}

/** Values that are read when the metrics are scraped. */
interface MetricSources {
  /** Whether the server takes calls; `frontdesk_ready` is 0 when it rejects or takes longer than a second. */
  readonly isReady: () => Promise<boolean>;
  /** Running Python guests. */
  readonly guests: () => number;
  /** When the oldest row was stored that waits for its export, milliseconds since the epoch; undefined when none waits. */
  readonly oldestExport?: () => Promise<number | undefined>;
  /** Operations that failed for good and may be begun again. */
  readonly deadLetters?: () => Promise<number>;
  /** Labels of every metric. Default none. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
}

const TURN_SECONDS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120];

/** Creates the metrics of one server, those of the process and of the event loop included. */
export function createMetrics(sources: MetricSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (sources.labels) registry.setDefaultLabels(sources.labels);
  collectDefaultMetrics({ register: registry });
  readWhenScraped(registers, sources);
  return {
    requests: new Counter({
      name: "frontdesk_requests_total",
      help: "Calls of methods that ended, by canonical status code.",
      labelNames: ["method", "code", "protocol"],
      registers,
    }),
    ...turnMetrics(registers),
    modelCalls: new Counter({
      name: "frontdesk_model_calls_total",
      help: "Calls of models that ended, retries within one call not counted, by canonical status code.",
      labelNames: ["model", "code"],
      registers,
    }),
    modelSeconds: new Histogram({
      name: "frontdesk_model_call_duration_seconds",
      help: "Calls of models, from the request to the last part of the answer.",
      labelNames: ["model"],
      buckets: TURN_SECONDS,
      registers,
    }),
    modelTokens: new Counter({
      name: "frontdesk_model_tokens_total",
      help: "Tokens as the providers count them.",
      labelNames: ["model", "direction"],
      registers,
    }),
    toolCalls: new Counter({
      name: "frontdesk_tool_calls_total",
      help: "Calls of tools that this server answers, by kind of tool.",
      labelNames: ["kind", "outcome"],
      registers,
    }),
    dataQueries: new Counter({
      name: "frontdesk_data_queries_total",
      help: "Queries to data while results are kept: answered from the cache (hit), read (miss), or read because they may not be kept (uncacheable).",
      labelNames: ["outcome"],
      registers,
    }),
    exports: new Counter({
      name: "frontdesk_exported_turns_total",
      help: "Turns for BigQuery and Cloud Logging: delivered, rejected, expired, or requests that failed and are made again.",
      labelNames: ["service", "outcome"],
      registers,
    }),
    ...storageMetrics(registers),
    ...operationMetrics(registers),
    ...auditMetrics(registers),
    ...certificateMetric(registers),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function storageMetrics(registers: Registry[]): Pick<Metrics, "commitWrites" | "standbyLists"> {
  return {
    commitWrites: new Histogram({
      name: "frontdesk_storage_commit_writes",
      help: "Writes that shared one durable commit.",
      buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256],
      registers,
    }),
    standbyLists: new Counter({
      name: "frontdesk_standby_lists_total",
      help: "Lists for which a standby is configured, by where they were read: from the standby, or from the database because the standby is left alone.",
      labelNames: ["from"],
      registers,
    }),
  };
}

function turnMetrics(registers: Registry[]): Pick<Metrics, "turnSeconds" | "turnsRunning" | "turnsForwarded"> {
  return {
    turnSeconds: new Histogram({
      name: "frontdesk_turn_duration_seconds",
      help: "Turns of sessions, from their begin to their durable end, or to the failure.",
      labelNames: ["outcome"],
      buckets: TURN_SECONDS,
      registers,
    }),
    turnsRunning: new Gauge({
      name: "frontdesk_turns_running",
      help: "Turns of sessions that have begun and not ended.",
      registers,
    }),
    turnsForwarded: new Counter({
      name: "frontdesk_turns_forwarded_total",
      help: "Turns whose session another server was at: sent to it, or refused; of those sent, returned because they did not begin there, or lost with it.",
      labelNames: ["outcome"],
      registers,
    }),
  };
}

function auditMetrics(registers: Registry[]): Pick<Metrics, "auditLost" | "followAudit"> {
  return {
    auditLost: new Counter({
      name: "frontdesk_audit_entries_lost_total",
      help: "Entries of the audit log that could be written neither at once nor later; the server's own log has them.",
      labelNames: ["place"],
      registers,
    }),
    followAudit(places) {
      new Gauge({
        name: "frontdesk_audit_entries_waiting",
        help: "Entries of the audit log that wait because their place cannot be written.",
        labelNames: ["place"],
        registers,
        collect() {
          for (const { place, waiting } of places()) this.set({ place }, waiting);
        },
      });
    },
  };
}

function certificateMetric(registers: Registry[]): Pick<Metrics, "followCertificate"> {
  let end: (() => number) | undefined;
  scrapedGauge(registers, {
    name: "frontdesk_tls_certificate_end_seconds",
    help: "When the certificate of the port ends, seconds since the epoch; no sample without TLS.",
    read: async () => (end ? end() / 1_000 : Number.NaN),
  });
  return {
    followCertificate(endTime) {
      end = endTime;
    },
  };
}

/** What becomes of long-running operations. */
function operationMetrics(
  registers: Registry[],
): Pick<Metrics, "operations" | "operationsRunning" | "operationsTakenOver" | "operationsRetried"> {
  return {
    operationsRetried: new Counter({
      name: "frontdesk_operations_retried_total",
      help: "Attempts at long-running operations that failed on this server, and after which another one follows.",
      labelNames: ["kind"],
      registers,
    }),
    operations: new Counter({
      name: "frontdesk_operations_total",
      help: "Long-running operations that ended on this server, by canonical status code; CANCELLED for those that somebody cancelled.",
      labelNames: ["kind", "code"],
      registers,
    }),
    operationsRunning: new Gauge({
      name: "frontdesk_operations_running",
      help: "Long-running operations that this server works on.",
      labelNames: ["kind"],
      registers,
    }),
    operationsTakenOver: new Counter({
      name: "frontdesk_operations_taken_over_total",
      help: "Operations of a server that ended: resumed here, or lost because their kind cannot go on.",
      labelNames: ["kind", "outcome"],
      registers,
    }),
  };
}

function readWhenScraped(
  registers: Registry[],
  { isReady, guests, oldestExport = async () => undefined, deadLetters = async () => 0 }: MetricSources,
): void {
  scrapedGauge(registers, {
    name: "frontdesk_sandbox_guests",
    help: "Python guests that are alive.",
    read: async () => guests(),
  });
  scrapedGauge(registers, {
    name: "frontdesk_export_oldest_seconds",
    help: "Age of the oldest turn that waits for its export; 0 when none waits.",
    read: async () => {
      const oldest = await oldestExport();
      return oldest === undefined ? 0 : Math.max(0, (Date.now() - oldest) / 1_000);
    },
  });
  scrapedGauge(registers, {
    name: "frontdesk_operations_dead_letters",
    help: "Operations that failed for good and may be begun again, of all servers.",
    read: deadLetters,
  });
  scrapedGauge(registers, {
    name: "frontdesk_ready",
    help: "Whether the server is ready, as /readyz says: 1 or 0.",
    read: async () => ((await isReady()) ? 1 : 0),
    whenUnknown: 0,
  });
}
