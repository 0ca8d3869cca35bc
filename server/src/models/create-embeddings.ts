import { setTimeout as sleep } from "node:timers/promises";
import type { Clock, JsonObject, Logger } from "#base";
import { isJsonObject } from "#base";
import { type FieldViolation, invalidArgument } from "#status";
import type { EmbeddingAdapter, EmbeddingModel, EmbedOptions } from "./embeddings.ts";
import { createHttpClient, type HttpClient, type HttpRequest } from "./http/http-client.ts";
import { errorFromResponse, ModelCallError, toModelCallError, toModelStatusError } from "./model-call-error.ts";
import type { ModelsConfig } from "./models-config.ts";
import { geminiEmbeddingAdapter } from "./providers/gemini/gemini-embeddings.ts";
import { openAiEmbeddingAdapter } from "./providers/openai/openai-embeddings.ts";
import { retryDelay } from "./retry.ts";

/**
 * The embedding model `provider/model` of a configured provider. Throws INVALID_ARGUMENT when there is no such provider or it
 * has no embedding API here.
 */
export function createEmbeddings(
  name: string,
  config: ModelsConfig,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): EmbeddingModel {
  const adapter = adapterOf(name, config);
  const http = createHttpClient(config.timeouts, config.proxy);
  const context: CallContext = { adapter, http, config, clock, logger };
  return {
    label: adapter.label,
    close: () => http.close(),
    embed: async (texts, options) => {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += adapter.batch)
        vectors.push(...(await embedBatch(texts.slice(at, at + adapter.batch), options, context)));
      return vectors;
    },
  };
}

/** The violations in the name of an embedding model; none for one that can be created. */
export function embeddingViolations(name: string, field: string, config: ModelsConfig): readonly FieldViolation[] {
  const [providerName = ""] = name.split("/");
  const provider = config.providers.find((each) => each.name === providerName);
  if (provider?.kind === "gemini" || provider?.kind === "openai") return [];
  const usable = config.providers.filter(({ kind }) => kind === "gemini" || kind === "openai");
  const known = usable.map((each) => each.name).join(", ") || "none";
  return [
    { field, description: `'${name}' is no provider/model of a gemini or openai provider; configured: ${known}` },
  ];
}

function adapterOf(name: string, config: ModelsConfig): EmbeddingAdapter {
  const slash = name.indexOf("/");
  const provider = config.providers.find((each) => each.name === name.slice(0, slash));
  const model = name.slice(slash + 1);
  if (provider?.kind === "gemini") return geminiEmbeddingAdapter(provider, model);
  if (provider?.kind === "openai") return openAiEmbeddingAdapter(provider, model);
  throw invalidArgument(embeddingViolations(name, "embeddings", config));
}

interface CallContext {
  readonly adapter: EmbeddingAdapter;
  readonly http: HttpClient;
  readonly config: ModelsConfig;
  readonly clock: Clock;
  readonly logger: Logger;
}

async function embedBatch(
  texts: readonly string[],
  { purpose, signal }: EmbedOptions,
  context: CallContext,
): Promise<readonly Float32Array[]> {
  const { adapter, config, logger } = context;
  for (let tries = 1; ; tries += 1) {
    try {
      const vectors = adapter.read(await post({ ...(await adapter.prepare(texts, purpose)), signal }, context));
      if (vectors.length === texts.length) return vectors;
      throw new ModelCallError(`the answer has ${vectors.length} vectors for ${texts.length} texts`);
    } catch (error) {
      signal.throwIfAborted();
      const failure = toModelCallError(error);
      const delay = retryDelay(failure, tries, config.retries, Math.random);
      if (delay === undefined) throw toModelStatusError(adapter.label, failure, tries, adapter.redact);
      logger.warn(
        { model: adapter.label, tries, reason: adapter.redact(failure.message) },
        "embedding failed; trying again",
      );
      await sleep(delay, undefined, { signal });
    }
  }
}

async function post(request: HttpRequest, { http, clock }: CallContext): Promise<JsonObject> {
  const answer = await http.post(request);
  const text = await answer.text();
  if (answer.status < 200 || answer.status > 299)
    throw errorFromResponse(answer.status, answer.headers, text, clock.now());
  try {
    const json: unknown = JSON.parse(text);
    if (isJsonObject(json)) return json;
  } catch {
    // Reported below, like a response of another shape.
  }
  throw new ModelCallError("the answer is no JSON object");
}
