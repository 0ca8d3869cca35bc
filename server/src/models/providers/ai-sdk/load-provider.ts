import { isAbsolute } from "node:path";
import { pathToFileURL } from "node:url";
import { thrownMessage } from "#base";
import { failedPrecondition } from "#status";
import type { AiSdkProviderConfig } from "../../models-config.ts";
import type { AiSdkLanguageModel, AiSdkProvider } from "./provider-interface.ts";

/** Makes the models of a loaded package. */
export type AiSdkModelFactory = (model: string) => AiSdkLanguageModel;

/** Imports the operator's package and calls its factory. Throws FAILED_PRECONDITION with what is missing. */
export async function loadAiSdkProvider(config: AiSdkProviderConfig): Promise<AiSdkModelFactory> {
  const loaded = await importModule(config);
  const factory = loaded[config.factory];
  if (typeof factory !== "function") {
    const functions = Object.keys(loaded).filter((name) => typeof loaded[name] === "function");
    throw unusable(config, `it has no function '${config.factory}'; it exports ${functions.join(", ") || "none"}`);
  }
  const provider: unknown = factory(config.options);
  return (model) => modelOf(provider, model, config);
}

async function importModule(config: AiSdkProviderConfig): Promise<Record<string, unknown>> {
  const { module } = config;
  try {
    return (await import(isAbsolute(module) ? pathToFileURL(module).href : module)) as Record<string, unknown>;
  } catch (error) {
    const missing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    const why = thrownMessage(error);
    throw unusable(config, missing ? `${why}. Install it beside the server: npm install ${module}` : why);
  }
}

function modelOf(provider: unknown, model: string, config: AiSdkProviderConfig): AiSdkLanguageModel {
  const made = (provider as AiSdkProvider | undefined)?.languageModel?.(model) ?? called(provider, model);
  // The operator declares that the package implements the interface; only the presence of its two methods can be checked.
  const candidate = made as Partial<AiSdkLanguageModel> | undefined;
  if (typeof candidate?.doStream !== "function" || typeof candidate.doGenerate !== "function") {
    throw unusable(config, `what '${config.factory}' makes has no language models of the AI SDK provider interface`);
  }
  return candidate as AiSdkLanguageModel;
}

function called(provider: unknown, model: string): unknown {
  return typeof provider === "function" ? provider(model) : undefined;
}

function unusable({ name, module }: AiSdkProviderConfig, why: string): Error {
  return failedPrecondition(`The model provider '${name}' cannot use '${module}': ${why}.`, {
    reason: "MODEL_PROVIDER_NOT_LOADED",
    metadata: { provider: name, module },
  });
}
