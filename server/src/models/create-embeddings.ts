import { setTimeout as sleep } from "node:timers/promises";
import type { Clock, JsonObject, Logger } from "#base";
import { isJsonObject } from "#base";
import { type FieldViolation, invalidArgument } from "#status";
import { CallFailure, failureFromAnswer, toCallFailure } from "./call-failure.ts";
import type { EmbeddingModel, EmbeddingWire, EmbedOptions } from "./embeddings.ts";
import { createHttpCalls, type HttpCalls, type HttpRequest } from "./http-call.ts";
import type { ModelsConfig } from "./models-config.ts";
import { geminiEmbeddingWire } from "./providers/gemini/gemini-embeddings.ts";
import { openAiEmbeddingWire } from "./providers/openai/openai-embeddings.ts";
import { retryDelay } from "./retry.ts";
import { toRefusal } from "./to-refusal.ts";

/**
 * The embedding model `provider/model` of a configured provider. Throws INVALID_ARGUMENT when there is no such provider or it
 * is of a type that is not asked for vectors here.
 */
export function createEmbeddings(
  name: string,
  config: ModelsConfig,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): EmbeddingModel {
  const wire = wireOf(name, config);
  const http = createHttpCalls(config.timeouts, config.proxy);
  const context: CallContext = { wire, http, config, clock, logger };
  return {
    label: wire.label,
    close: () => http.close(),
    embed: async (texts, options) => {
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += wire.batch)
        vectors.push(...(await embedBatch(texts.slice(at, at + wire.batch), options, context)));
      return vectors;
    },
  };
}

/** What is wrong with the name of an embedding model; none for one that can be created. */
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

function wireOf(name: string, config: ModelsConfig): EmbeddingWire {
  const slash = name.indexOf("/");
  const provider = config.providers.find((each) => each.name === name.slice(0, slash));
  const model = name.slice(slash + 1);
  if (provider?.kind === "gemini") return geminiEmbeddingWire(provider, model);
  if (provider?.kind === "openai") return openAiEmbeddingWire(provider, model);
  throw invalidArgument(embeddingViolations(name, "embeddings", config));
}

interface CallContext {
  readonly wire: EmbeddingWire;
  readonly http: HttpCalls;
  readonly config: ModelsConfig;
  readonly clock: Clock;
  readonly logger: Logger;
}

async function embedBatch(
  texts: readonly string[],
  { purpose, signal }: EmbedOptions,
  context: CallContext,
): Promise<readonly Float32Array[]> {
  const { wire, config, logger } = context;
  for (let tries = 1; ; tries += 1) {
    try {
      const vectors = wire.read(await post({ ...(await wire.prepare(texts, purpose)), signal }, context));
      if (vectors.length === texts.length) return vectors;
      throw new CallFailure(`the answer has ${vectors.length} vectors for ${texts.length} texts`);
    } catch (error) {
      signal.throwIfAborted();
      const failure = toCallFailure(error);
      const delay = retryDelay(failure, tries, config.retries, Math.random);
      if (delay === undefined) throw toRefusal(wire.label, failure, tries, wire.redact);
      logger.warn({ model: wire.label, tries, reason: wire.redact(failure.message) }, "embedding failed; trying again");
      await sleep(delay, undefined, { signal });
    }
  }
}

async function post(request: HttpRequest, { http, clock }: CallContext): Promise<JsonObject> {
  const answer = await http.post(request);
  const text = await answer.text();
  if (answer.status < 200 || answer.status > 299)
    throw failureFromAnswer(answer.status, answer.headers, text, clock.now());
  try {
    const json: unknown = JSON.parse(text);
    if (isJsonObject(json)) return json;
  } catch {
    // Said below, like an answer of another shape.
  }
  throw new CallFailure("the answer is no JSON object");
}
