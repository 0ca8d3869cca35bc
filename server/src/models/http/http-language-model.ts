import type { Clock, Ids, Logger } from "#base";
import { type LanguageModel, LLM_CAPABILITIES, type ModelCapabilities, type ModelRequest } from "../contract.ts";
import type { Redact } from "../model-call-error.ts";
import { ModelCallError } from "../model-call-error.ts";
import { type Attempt, type RetryPolicy, withRetries } from "../retry.ts";
import { openHttpAttempt, type ResponseReader } from "./http-attempt.ts";
import type { HttpClient, HttpRequest } from "./http-client.ts";

/** The dependencies of every provider. */
export interface ProviderDeps {
  readonly http: HttpClient;
  readonly retries: RetryPolicy;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly random: () => number;
}

/** The API of one model at one provider: its HTTP request for a prompt, and the reader of its response. */
export interface HttpModelAdapter {
  readonly label: string;
  readonly redact: Redact;
  /** Default `LLM_CAPABILITIES`. */
  readonly capabilities?: ModelCapabilities;
  /** The HTTP request, and the reader for its response. */
  prepare(request: ModelRequest, streaming: boolean): PreparedCall | Promise<PreparedCall>;
}

interface PreparedCall {
  readonly request: Omit<HttpRequest, "signal">;
  readonly reader: ResponseReader;
}

/**
 * A language model over HTTP. Models that take no temperature, which reasoning models increasingly do not, are recognised
 * by their first rejection and called again without it, as is every later call: the app was written for another model.
 */
export function createHttpLanguageModel(adapter: HttpModelAdapter, deps: ProviderDeps): LanguageModel {
  const now = () => deps.clock.now();
  let acceptsTemperature = true;

  async function open(request: ModelRequest, streaming: boolean, signal: AbortSignal): Promise<Attempt> {
    const { reader, ...call } = await adapter.prepare(request, streaming);
    return openHttpAttempt({ http: deps.http, request: { ...call.request, signal }, reader, streaming, now });
  }

  async function openWithTemperatureFallback(
    request: ModelRequest,
    streaming: boolean,
    signal: AbortSignal,
  ): Promise<Attempt> {
    if (request.temperature === undefined) return open(request, streaming, signal);
    const { temperature, ...withoutTemperature } = request;
    if (!acceptsTemperature) return open(withoutTemperature, streaming, signal);
    try {
      return await open(request, streaming, signal);
    } catch (error) {
      if (!rejectsTemperature(error)) throw error;
      acceptsTemperature = false;
      deps.logger.warn({ model: adapter.label, temperature }, "the model takes no temperature; calling it without");
      return open(withoutTemperature, streaming, signal);
    }
  }

  return {
    label: adapter.label,
    capabilities: adapter.capabilities ?? LLM_CAPABILITIES,
    stream: (request, { signal, streaming = true }) => {
      const { clock, logger, random, retries: policy } = deps;
      const context = { label: adapter.label, policy, signal, clock, logger, random, redact: adapter.redact };
      return withRetries(() => openWithTemperatureFallback(request, streaming, signal), context);
    },
  };
}

function rejectsTemperature(error: unknown): boolean {
  return error instanceof ModelCallError && error.status === 400 && /\btemperature\b/i.test(error.message);
}
