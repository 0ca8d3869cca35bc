import { randomBytes } from "node:crypto";
import type { Logger } from "#base";
import type { TurnObserver } from "#session";
import { createOtlpExporter } from "./otlp-exporter.ts";
import type { TelemetryConfig } from "./telemetry-config.ts";
import { turnSpans } from "./turn-spans.ts";

/** The export of turns' spans to a collector. */
export interface Telemetry {
  readonly observe: TurnObserver;
  close(): Promise<void>;
}

/** Creates the export. The module is loaded only when an endpoint is configured. */
export function createTelemetry(
  config: TelemetryConfig,
  deps: { readonly version: string; readonly logger: Logger; readonly replica?: string | undefined },
): Telemetry {
  const { url, headers, serviceName, content } = config;
  const { version: serviceVersion, logger, replica } = deps;
  const exporter = createOtlpExporter({ url, headers, serviceName, serviceVersion, logger, serviceInstance: replica });
  const newId = (bytes: number) => randomBytes(bytes).toString("hex");
  return {
    observe: (turn) => exporter.add(turnSpans(turn, { content, newId })),
    close: () => exporter.close(),
  };
}
