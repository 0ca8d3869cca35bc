import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { BUILTIN_MODEL, createBuiltinModel } from "#offline";
import { Code } from "#status";
import { type ModelsConfig, NO_MODELS, type ProviderConfig } from "./models-config.ts";
import { resolveModel } from "./resolve-model.ts";

const LOCAL = [createBuiltinModel()];
const basics = { keySource: "test", headers: {} };
const GOOGLE: ProviderConfig = {
  kind: "gemini",
  name: "google",
  ...basics,
  baseUrl: "",
  access: { kind: "api-key", apiKey: "k" },
};
const OPENAI: ProviderConfig = {
  kind: "openai",
  name: "openai",
  ...basics,
  baseUrl: "https://api.openai.com/v1",
  apiKey: "k",
};
const CLAUDE: ProviderConfig = {
  kind: "anthropic",
  name: "anthropic",
  ...basics,
  baseUrl: "https://api.anthropic.com",
  apiKey: "k",
};
const OLLAMA: ProviderConfig = {
  kind: "openai",
  name: "ollama",
  ...basics,
  baseUrl: "http://localhost:11434/v1",
  apiKey: "",
};

function resolve(name: string, config: Partial<ModelsConfig>): string {
  const resolved = resolveModel(name, { ...NO_MODELS, ...config }, LOCAL);
  return resolved.kind === "local" ? resolved.model.label : `${resolved.provider.name}/${resolved.model}`;
}

function resolveAll(config: Partial<ModelsConfig>, ...names: readonly string[]): string[] {
  return names.map((name) => resolve(name, config));
}

describe("resolveModel", () => {
  it("finds the provider by the family of a name", () => {
    const providers = [OPENAI, CLAUDE, GOOGLE];
    const names = ["gemini-3-flash", "claude-opus-4-5", "gpt-5-mini", "o3", "chatgpt-4o-latest"];
    assert.deepEqual(resolveAll({ providers }, ...names), [
      "google/gemini-3-flash",
      "anthropic/claude-opus-4-5",
      "openai/gpt-5-mini",
      "openai/o3",
      "openai/chatgpt-4o-latest",
    ]);
  });

  it("accepts provider/model literally, slashes in the model included", () => {
    const names = ["ollama/llama3", "ollama/hf.co/org/model", "google/gemini-3-flash"];
    assert.deepEqual(resolveAll({ providers: [GOOGLE, OLLAMA] }, ...names), names);
  });

  it("resolves Google's resource names to their model", () => {
    const names = [
      "models/gemini-2.5-flash",
      "publishers/google/models/gemini-2.5-flash",
      "projects/p/locations/us/publishers/google/models/gemini-2.5-flash",
    ];
    assert.deepEqual(resolveAll({ providers: [GOOGLE] }, ...names), Array(3).fill("google/gemini-2.5-flash"));
  });

  it("applies aliases, the exact one first, then the longest pattern", () => {
    const aliases = { "gemini-*": "ollama/llama3", "gemini-3*": "ollama/qwen3", "gemini-3-pro": BUILTIN_MODEL };
    const config = { providers: [GOOGLE, OLLAMA], aliases };
    const names = ["gemini-2.5-flash", "gemini-3-flash", "gemini-3-pro", "gemini-composite-v1", "my-gemini-3"];
    assert.deepEqual(resolveAll({ ...config, defaultModel: "google/x" }, ...names), [
      "ollama/llama3",
      "ollama/qwen3",
      BUILTIN_MODEL,
      "ollama/llama3",
      "google/x",
    ]);
  });

  it("runs the hosted product's own model names on their text sibling", () => {
    const names = ["gemini-composite-v1", "gemini-3.1-flash-live", "gemini-3-flash-native-audio"];
    assert.deepEqual(resolveAll({ providers: [GOOGLE] }, ...names), Array(3).fill("google/gemini-2.5-flash"));
  });

  it("answers with the built-in model when no provider is configured, whatever the name", () => {
    const config = { defaultModel: "gpt-5-mini" };
    assert.deepEqual(resolveAll(config, "", "gemini-2.5-flash", "ollama/llama3"), Array(3).fill(BUILTIN_MODEL));
    assert.equal(resolve(BUILTIN_MODEL, { providers: [GOOGLE] }), BUILTIN_MODEL);
    assert.equal(resolve("", { providers: [GOOGLE], defaultModel: BUILTIN_MODEL }), BUILTIN_MODEL);
  });

  it("answers with the default model when none is named or its provider is not configured", () => {
    const config = { providers: [OLLAMA], defaultModel: "llama3" };
    assert.deepEqual(
      resolveAll(config, "", "gemini-2.5-flash", "anthropic/claude-opus-4-5", "gpt-5"),
      Array(4).fill("ollama/llama3"),
    );
    assert.equal(resolve("qwen3", config), "ollama/qwen3");
  });

  it("gives a name of no known family to the only provider, when it is a server of the operator's own", () => {
    assert.equal(resolve("qwen3", { providers: [OLLAMA] }), "ollama/qwen3");
    for (const providers of [[OLLAMA, GOOGLE], [GOOGLE], [CLAUDE]])
      assert.throws(() => resolve("qwen3", { providers }), { code: Code.FailedPrecondition });
  });

  it("knows the usual model of the services that everybody has the same models at", () => {
    const first = (provider: ProviderConfig) => resolve("", { providers: [provider, OLLAMA] });
    assert.deepEqual([GOOGLE, OPENAI, CLAUDE].map(first), [
      "google/gemini-2.5-flash",
      "openai/gpt-5-mini",
      "anthropic/claude-sonnet-4-5",
    ]);
  });

  it("answers FAILED_PRECONDITION and names what to set when nothing fits", () => {
    assert.throws(() => resolve("gemini-2.5-flash", { providers: [OPENAI, CLAUDE] }), {
      code: 9,
      rawMessage:
        "No configured provider serves the model 'gemini-2.5-flash' (ModelSettings.model); configured: openai, anthropic. " +
        "Set GEMINI_API_KEY, or GOOGLE_GENAI_USE_VERTEXAI with GOOGLE_CLOUD_PROJECT; or set FRONTDESK_MODEL to 'provider/model', " +
        "or an alias for it in the configuration file.",
    });
    assert.throws(() => resolve("gemini-2.5-flash", { providers: [OPENAI], defaultModel: "claude-opus-4-5" }), {
      code: 9,
      rawMessage:
        /^No configured provider serves the model 'claude-opus-4-5' \(FRONTDESK_MODEL\); configured: openai\. Set ANTHROPIC_API_KEY; /,
    });
    assert.throws(() => resolve("", { providers: [OLLAMA] }), {
      code: 9,
      rawMessage: /^No model is named; configured: ollama\. Set FRONTDESK_MODEL to 'provider\/model'/,
    });
  });
});
