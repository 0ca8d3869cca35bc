/** Where and how the spans of turns are exported. */
export interface TelemetryConfig {
  /** URL of the collector's trace receiver. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** Whether texts, arguments and results are exported. Default false. */
  readonly content: boolean;
}

/** The environment variables; names and meaning are those of the OpenTelemetry specification, except the last. */
interface TelemetryEnvironment {
  readonly OTEL_SDK_DISABLED?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_HEADERS?: string | undefined;
  readonly OTEL_EXPORTER_OTLP_PROTOCOL?: string | undefined;
  readonly OTEL_SERVICE_NAME?: string | undefined;
  readonly FRONTDESK_OTEL_CONTENT?: string | undefined;
}

/**
 * Reads the environment; undefined when there is no endpoint or OpenTelemetry is disabled. Throws an `Error` for an invalid
 * variable.
 */
export function telemetryConfigFrom(environment: TelemetryEnvironment): TelemetryConfig | undefined {
  const url = urlOf(environment);
  if (!url || environment.OTEL_SDK_DISABLED?.toLowerCase() === "true") return undefined;
  if (environment.OTEL_EXPORTER_OTLP_PROTOCOL === "grpc") {
    throw new Error(
      "OTEL_EXPORTER_OTLP_PROTOCOL is 'grpc'; spans are sent by HTTP only (http/json), usually to port 4318.",
    );
  }
  return {
    url,
    headers: headersOf(environment.OTEL_EXPORTER_OTLP_HEADERS),
    serviceName: environment.OTEL_SERVICE_NAME || "frontdesk",
    content: environment.FRONTDESK_OTEL_CONTENT === "1" || environment.FRONTDESK_OTEL_CONTENT === "true",
  };
}

/** The URL for traces is used unchanged; the path is appended to the one for all signals. */
function urlOf(environment: TelemetryEnvironment): string | undefined {
  const { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own, OTEL_EXPORTER_OTLP_ENDPOINT: base } = environment;
  const url = own || (base && `${base.replace(/\/$/, "")}/v1/traces`);
  if (!url) return undefined;
  const name = own ? "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT" : "OTEL_EXPORTER_OTLP_ENDPOINT";
  if (/^https?:\/\//.test(url) && URL.canParse(url)) return url;
  // What is no address may have a password in it all the same.
  throw new Error(`${name} is no http or https address; use one such as http://127.0.0.1:4318.`);
}

/** `name=value` pairs separated by commas, values percent-encoded. */
function headersOf(text = ""): Readonly<Record<string, string>> {
  const pairs = text.split(",").filter((pair) => pair.trim() !== "");
  return Object.fromEntries(
    pairs.map((pair) => {
      const equals = pair.indexOf("=");
      if (equals < 1) throw new Error("OTEL_EXPORTER_OTLP_HEADERS must be name=value pairs, separated by commas.");
      return [pair.slice(0, equals).trim().toLowerCase(), decodeURIComponent(pair.slice(equals + 1).trim())];
    }),
  );
}
