import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { NO_MODELS } from "./models-config.ts";
import { modelsConfigFrom } from "./models-config-from.ts";

describe("modelsConfigFrom", () => {
  it("configures nothing from nothing", () => {
    assert.deepEqual(modelsConfigFrom({ environment: {} }), { ...NO_MODELS, proxy: undefined });
  });

  it("reads the environment's names of the providers' own clients", () => {
    const environment = {
      GEMINI_API_KEY: " g-key\n",
      OPENAI_API_KEY: "o-key",
      OPENAI_BASE_URL: "http://localhost:8000/v1",
      ANTHROPIC_API_KEY: "a-key",
      FRONTDESK_MODEL: "gpt-5",
      HTTPS_PROXY: "http://proxy:3128",
      NO_PROXY: "localhost",
    };
    const headers = {};
    assert.deepEqual(modelsConfigFrom({ environment }), {
      ...NO_MODELS,
      providers: [
        {
          kind: "gemini",
          name: "google",
          keySource: "GEMINI_API_KEY",
          headers,
          baseUrl: "",
          access: { kind: "api-key", apiKey: "g-key" },
        },
        {
          kind: "openai",
          name: "openai",
          keySource: "OPENAI_API_KEY",
          headers,
          baseUrl: "http://localhost:8000/v1",
          apiKey: "o-key",
        },
        {
          kind: "anthropic",
          name: "anthropic",
          keySource: "ANTHROPIC_API_KEY",
          headers,
          baseUrl: "https://api.anthropic.com",
          apiKey: "a-key",
        },
      ],
      defaultModel: "gpt-5",
      proxy: { url: "http://proxy:3128", except: "localhost" },
    });
  });

  it("prefers GOOGLE_API_KEY, as Google's client does", () => {
    const environment = { GEMINI_API_KEY: "one", GOOGLE_API_KEY: "two" };
    assert.equal(modelsConfigFrom({ environment }).providers[0]?.keySource, "GOOGLE_API_KEY");
  });

  it("reads Vertex AI, global unless a location is named", () => {
    const environment = { GOOGLE_GENAI_USE_VERTEXAI: "True", GOOGLE_CLOUD_PROJECT: "p" };
    const provider = {
      kind: "gemini",
      name: "google",
      keySource: "application default credentials",
      headers: {},
      baseUrl: "",
    };
    assert.deepEqual(modelsConfigFrom({ environment }).providers, [
      { ...provider, access: { kind: "vertex", project: "p", location: "global" } },
    ]);
    const located = modelsConfigFrom({ environment: { ...environment, GOOGLE_CLOUD_LOCATION: "eu" } });
    assert.deepEqual(located.providers, [{ ...provider, access: { kind: "vertex", project: "p", location: "eu" } }]);
  });

  it("accepts a base URL alone for a server that requires no key", () => {
    const environment = { OPENAI_BASE_URL: "http://localhost:11434/v1" };
    const [provider] = modelsConfigFrom({ environment }).providers;
    assert.deepEqual([provider?.name, provider?.keySource], ["openai", "none"]);
  });

  it("reads the file's section, and completes it from the environment, which wins", () => {
    const file = {
      default: "ollama/llama3",
      aliases: { "gemini-*": "ollama/llama3" },
      fallbacks: ["ollama/llama3"],
      breaker: { failures: 7 },
      retries: { attempts: 5 },
      timeouts: { answerMs: 1000 },
      providers: {
        ollama: { type: "openai", baseUrl: "http://localhost:11434/v1" },
        groq: {
          type: "openai",
          baseUrl: "https://api.groq.com/openai/v1",
          apiKeyEnv: "GROQ_KEY",
          headers: { "x-a": "b" },
        },
        mistral: {
          type: "ai-sdk",
          module: "@ai-sdk/mistral",
          factory: "createMistral",
          apiKey: "m-key",
          options: { fast: true },
        },
        google: { type: "gemini", vertex: { project: "p" } },
        openai: { type: "openai", apiKey: "from-file" },
      },
    };
    const environment = { GROQ_KEY: "q-key", OPENAI_API_KEY: "from-environment", FRONTDESK_MODEL: "groq/qwen" };
    const basics = { headers: {}, keySource: "none" };
    assert.deepEqual(modelsConfigFrom({ environment, file }), {
      providers: [
        { kind: "openai", name: "ollama", ...basics, baseUrl: "http://localhost:11434/v1", apiKey: "" },
        {
          kind: "openai",
          name: "groq",
          keySource: "GROQ_KEY",
          headers: { "x-a": "b" },
          baseUrl: "https://api.groq.com/openai/v1",
          apiKey: "q-key",
        },
        {
          kind: "ai-sdk",
          name: "mistral",
          keySource: "configuration file",
          module: "@ai-sdk/mistral",
          factory: "createMistral",
          options: { fast: true, apiKey: "m-key" },
        },
        {
          kind: "gemini",
          name: "google",
          headers: {},
          keySource: "application default credentials",
          baseUrl: "",
          access: { kind: "vertex", project: "p", location: "global" },
        },
        {
          kind: "openai",
          name: "openai",
          headers: {},
          keySource: "OPENAI_API_KEY",
          baseUrl: "https://api.openai.com/v1",
          apiKey: "from-environment",
        },
      ],
      defaultModel: "groq/qwen",
      aliases: { "gemini-*": "ollama/llama3" },
      fallbacks: ["ollama/llama3"],
      breaker: { failures: 7, openMs: 10_000, silentMs: 120_000 },
      retries: { attempts: 5, baseDelayMs: 500, maxDelayMs: 10_000 },
      timeouts: { connectMs: 10_000, answerMs: 1000 },
      proxy: undefined,
    });
  });

  it("does not send OpenAI's key to another server", () => {
    const file = { providers: { other: { type: "openai", baseUrl: "http://other/v1" } } };
    const { providers } = modelsConfigFrom({ environment: { OPENAI_API_KEY: "o-key" }, file });
    assert.deepEqual(
      providers.map((provider) => [provider.name, "apiKey" in provider && provider.apiKey]),
      [
        ["other", ""],
        ["openai", "o-key"],
      ],
    );
  });

  it("reports all violations at once, none of which shows a key", () => {
    const file = {
      defualt: "typo",
      retries: { attempts: 0 },
      providers: {
        Bad: { type: "openai" },
        groq: { type: "openai", apiKeyEnv: "GROQ_KEY", baseUrl: "groq" },
        sdk: { type: "ai-sdk", module: "x" },
        what: { type: "cohere" },
      },
    };
    const environment = { OPENAI_BASE_URL: "localhost", OPENAI_API_KEY: "sk-secret", GOOGLE_GENAI_USE_VERTEXAI: "1" };
    assert.throws(
      () => modelsConfigFrom({ environment, file }),
      (error: Error & { code: number; rawMessage: string }) => {
        assert.equal(error.code, 3);
        for (const field of [
          "models.retries.attempts",
          "models.providers.groq.baseUrl",
          "models.providers.sdk.factory",
        ]) {
          assert.ok(error.rawMessage.includes(`${field}: `), `${field} in ${error.rawMessage}`);
        }
        for (const field of [
          "models.providers.what.type",
          "models.providers.Bad",
          "OPENAI_BASE_URL",
          "GOOGLE_CLOUD_PROJECT",
        ]) {
          assert.ok(error.rawMessage.includes(`${field}: `), `${field} in ${error.rawMessage}`);
        }
        assert.ok(error.rawMessage.includes("defualt"));
        assert.equal(error.rawMessage.includes("sk-secret"), false);
        return true;
      },
    );
    const missing = { providers: { groq: { type: "openai", apiKeyEnv: "GROQ_KEY" }, gem: { type: "gemini" } } };
    assert.throws(() => modelsConfigFrom({ environment: {}, file: missing }), {
      rawMessage:
        "models.providers.groq.apiKeyEnv: the environment variable GROQ_KEY is not set; " +
        "models.providers.gem: needs apiKey, apiKeyEnv or vertex",
    });
  });
});
