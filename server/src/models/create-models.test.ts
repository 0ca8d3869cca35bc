import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { pino } from "pino";
import { BUILTIN_MODEL, createBuiltinModel } from "#offline";
import { modelsWith } from "./__fixtures__/call-model.ts";
import { createModels } from "./create-models.ts";
import { NO_MODELS, type ProviderConfig } from "./models-config.ts";

const deps = { logger: pino({ level: "silent" }), clock: { now: () => 0 }, localModels: [createBuiltinModel()] };
const openai = (name: string, baseUrl: string): ProviderConfig => ({
  kind: "openai",
  name,
  keySource: "SOME_KEY",
  headers: {},
  baseUrl,
  apiKey: "sk-secret",
});

describe("createModels", () => {
  it("resolves every name to the local model when nothing is configured, and reports it", async () => {
    const models = createModels(NO_MODELS, deps);
    assert.equal(models.resolve("gemini-2.5-flash").label, BUILTIN_MODEL);
    assert.deepEqual(models.status(), { defaultModel: BUILTIN_MODEL, providers: [] });
    await models.close();
  });

  it("reports where keys came from, never the keys", async () => {
    const config = { ...NO_MODELS, providers: [openai("openai", "https://api.openai.com/v1")] };
    const models = createModels(config, deps);
    assert.deepEqual(models.status(), {
      defaultModel: "openai/gpt-5-mini",
      providers: [{ name: "openai", keySource: "SOME_KEY" }],
    });
    await models.close();
  });

  it("has no default model where none can be inferred", async () => {
    const models = createModels({ ...NO_MODELS, providers: [openai("local", "http://127.0.0.1:1/v1")] }, deps);
    assert.equal(models.status().defaultModel, "");
    assert.throws(() => models.resolve(""), { code: 9 });
    await models.close();
  });

  it("resolves a name to the same model each time, and logs the model of another name once", async () => {
    await using models = modelsWith(openai("local", "http://127.0.0.1:1/v1"), { defaultModel: "local/llama3" });
    assert.equal(models.resolve("gemini-3-flash"), models.resolve("gemini-3-flash"));
    assert.equal(models.resolve("gemini-3-flash").label, "local/llama3");
    assert.equal(models.log().match(/"named":"gemini-3-flash","answers":"local\/llama3"/g)?.length, 1);
  });
});
