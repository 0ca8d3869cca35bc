import { unreachable } from "#base";
import { failedPrecondition } from "#status";
import type { LanguageModel } from "./contract.ts";
import type { ModelsConfig, ProviderConfig } from "./models-config.ts";

/** A local model, or a provider and its name for the model. */
export type ResolvedModel =
  | { readonly kind: "local"; readonly model: LanguageModel }
  | { readonly kind: "provider"; readonly provider: ProviderConfig; readonly model: string };

/**
 * Finds the model for a name as an app writes it: an alias first, then the label of a local model, then `provider/model`, then
 * the family of the name (`gemini-*`, `claude-*`, `gpt-*`, `o3`), then the only provider there is. A name whose provider is not
 * configured gets the default model; with no default, FAILED_PRECONDITION names what to set. With no provider at all the first
 * local model answers.
 */
export function resolveModel(
  name: string,
  config: ModelsConfig,
  localModels: readonly LanguageModel[] = [],
): ResolvedModel {
  const target = applyAliases(name, config.aliases);
  const [firstLocal] = localModels;
  const local = findLocal(target, localModels) ?? (config.providers.length === 0 ? firstLocal : undefined);
  if (local) return { kind: "local", model: local };
  const found = target === "" ? undefined : findModel(target, config.providers);
  return found ?? resolveDefault(target, config, localModels);
}

function findLocal(label: string, localModels: readonly LanguageModel[]): LanguageModel | undefined {
  return localModels.find((model) => model.label === label);
}

function resolveDefault(requested: string, config: ModelsConfig, localModels: readonly LanguageModel[]): ResolvedModel {
  const { defaultModel, providers } = config;
  if (defaultModel !== "") {
    const target = applyAliases(defaultModel, config.aliases);
    const local = findLocal(target, localModels);
    if (local) return { kind: "local", model: local };
    const found = findModel(target, providers);
    if (found) return found;
    throw notConfigured(target, "FRONTDESK_MODEL", config);
  }
  const [first] = providers;
  const usual = requested === "" && first ? usualModel(first) : "";
  if (first && usual !== "") return { kind: "provider", provider: first, model: usual };
  throw notConfigured(requested, "ModelSettings.model", config);
}

/** The model of a provider where none is named. Only services with the same models for every customer have one. */
function usualModel(provider: ProviderConfig): string {
  switch (provider.kind) {
    case "gemini":
      return "gemini-2.5-flash";
    case "anthropic":
      return new URL(provider.baseUrl).hostname === "api.anthropic.com" ? "claude-sonnet-4-5" : "";
    case "openai":
      return new URL(provider.baseUrl).hostname === "api.openai.com" ? "gpt-5-mini" : "";
    case "ai-sdk":
      return "";
    default:
      return unreachable(provider);
  }
}

/**
 * Names of the hosted product that no model API serves: its composite model, and the speech-to-speech ones, whose text
 * sibling takes their place. An alias of the configuration comes first.
 */
const HOSTED_ALIASES: Readonly<Record<string, string>> = {
  "gemini-composite-*": "gemini-2.5-flash",
  "gemini-*-live": "gemini-2.5-flash",
  "gemini-*-native-audio": "gemini-2.5-flash",
};

function applyAliases(name: string, aliases: ModelsConfig["aliases"]): string {
  const short = withoutResourceName(name.trim());
  return matchAlias(short, aliases) ?? matchAlias(short, HOSTED_ALIASES) ?? short;
}

/** `projects/…/publishers/google/models/gemini-2.5-flash` and `models/gemini-2.5-flash` are the same model. */
function withoutResourceName(name: string): string {
  return /^(?:(?:projects|publishers)\/.*\/)?models\/([^/]+)$/.exec(name)?.[1] ?? name;
}

/** The exact name, else the longest pattern. */
function matchAlias(name: string, aliases: ModelsConfig["aliases"]): string | undefined {
  if (Object.hasOwn(aliases, name)) return aliases[name];
  const patterns = Object.keys(aliases).filter((pattern) => pattern.includes("*") && toRegExp(pattern).test(name));
  const [best] = patterns.sort((left, right) => right.length - left.length);
  return best === undefined ? undefined : aliases[best];
}

function toRegExp(pattern: string): RegExp {
  return new RegExp(
    `^${pattern
      .split("*")
      .map((part) => RegExp.escape(part))
      .join(".*")}$`,
  );
}

/** Bare names of models that one maker's provider serves. */
interface Family {
  readonly pattern: RegExp;
  readonly kind: ProviderConfig["kind"];
  /** The name of the maker's own provider. */
  readonly provider: string;
  /** The settings that configure it. */
  readonly remedy: string;
}

const FAMILIES: readonly Family[] = [
  {
    pattern: /^(gemini|gemma)-/,
    kind: "gemini",
    provider: "google",
    remedy: "GEMINI_API_KEY, or GOOGLE_GENAI_USE_VERTEXAI with GOOGLE_CLOUD_PROJECT",
  },
  { pattern: /^claude-/, kind: "anthropic", provider: "anthropic", remedy: "ANTHROPIC_API_KEY" },
  { pattern: /^(gpt-|chatgpt-|o\d)/, kind: "openai", provider: "openai", remedy: "OPENAI_API_KEY" },
];

function findModel(name: string, providers: readonly ProviderConfig[]): ResolvedModel | undefined {
  const slash = name.indexOf("/");
  const named = slash > 0 ? providers.find((provider) => provider.name === name.slice(0, slash)) : undefined;
  if (named) return { kind: "provider", provider: named, model: name.slice(slash + 1) };
  const provider = familyProvider(name, providers);
  return provider && { kind: "provider", provider, model: name };
}

function familyProvider(name: string, providers: readonly ProviderConfig[]): ProviderConfig | undefined {
  const family = FAMILIES.find(({ pattern }) => pattern.test(name));
  if (family) {
    const { kind } = family;
    const candidates = providers.filter((provider) => provider.kind === kind);
    // A compatible server with a name of its own does not serve OpenAI's models.
    return (
      candidates.find((provider) => provider.name === family.provider) ??
      (kind === "openai" ? undefined : candidates[0])
    );
  }
  const [prefix] = name.split("/");
  if (FAMILIES.some(({ provider }) => provider === prefix && name.includes("/"))) return undefined;
  // The operator's own server has model names of no known family; it gets every unknown name if it is the only provider.
  const [only] = providers;
  return providers.length === 1 && (only?.kind === "openai" || only?.kind === "ai-sdk") ? only : undefined;
}

function notConfigured(name: string, setting: string, { providers }: ModelsConfig): Error {
  const known = providers.map((provider) => provider.name).join(", ");
  const family =
    FAMILIES.find(({ pattern }) => pattern.test(name)) ??
    FAMILIES.find(({ provider }) => provider === name.split("/")[0]);
  const problem = name === "" ? "No model is named" : `No configured provider serves the model '${name}' (${setting})`;
  const fix = family ? `Set ${family.remedy}; or set` : "Set";
  return failedPrecondition(
    `${problem}; configured: ${known}. ${fix} FRONTDESK_MODEL to 'provider/model', or an alias for it in the configuration file.`,
    { reason: "MODEL_PROVIDER_NOT_CONFIGURED", metadata: { model: name, providers: known } },
  );
}
