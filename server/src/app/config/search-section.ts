import { join, resolve } from "node:path";
import { z } from "zod";
import { definedFields, nonEmptyFields } from "#base";
import { embeddingViolations, type ModelsConfig } from "#models";
import { LANGUAGES, languageOfTag, type SearchConfig, type StoreSettings, type WebSettings } from "#search";
import { ConfigPath } from "./config-path.ts";
import { requireAllRead } from "./config-values.ts";

const url = z.url({ protocol: /^https?$/, error: "must be an http or https URL" });
const name = (pattern: RegExp, form: string) =>
  z.string().regex(pattern, `must look like ${form}; * matches any one segment`);
const STORE = name(
  /^projects\/[^/]+\/locations\/[^/]+\/collections\/[^/]+\/dataStores\/[^/]+$/,
  "projects/*/locations/*/collections/*/dataStores/{id}",
);
const ENGINE = name(
  /^projects\/[^/]+\/locations\/[^/]+\/collections\/[^/]+\/engines\/[^/]+$/,
  "projects/*/locations/*/collections/*/engines/{id}",
);
const CORPUS = name(/^projects\/[^/]+\/locations\/[^/]+\/ragCorpora\/[^/]+$/, "projects/*/locations/*/ragCorpora/{id}");

const language = z
  .string()
  .refine((tag) => languageOfTag(tag) !== undefined, `use one of ${Object.keys(LANGUAGES).join(", ")}`)
  .transform(languageOfTag)
  .optional();
const apps = z.array(z.string().min(1)).min(1).optional();
const folder = z.strictObject({ folder: ConfigPath, baseUrl: url.optional(), language, apps });
const sitemap = z.strictObject({
  sitemap: url,
  apps,
  maxPages: z.number().int().positive().max(20_000).default(500),
  refreshHours: z
    .number()
    .positive()
    .max(24 * 365)
    .default(24),
  language,
});
const key = { apiKey: z.string().min(1).optional(), apiKeyEnv: z.string().min(1).optional() };

/** The section `search` of the config file. */
export const SearchSectionSchema = z.strictObject({
  dataStores: z.record(STORE, z.union([folder, sitemap])).optional(),
  engines: z.record(ENGINE, z.array(z.string().min(1))).optional(),
  corpora: z.record(CORPUS, folder).optional(),
  files: ConfigPath.optional(),
  embeddings: z.string().min(3).optional(),
  vertex: z.strictObject({ endpoint: url.optional() }).optional(),
  web: z
    .discriminatedUnion("type", [
      z.strictObject({
        type: z.literal("gemini"),
        ...key,
        endpoint: url.optional(),
        model: z.string().min(1).optional(),
      }),
      z.strictObject({
        type: z.literal("programmable"),
        ...key,
        endpoint: url.optional(),
        engineId: z.string().min(1),
      }),
      z.strictObject({ type: z.literal("brave"), ...key, endpoint: url.optional() }),
      z.strictObject({ type: z.literal("searxng"), endpoint: url }),
      z.strictObject({ type: z.literal("none") }),
    ])
    .optional(),
});

type Section = z.infer<typeof SearchSectionSchema>;

/** Configuration of search and of its embedding model. */
export interface SearchSettings extends SearchConfig {
  /** The embedding model as `provider/model`; "" = none. */
  readonly embeddings: string;
}

/** Other settings that the section depends on. */
interface SearchSectionContext {
  readonly dataDir: string;
  readonly models: ModelsConfig;
  readonly variable: (name: string) => string | undefined;
}

/** The section as configuration of the search. Throws an `Error` for an invalid setting. */
export function searchSettings(section: Section = {}, context: SearchSectionContext): SearchSettings {
  const { dataStores, engines = {}, corpora, files, embeddings = "", vertex, web: source, ...unread } = section;
  requireAllRead(unread);
  const { dataDir, models } = context;
  const [fault] = embeddings ? embeddingViolations(embeddings, "search.embeddings", models) : [];
  if (fault) throw new Error(`${fault.field}: ${fault.description}.`);
  const web = webSettings(source, context);
  return {
    dataStores: mapValues(dataStores, toStore),
    engines,
    corpora: mapValues(corpora, toFolder),
    ...appsOf({ ...dataStores, ...corpora }),
    filesFolder: resolve(files ?? join(dataDir, "files")),
    indexFolder: join(dataDir, "search"),
    embeddings,
    ...(vertex && { vertex: { endpoint: base(vertex.endpoint) } }),
    ...definedFields({ web }),
  };
}

/** Which apps may search what, for those that the section limits. */
function appsOf(sections: Readonly<Record<string, { readonly apps?: readonly string[] | undefined }>>) {
  const limited = Object.entries(sections).flatMap(([key, { apps }]) => (apps ? [[key, apps] as const] : []));
  return limited.length > 0 ? { apps: Object.fromEntries(limited) } : {};
}

function toStore(settings: NonNullable<Section["dataStores"]>[string]): StoreSettings {
  if ("folder" in settings) return { kind: "folder", ...toFolder(settings) };
  const { refreshHours, sitemap: address, maxPages, language: known } = settings;
  const refreshMs = refreshHours * 3_600_000;
  return { kind: "sitemap", sitemap: address, maxPages, refreshMs, ...definedFields({ language: known }) };
}

function toFolder({ folder: path, baseUrl, language: known }: z.infer<typeof folder>) {
  return { folder: resolve(path), ...nonEmptyFields({ baseUrl, language: known }) };
}

/** Without a setting, Gemini searches the web if it is configured as a model: imported apps then work as they did. */
function webSettings(section: Section["web"], context: SearchSectionContext): WebSettings | undefined {
  if (!section) return context.models.providers.some(({ kind }) => kind === "gemini") ? gemini({}, context) : undefined;
  switch (section.type) {
    case "none":
      return undefined;
    case "searxng":
      return { kind: "searxng", endpoint: base(section.endpoint) };
    case "gemini":
      return gemini(section, context);
    case "brave":
      return { kind: "brave", endpoint: base(section.endpoint), apiKey: keyOf(section, context) };
    default: {
      const { engineId } = section;
      return { kind: "programmable", endpoint: base(section.endpoint), apiKey: keyOf(section, context), engineId };
    }
  }
}

/** A fast model with Google Search grounding. */
const GROUNDING_MODEL = "gemini-2.5-flash";

interface GeminiSection {
  readonly apiKey?: string | undefined;
  readonly apiKeyEnv?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly model?: string | undefined;
}

function gemini(section: GeminiSection, context: SearchSectionContext): WebSettings {
  const { model = GROUNDING_MODEL, endpoint } = section;
  const provider = context.models.providers.find((each) => each.kind === "gemini");
  const own = section.apiKey !== undefined || section.apiKeyEnv !== undefined;
  if (own || !provider) {
    const apiKey = keyOf(section, context);
    return { kind: "gemini", model, endpoint: base(endpoint), access: { kind: "api-key", apiKey } };
  }
  return { kind: "gemini", model, endpoint: base(endpoint ?? provider.baseUrl), access: provider.access };
}

function keyOf({ apiKey, apiKeyEnv }: GeminiSection, { variable }: SearchSectionContext): string {
  if (apiKeyEnv === undefined) {
    if (apiKey !== undefined) return apiKey;
    throw new Error("search.web needs apiKey, or apiKeyEnv with the name of the environment variable that holds it.");
  }
  const value = variable(apiKeyEnv);
  if (value) return value;
  throw new Error(`search.web.apiKeyEnv: the environment variable ${apiKeyEnv} is not set.`);
}

function base(address: string | undefined): string {
  return (address ?? "").replace(/\/+$/, "");
}

function mapValues<From, To>(record: Readonly<Record<string, From>> | undefined, map: (value: From) => To) {
  return Object.fromEntries(Object.entries(record ?? {}).map(([each, value]) => [each, map(value)]));
}
