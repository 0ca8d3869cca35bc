import type { Clock, Ids, JsonObject, Logger } from "#base";
import { type LanguageModel, LLM_CAPABILITIES, type ModelCapabilities, type ModelRequest } from "../contract.ts";
import type { Redact } from "../model-call-error.ts";
import { ModelCallError } from "../model-call-error.ts";
import { type Attempt, type RetryPolicy, withRetries } from "../retry.ts";
import { AcceptedSettings } from "./accepted-settings.ts";
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
  /** Ways to ask for the thinking that a request wants, the first that the model takes is used; none = nothing is asked for. */
  thinking?(request: ModelRequest): readonly JsonObject[];
  /** The HTTP request, and the reader for its response. `thinking` is one of the ways above. */
  prepare(
    request: ModelRequest,
    streaming: boolean,
    thinking: JsonObject | undefined,
  ): PreparedCall | Promise<PreparedCall>;
}

interface PreparedCall {
  readonly request: Omit<HttpRequest, "signal">;
  readonly reader: ResponseReader;
}

/**
 * A language model over HTTP. Models that take no temperature, or no thinking settings of one form, are recognised by their rejection and
 * called again without it, as is every later call: the app was written for another model.
 */
export function createHttpLanguageModel(adapter: HttpModelAdapter, deps: ProviderDeps): LanguageModel {
  const now = () => deps.clock.now();
  const accepted = new AcceptedSettings((request) => adapter.thinking?.(request) ?? []);

  async function open(request: ModelRequest, streaming: boolean, signal: AbortSignal): Promise<Attempt> {
    for (;;) {
      const fitted = accepted.fit(request);
      try {
        const { reader, request: call } = await adapter.prepare(fitted.request, streaming, fitted.thinking);
        const { redact } = adapter;
        return await openHttpAttempt({ http: deps.http, request: { ...call, signal }, reader, redact, streaming, now });
      } catch (error) {
        const rejected = error instanceof ModelCallError ? accepted.learn(error, fitted) : undefined;
        if (rejected === undefined) throw error;
        deps.logger.warn(
          { model: adapter.label, setting: rejected },
          "the model does not take a setting; calling it without",
        );
      }
    }
  }

  return {
    label: adapter.label,
    capabilities: adapter.capabilities ?? LLM_CAPABILITIES,
    stream: (request, { signal, streaming = true }) => {
      const { clock, logger, random, retries: policy } = deps;
      const context = { label: adapter.label, policy, signal, clock, logger, random, redact: adapter.redact };
      return withRetries(() => open(request, streaming, signal), context);
    },
  };
}
