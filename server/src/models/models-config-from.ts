import { unreachable } from "#base";
import { type FieldViolation, invalidArgument } from "#status";
import { DEFAULT_BREAKER } from "./circuit-breaker.ts";
import type { ProxyConfig } from "./http/http-client.ts";
import { DEFAULT_RETRIES, DEFAULT_TIMEOUTS, type ModelsConfig, type ProviderConfig } from "./models-config.ts";
import { type ModelsFileSection, type ProviderFileSection, parseModelsFileSection } from "./models-file-section.ts";

/** Where the settings of the models come from. The caller reads them; this room never looks at the process. */
interface ModelsConfigSources {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The `models` section of the configuration file, parsed but not checked; `undefined` = there is none. */
  readonly file?: unknown;
}

/**
 * The models' settings, environment over file over default. The environment's names are those of the providers' own
 * clients: GOOGLE_API_KEY or GEMINI_API_KEY, GOOGLE_GENAI_USE_VERTEXAI with GOOGLE_CLOUD_PROJECT and
 * GOOGLE_CLOUD_LOCATION, OPENAI_API_KEY and OPENAI_BASE_URL, ANTHROPIC_API_KEY and ANTHROPIC_BASE_URL, HTTPS_PROXY and
 * NO_PROXY; and FRONTDESK_MODEL, the default model. Throws INVALID_ARGUMENT with all violations at once.
 */
export function modelsConfigFrom(sources: ModelsConfigSources): ModelsConfig {
  const violations: FieldViolation[] = [];
  const file = parseModelsFileSection(sources.file, violations);
  const env = (name: string) => sources.environment[name]?.trim() ?? "";
  const context: Context = { env, violations };
  const config: ModelsConfig = {
    providers: providersFrom(file, context),
    defaultModel: env("FRONTDESK_MODEL") || (file.default ?? ""),
    aliases: file.aliases ?? {},
    fallbacks: file.fallbacks ?? [],
    breaker: { ...DEFAULT_BREAKER, ...file.breaker },
    retries: { ...DEFAULT_RETRIES, ...file.retries },
    timeouts: { ...DEFAULT_TIMEOUTS, ...file.timeouts },
    proxy: file.proxy ?? proxyFrom(context),
  };
  checkFallbacks(config, violations);
  if (violations.length > 0) throw invalidArgument(violations);
  return config;
}

/** An unknown model would be found out when another one is down. */
function checkFallbacks({ fallbacks, providers }: ModelsConfig, violations: FieldViolation[]): void {
  for (const [at, label] of fallbacks.entries()) {
    if (providers.some(({ name }) => label.startsWith(`${name}/`))) continue;
    violations.push({
      field: `models.fallbacks.${at}`,
      description: `'${label}' is no model of a configured provider: use provider/model`,
    });
  }
}

interface Context {
  readonly env: (name: string) => string;
  readonly violations: FieldViolation[];
}

/** The environment variables of a provider. */
interface Known {
  readonly type: "gemini" | "openai" | "anthropic";
  readonly keys: readonly string[];
  readonly baseUrl?: string;
}

/** Google's client prefers GOOGLE_API_KEY when both are set, so we do. */
const KNOWN: Readonly<Record<string, Known>> = {
  google: { type: "gemini", keys: ["GOOGLE_API_KEY", "GEMINI_API_KEY"] },
  openai: { type: "openai", keys: ["OPENAI_API_KEY"], baseUrl: "OPENAI_BASE_URL" },
  anthropic: { type: "anthropic", keys: ["ANTHROPIC_API_KEY"], baseUrl: "ANTHROPIC_BASE_URL" },
};

/** The file's providers in its order, completed from the environment, then those that only the environment knows. */
function providersFrom(file: ModelsFileSection, context: Context): ProviderConfig[] {
  const sections = new Map<string, ProviderFileSection>(Object.entries(file.providers ?? {}));
  for (const [name, { type }] of Object.entries(KNOWN)) {
    if (!sections.has(name) && isInEnvironment(name, context)) sections.set(name, { type });
  }
  return [...sections].map(([name, section]) => providerFrom(name, section, context));
}

function isInEnvironment(name: string, { env }: Context): boolean {
  const known = KNOWN[name];
  if (!known) return false;
  const named = [...known.keys, ...(known.baseUrl ? [known.baseUrl] : [])].some((variable) => env(variable) !== "");
  return named || (name === "google" && usesVertex(env));
}

function usesVertex(env: Context["env"]): boolean {
  return ["true", "1"].includes(env("GOOGLE_GENAI_USE_VERTEXAI").toLowerCase());
}

function providerFrom(name: string, section: ProviderFileSection, context: Context): ProviderConfig {
  const known = KNOWN[name]?.type === section.type ? KNOWN[name] : undefined;
  const { apiKey, keySource } = keyFrom(name, section, known, context);
  const basics = { name, keySource };
  if (section.type === "ai-sdk") {
    const { module, factory, options } = section;
    return { kind: "ai-sdk", ...basics, module, factory, options: { ...options, ...(apiKey !== "" && { apiKey }) } };
  }
  const headers = section.headers ?? {};
  const baseUrl = baseUrlFrom(section.baseUrl, known, context);
  switch (section.type) {
    case "gemini":
      return geminiFrom({ ...basics, headers, baseUrl }, apiKey, section.vertex, context);
    case "openai":
      return { kind: "openai", ...basics, headers, apiKey, baseUrl: baseUrl || "https://api.openai.com/v1" };
    case "anthropic":
      return { kind: "anthropic", ...basics, headers, apiKey, baseUrl: baseUrl || "https://api.anthropic.com" };
    default:
      return unreachable(section);
  }
}

function keyFrom(
  name: string,
  section: ProviderFileSection,
  known: Known | undefined,
  { env, violations }: Context,
): { readonly apiKey: string; readonly keySource: string } {
  const { apiKeyEnv } = section;
  if (apiKeyEnv !== undefined && env(apiKeyEnv) === "") {
    violations.push({
      field: `models.providers.${name}.apiKeyEnv`,
      description: `the environment variable ${apiKeyEnv} is not set`,
    });
  }
  const variable = apiKeyEnv ?? known?.keys.find((candidate) => env(candidate) !== "");
  if (variable !== undefined) return { apiKey: env(variable), keySource: variable };
  return section.apiKey
    ? { apiKey: section.apiKey, keySource: "configuration file" }
    : { apiKey: "", keySource: "none" };
}

function baseUrlFrom(written: string | undefined, known: Known | undefined, { env, violations }: Context): string {
  const variable = known?.baseUrl;
  const value = variable === undefined ? "" : env(variable);
  if (value === "") return written ?? "";
  if (!/^https?:$/.test(URL.parse(value)?.protocol ?? "")) {
    violations.push({ field: String(variable), description: "must be an http or https URL" });
  }
  return value;
}

type GeminiBasics = Pick<Extract<ProviderConfig, { kind: "gemini" }>, "name" | "keySource" | "headers" | "baseUrl">;

function geminiFrom(
  basics: GeminiBasics,
  apiKey: string,
  vertex: { readonly project: string; readonly location: string } | undefined,
  { env, violations }: Context,
): ProviderConfig {
  const keySource = "application default credentials";
  if (vertex) return { kind: "gemini", ...basics, keySource, access: { kind: "vertex", ...vertex } };
  if (basics.name === "google" && usesVertex(env)) {
    const project = env("GOOGLE_CLOUD_PROJECT");
    if (project === "") {
      violations.push({ field: "GOOGLE_CLOUD_PROJECT", description: "is required with GOOGLE_GENAI_USE_VERTEXAI" });
    }
    const location = env("GOOGLE_CLOUD_LOCATION") || "global";
    return { kind: "gemini", ...basics, keySource, access: { kind: "vertex", project, location } };
  }
  if (apiKey === "" && basics.keySource === "none") {
    const field = `models.providers.${basics.name}`;
    violations.push({ field, description: "needs apiKey, apiKeyEnv or vertex" });
  }
  return { kind: "gemini", ...basics, access: { kind: "api-key", apiKey } };
}

/** As curl and its kin read it; the lower-case names are the older ones. */
function proxyFrom({ env, violations }: Context): ProxyConfig | undefined {
  const variable = env("HTTPS_PROXY") ? "HTTPS_PROXY" : "https_proxy";
  const url = env(variable);
  if (url === "") return undefined;
  if (!URL.canParse(url)) violations.push({ field: variable, description: "must be a URL" });
  return { url, except: env("NO_PROXY") || env("no_proxy") };
}
