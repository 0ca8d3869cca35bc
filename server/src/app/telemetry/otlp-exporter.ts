import { request } from "undici";
import type { Logger } from "#base";
import type { OtlpSpan } from "./otlp.ts";
import { toAttributes } from "./otlp.ts";

export interface OtlpExporterOptions {
  /** Whole address, e.g. `http://collector:4318/v1/traces`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly serviceVersion: string;
  readonly logger: Logger;
  /** Spans that may wait; what comes beyond is dropped. Default 8,192. */
  readonly maxWaiting?: number;
  /** Milliseconds that a span waits for others. Default 2,000. */
  readonly delayMs?: number;
  /** Milliseconds for one request. Default 10,000. */
  readonly timeoutMs?: number;
}

/** Sends spans to a collector, by OTLP over HTTP in JSON. */
export interface OtlpExporter {
  /** Takes spans over and returns at once. */
  add(spans: readonly OtlpSpan[]): void;
  /** Sends what waits, at most as long as one request may take. */
  close(): Promise<void>;
}

/** Spans in one request. */
const BATCH = 512;

/** Answers after which the protocol wants the same sent again. */
const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Creates the exporter. It holds a bounded number of spans; a collector that is away, slow or refuses costs spans and a line in
 * the log, never a turn. A batch that met an overloaded collector stays in the queue for the next round.
 */
export function createOtlpExporter(options: OtlpExporterOptions): OtlpExporter {
  const { logger, maxWaiting = 8_192, delayMs = 2_000 } = options;
  let waiting: OtlpSpan[] = [];
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  function add(spans: readonly OtlpSpan[]): void {
    const room = Math.max(0, maxWaiting - waiting.length);
    waiting.push(...spans.slice(0, room));
    dropped += Math.max(0, spans.length - room);
    schedule();
  }

  function schedule(): void {
    if (timer || sending || waiting.length === 0) return;
    timer = setTimeout(() => void flush(), delayMs).unref();
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    sending ??= sendAll().finally(() => {
      sending = undefined;
      schedule();
    });
    await sending;
  }

  /** Sends until nothing waits or the collector does not take a batch. */
  async function sendAll(): Promise<void> {
    if (dropped > 0) logger.warn({ spans: dropped }, "spans were dropped: the collector of OpenTelemetry is too slow");
    dropped = 0;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH);
      const outcome = await send(batch, options);
      if (outcome.kind === "later")
        return void logger.warn({ reason: outcome.reason }, "the collector of OpenTelemetry is away");
      waiting = waiting.slice(batch.length);
      if (outcome.kind === "refused")
        logger.error({ reason: outcome.reason }, "the collector of OpenTelemetry refused spans");
    }
  }

  return {
    add,
    close: async () => {
      await flush();
      clearTimeout(timer);
      waiting = [];
    },
  };
}

type Outcome = { readonly kind: "sent" } | { readonly kind: "later" | "refused"; readonly reason: string };

async function send(spans: readonly OtlpSpan[], options: OtlpExporterOptions): Promise<Outcome> {
  try {
    const { statusCode, body } = await request(options.url, {
      method: "POST",
      headers: { ...options.headers, "content-type": "application/json" },
      body: JSON.stringify(toExport(spans, options)),
      signal: AbortSignal.timeout(options.timeoutMs ?? 10_000),
    });
    const text = await body.text();
    if (statusCode < 300) return { kind: "sent" };
    const reason = `HTTP ${statusCode} ${text.slice(0, 200)}`.trimEnd();
    return { kind: RETRIED.has(statusCode) ? "later" : "refused", reason };
  } catch (error) {
    return { kind: "later", reason: (error as Error).message };
  }
}

/** `ExportTraceServiceRequest`. */
function toExport(spans: readonly OtlpSpan[], { serviceName, serviceVersion }: OtlpExporterOptions): object {
  const attributes = toAttributes({ "service.name": serviceName, "service.version": serviceVersion });
  const scope = { name: "frontdesk", version: serviceVersion };
  return { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope, spans }] }] };
}
