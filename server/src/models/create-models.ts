import { type Clock, type Ids, type Logger, systemIds, unreachable } from "#base";
import { ConnectError } from "#status";
import type { LanguageModel, ModelProvider, Models, ModelsStatus } from "./contract.ts";
import { createModelGuard } from "./guard-models.ts";
import { createHttpClient } from "./http/http-client.ts";
import type { ProviderDeps } from "./http/http-language-model.ts";
import type { ModelsConfig, ProviderConfig } from "./models-config.ts";
import { createAiSdkProvider } from "./providers/ai-sdk/ai-sdk-language-model.ts";
import { createAnthropicProvider } from "./providers/anthropic/anthropic-language-model.ts";
import { createGeminiProvider } from "./providers/gemini/gemini-language-model.ts";
import { createOpenAiProvider } from "./providers/openai/openai-language-model.ts";
import { type ResolvedModel, resolveModel } from "./resolve-model.ts";

/** The dependencies of the models. */
interface ModelsDeps {
  readonly logger: Logger;
  readonly clock: Clock;
  /** Models of this process, which need no configuration: each answers to its label, the first where no provider is configured. */
  readonly localModels?: readonly LanguageModel[];
  /** A number in [0, 1) for the jitter between tries. Default `Math.random`. */
  readonly random?: () => number;
  /** Ids for function calls that come without one. Default the machine's. */
  readonly ids?: Ids;
}

/** Names come from apps; the cache is cleared at this size. */
const MAX_NAMES = 1000;

/** Creates all configured models. Nothing is connected, loaded or called before the first call of a model. */
export function createModels(config: ModelsConfig, deps: ModelsDeps): Models {
  const { logger, clock, localModels = [], random = Math.random, ids = systemIds } = deps;
  const http = createHttpClient(config.timeouts, config.proxy);
  const providerDeps: ProviderDeps = { http, retries: config.retries, clock, ids, logger, random };
  const providers = new Map(config.providers.map((provider) => [provider, createProvider(provider, providerDeps)]));
  const guard = createModelGuard({ policy: config.breaker, clock, logger });
  const byName = new Map<string, LanguageModel>();

  function create(name: string): LanguageModel {
    const resolved = resolveModel(name, config, localModels);
    if (resolved.kind === "local") return resolved.model;
    const model = called(resolved);
    if (name !== "" && !model.label.endsWith(name))
      logger.info({ named: name, answers: model.label }, "model resolved");
    return guard(model, fallbacksOf(model.label));
  }

  function called({ provider, model }: Extract<ResolvedModel, { kind: "provider" }>): LanguageModel {
    return (providers.get(provider) ?? createProvider(provider, providerDeps))(model);
  }

  function fallbacksOf(label: string): readonly LanguageModel[] {
    const found = config.fallbacks.map((name) => resolveModel(name, config));
    const models = found.flatMap((resolved) => (resolved.kind === "provider" ? [called(resolved)] : []));
    return models.slice(models.findIndex((model) => model.label === label) + 1);
  }

  function resolve(name: string): LanguageModel {
    const known = byName.get(name);
    if (known) return known;
    const model = create(name);
    if (byName.size >= MAX_NAMES) byName.clear();
    byName.set(name, model);
    return model;
  }

  if (config.providers.length === 0 && !["", ...localModels.map(({ label }) => label)].includes(config.defaultModel)) {
    logger.warn({ model: config.defaultModel }, "no model provider is configured; the built-in model answers instead");
  }
  return { resolve, status: () => statusOf(config, resolve), close: () => http.close() };
}

function createProvider(config: ProviderConfig, deps: ProviderDeps): ModelProvider {
  switch (config.kind) {
    case "gemini":
      return createGeminiProvider(config, deps);
    case "openai":
      return createOpenAiProvider(config, deps);
    case "anthropic":
      return createAnthropicProvider(config, deps);
    case "ai-sdk":
      return createAiSdkProvider(config, deps);
    default:
      return unreachable(config);
  }
}

function statusOf({ providers }: ModelsConfig, resolve: Models["resolve"]): ModelsStatus {
  return {
    defaultModel: defaultLabel(resolve),
    providers: providers.map(({ name, keySource }) => ({ name, keySource })),
  };
}

function defaultLabel(resolve: Models["resolve"]): string {
  try {
    return resolve("").label;
  } catch (error) {
    if (error instanceof ConnectError) return ""; // There is no default model; the error of a call names what to set.
    throw error;
  }
}
