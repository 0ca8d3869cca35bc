import { request } from "undici";
import { definedFields, type Logger } from "#base";
import type { OtlpSpan } from "./otlp.ts";
import { toAttributes } from "./otlp.ts";

interface OtlpExporterOptions {
  /** URL of the collector's trace receiver, e.g. `http://collector:4318/v1/traces`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly serviceVersion: string;
  /** Which of several servers this is. Default: not said. */
  readonly serviceInstance?: string | undefined;
  readonly logger: Logger;
  /** Spans that may be queued; more are dropped. Default 8,192. */
  readonly maxQueueSize?: number;
  /** Milliseconds that a span waits for its batch. Default 2,000. */
  readonly delayMs?: number;
  /** Milliseconds of one request. Default 10,000. */
  readonly timeoutMs?: number;
}

/** Exports spans to a collector with OTLP over HTTP and JSON. */
interface OtlpExporter {
  /** Queues spans and returns at once. */
  add(spans: readonly OtlpSpan[]): void;
  /** Exports the queued spans, within the time limit of one request. */
  close(): Promise<void>;
}

/** Spans of one request. */
const BATCH_SIZE = 512;

/** Status codes after which the protocol prescribes a retry. */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Creates the exporter. Its queue is bounded: a collector that is unreachable, slow or rejects spans costs spans and a line in the log,
 * never a turn. A batch for an overloaded collector stays in the queue for the next attempt. Compared with OpenTelemetry's own exporter in
 * docs/decisions/2026-11-22-libraries-compared.md.
 */
export function createOtlpExporter(options: OtlpExporterOptions): OtlpExporter {
  const { logger, maxQueueSize = 8_192, delayMs = 2_000 } = options;
  let queue: OtlpSpan[] = [];
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  function add(spans: readonly OtlpSpan[]): void {
    const capacity = Math.max(0, maxQueueSize - queue.length);
    queue.push(...spans.slice(0, capacity));
    dropped += Math.max(0, spans.length - capacity);
    schedule();
  }

  function schedule(): void {
    if (timer || sending || queue.length === 0) return;
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

  /** Sends batches until the queue is empty or the collector accepts no more. */
  async function sendAll(): Promise<void> {
    if (dropped > 0) logger.warn({ spans: dropped }, "spans were dropped: the collector of OpenTelemetry is too slow");
    dropped = 0;
    while (queue.length > 0) {
      const batch = queue.slice(0, BATCH_SIZE);
      const outcome = await send(batch, options);
      if (outcome.kind === "retry")
        return void logger.warn({ reason: outcome.reason }, "the collector of OpenTelemetry is unavailable");
      queue = queue.slice(batch.length);
      if (outcome.kind === "rejected")
        logger.error({ reason: outcome.reason }, "the collector of OpenTelemetry rejected spans");
    }
  }

  return {
    add,
    close: async () => {
      await flush();
      clearTimeout(timer);
      queue = [];
    },
  };
}

type Outcome = { readonly kind: "sent" } | { readonly kind: "retry" | "rejected"; readonly reason: string };

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
    return { kind: RETRYABLE.has(statusCode) ? "retry" : "rejected", reason };
  } catch (error) {
    return { kind: "retry", reason: (error as Error).message };
  }
}

/** `ExportTraceServiceRequest`. */
function toExport(
  spans: readonly OtlpSpan[],
  { serviceName, serviceVersion, serviceInstance }: OtlpExporterOptions,
): object {
  const attributes = toAttributes({
    "service.name": serviceName,
    "service.version": serviceVersion,
    ...definedFields({ "service.instance.id": serviceInstance }),
  });
  const scope = { name: "frontdesk", version: serviceVersion };
  return { resourceSpans: [{ resource: { attributes }, scopeSpans: [{ scope, spans }] }] };
}
