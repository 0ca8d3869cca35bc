import type { Clock, Ids, Logger } from "#base";
import { CallFailure } from "./call-failure.ts";
import { type LanguageModel, LLM_CAPABILITIES, type ModelRequest } from "./contract.ts";
import { type AnswerReader, openHttpAttempt } from "./http-attempt.ts";
import type { HttpCalls, HttpRequest } from "./http-call.ts";
import type { Redact } from "./redact.ts";
import { type Attempt, type RetryPolicy, withRetries } from "./retry.ts";

/** What every provider is made with. */
export interface ProviderDeps {
  readonly http: HttpCalls;
  readonly retries: RetryPolicy;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly random: () => number;
}

/** One model at one provider: how a request is put to them and how their answer is read. */
export interface Wire {
  readonly label: string;
  readonly redact: Redact;
  /** The call to make, and the reader for its answer. */
  prepare(request: ModelRequest, streaming: boolean): WireCall | Promise<WireCall>;
}

export interface WireCall {
  readonly request: Omit<HttpRequest, "signal">;
  readonly reader: AnswerReader;
}

/**
 * A language model over HTTP. Models that take no temperature, which reasoning models increasingly do not, are recognised
 * by their first refusal and asked again without it, from then on at once: the app was written for another model.
 */
export function createHttpLanguageModel(wire: Wire, deps: ProviderDeps): LanguageModel {
  const now = () => deps.clock.now();
  let takesTemperature = true;

  async function open(request: ModelRequest, streaming: boolean, signal: AbortSignal): Promise<Attempt> {
    const { reader, ...call } = await wire.prepare(request, streaming);
    return openHttpAttempt({ http: deps.http, request: { ...call.request, signal }, reader, streaming, now });
  }

  async function openFitting(request: ModelRequest, streaming: boolean, signal: AbortSignal): Promise<Attempt> {
    if (request.temperature === undefined) return open(request, streaming, signal);
    const { temperature, ...plain } = request;
    if (!takesTemperature) return open(plain, streaming, signal);
    try {
      return await open(request, streaming, signal);
    } catch (error) {
      if (!refusesTemperature(error)) throw error;
      takesTemperature = false;
      deps.logger.warn({ model: wire.label, temperature }, "the model takes no temperature; calling it without");
      return open(plain, streaming, signal);
    }
  }

  return {
    label: wire.label,
    capabilities: LLM_CAPABILITIES,
    stream: (request, { signal, streaming = true }) => {
      const { clock, logger, random, retries: policy } = deps;
      const context = { label: wire.label, policy, signal, clock, logger, random, redact: wire.redact };
      return withRetries(() => openFitting(request, streaming, signal), context);
    },
  };
}

function refusesTemperature(error: unknown): boolean {
  return error instanceof CallFailure && error.status === 400 && /\btemperature\b/i.test(error.message);
}
