import { isJsonObject, type JsonObject } from "#base";
import { LLM_CAPABILITIES, type ModelProvider } from "../../contract.ts";
import type { ProviderDeps } from "../../http/http-language-model.ts";
import { createRedact, errorFromResponse, ModelCallError } from "../../model-call-error.ts";
import type { AiSdkProviderConfig } from "../../models-config.ts";
import { type Attempt, withRetries } from "../../retry.ts";
import { openStreamAttempt, openWholeAttempt } from "./ai-sdk-attempt.ts";
import { type AiSdkModelFactory, loadAiSdkProvider } from "./load-provider.ts";
import type { AiSdkCallError } from "./provider-interface.ts";

type Deps = Pick<ProviderDeps, "clock" | "logger" | "random" | "retries">;

/** A provider of an AI SDK package. The package is imported with the first call. */
export function createAiSdkProvider(config: AiSdkProviderConfig, deps: Deps): ModelProvider {
  const redact = createRedact(...secretsOf(config));
  let factory: Promise<AiSdkModelFactory> | undefined;

  return (model) => {
    const label = `${config.name}/${model}`;
    return {
      label,
      capabilities: LLM_CAPABILITIES,
      stream: (request, { signal, streaming = true }) => {
        const { clock, logger, random, retries: policy } = deps;
        const open = async () => {
          factory ??= loadAiSdkProvider(config);
          const loaded = (await factory)(model);
          const opening = streaming ? openStreamAttempt : openWholeAttempt;
          return translatingErrors(await translated(opening(loaded, request, signal), deps), deps);
        };
        return withRetries(open, { label, policy, signal, clock, logger, random, redact });
      },
    };
  };
}

/** Packages name their keys differently (`apiKey`, `secretAccessKey`, `apiToken`). */
function secretsOf({
  options,
}: AiSdkProviderConfig): readonly [secrets: readonly string[], headers: Record<string, string>] {
  const textsOf = (object: JsonObject) =>
    Object.entries(object).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const secrets = textsOf(options).filter(([name]) => /key|token|secret|password/i.test(name));
  const headers = isJsonObject(options.headers) ? Object.fromEntries(textsOf(options.headers)) : {};
  return [secrets.map(([, value]) => value), headers];
}

/** Maps errors of the call itself and errors inside the stream. */
function translatingErrors(attempt: Attempt, deps: Deps): Attempt {
  return { read: () => translated(attempt.read(), deps), close: () => attempt.close() };
}

async function translated<T>(promise: Promise<T>, { clock }: Deps): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw fromCallError(error, clock.now());
  }
}

/** Maps the interface's `APICallError` to `ModelCallError`; any other error stays as it is. */
function fromCallError(error: unknown, now: number): unknown {
  if (!(error instanceof Error)) return new ModelCallError(String(error));
  const { statusCode, responseHeaders, responseBody, isRetryable, message } = error as AiSdkCallError;
  if (statusCode === undefined && isRetryable === undefined) return error;
  const { retryAfterMs } = errorFromResponse(statusCode ?? 0, responseHeaders ?? {}, responseBody ?? "", now);
  const options = { status: statusCode ?? 0, retryable: isRetryable, retryAfterMs, cause: error };
  return new ModelCallError(message, options);
}
