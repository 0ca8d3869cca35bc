import assert from "node:assert/strict";
import { resolve } from "node:path";
import { describe, it } from "node:test";
import { type ModelsConfig, modelsConfigFrom } from "#models";
import { SearchSectionSchema, searchSettings } from "./search-section.ts";

const STORE = "projects/*/locations/*/collections/*/dataStores/handbook";
const NO_MODELS = modelsConfigFrom({ environment: {} });
const GEMINI = modelsConfigFrom({ environment: { GOOGLE_API_KEY: "g-key" } });

function settings(
  section: object | undefined,
  models: ModelsConfig = NO_MODELS,
  environment: Record<string, string> = {},
) {
  const parsed = section && SearchSectionSchema.parse(section);
  return searchSettings(parsed, { dataDir: "/data", models, variable: (name) => environment[name] });
}

describe("the section search", () => {
  it("defaults to files in the data folder", () => {
    assert.deepEqual(settings(undefined), {
      dataStores: {},
      engines: {},
      corpora: {},
      filesFolder: resolve("/data/files"),
      indexFolder: resolve("/data/search"),
      embeddings: "",
    });
  });

  it("maps data stores to folders and sitemaps", () => {
    const site = STORE.replace("handbook", "site");
    const { dataStores } = settings({
      dataStores: {
        [STORE]: { folder: "docs", baseUrl: "https://d.example" },
        [site]: { sitemap: "https://d.example/s.xml", language: "pt-BR" },
      },
    });
    assert.deepEqual(dataStores, {
      [STORE]: { kind: "folder", folder: resolve("docs"), baseUrl: "https://d.example" },
      [site]: {
        kind: "sitemap",
        sitemap: "https://d.example/s.xml",
        maxPages: 500,
        refreshMs: 86_400_000,
        language: "pt",
      },
    });
  });

  it("lets Gemini search the web if its key is set, unless another provider or none is configured", () => {
    const access = { kind: "api-key", apiKey: "g-key" };
    assert.deepEqual(settings(undefined, GEMINI).web, {
      kind: "gemini",
      model: "gemini-2.5-flash",
      endpoint: "",
      access,
    });
    assert.equal(settings({ web: { type: "none" } }, GEMINI).web, undefined);
    const searxng = settings({ web: { type: "searxng", endpoint: "http://localhost:8888/" } }, GEMINI);
    assert.deepEqual(searxng.web, { kind: "searxng", endpoint: "http://localhost:8888" });
  });

  it("reads keys from environment variables", () => {
    const web = { type: "brave", apiKeyEnv: "BRAVE" };
    assert.deepEqual(settings({ web }, NO_MODELS, { BRAVE: "b-key" }).web, {
      kind: "brave",
      endpoint: "",
      apiKey: "b-key",
    });
    assert.throws(() => settings({ web }), /search.web.apiKeyEnv: the environment variable BRAVE is not set/);
    assert.throws(() => settings({ web: { type: "programmable", engineId: "cx" } }), /search.web needs apiKey/);
  });

  it("accepts an embedding model of a configured provider only", () => {
    assert.equal(
      settings({ embeddings: "google/gemini-embedding-001" }, GEMINI).embeddings,
      "google/gemini-embedding-001",
    );
    assert.throws(
      () => settings({ embeddings: "google/gemini-embedding-001" }),
      /search.embeddings: .* configured: none/,
    );
  });

  it("rejects invalid resource names, and unknown keys", () => {
    assert.equal(SearchSectionSchema.safeParse({ dataStores: { handbook: { folder: "docs" } } }).success, false);
    assert.equal(
      SearchSectionSchema.safeParse({ dataStores: { [STORE]: { folder: "docs", glob: "*" } } }).success,
      false,
    );
    assert.equal(SearchSectionSchema.safeParse({ web: { type: "bing" } }).success, false);
  });
});
