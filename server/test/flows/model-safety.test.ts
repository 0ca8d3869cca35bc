import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { type LanguageModel, LLM_CAPABILITIES, type StreamPart } from "#models";
import { startTestServer } from "#testing";
import { restOf } from "../rest.ts";

const PARENT = "projects/local/locations/us";
const APP = `${PARENT}/apps/safe-app`;

/** A language model that says one word, with or without safety settings of its own. */
const saying = (safetySettings: boolean): LanguageModel => ({
  label: "test/words",
  capabilities: { ...LLM_CAPABILITIES, safetySettings },
  async *stream(): AsyncGenerator<StreamPart, void> {
    yield { kind: "text-delta", text: "Hello." };
    yield { kind: "finish", reason: "stop", rawReason: "STOP", usage: {} };
  },
});

interface Told {
  /** What `App.validation_errors` say about the guardrail. */
  readonly errors: readonly string[];
  /** What the trace of a turn says about it. */
  readonly warnings: readonly string[];
}

/** An app with a guardrail of this threshold, and one turn with it. Without `model`, the built-in one answers. */
async function talk(threshold: string, model?: LanguageModel): Promise<Told> {
  await using server = await startTestServer(model ? { model } : {});
  const call = restOf(() => server);
  await call("POST", `${PARENT}/apps?appId=safe-app`, { displayName: "Safe" });
  await call("POST", `${APP}/guardrails?guardrailId=no-harm`, {
    displayName: "Harm",
    enabled: true,
    modelSafety: { safetySettings: [{ category: "HARM_CATEGORY_HARASSMENT", threshold }] },
    action: { respondImmediately: { responses: [{ text: "No." }] } },
  });
  await call("POST", `${APP}/agents?agentId=front-desk`, { displayName: "Front" });
  const root = { rootAgent: `${APP}/agents/front-desk`, guardrails: [`${APP}/guardrails/no-harm`] };
  const { validationErrors = [] } = await call("PATCH", `${APP}?updateMask=rootAgent,guardrails`, root);
  const session = `${APP}/sessions/one-session`;
  const { outputs } = await call("POST", `${session}:runSession`, { config: { session }, inputs: [{ text: "Hi" }] });
  assert.notEqual(outputs[0].text, "No.");
  const { warnings = [] } = outputs.at(-1).diagnosticInfo.rootSpan.attributes;
  return { errors: validationErrors, warnings };
}

describe("model_safety (GUARD-17)", () => {
  it("is a validation error of the app, and a warning of each turn, where the model takes no safety settings", async () => {
    const { errors, warnings } = await talk("BLOCK_ONLY_HIGH", saying(false));
    assert.deepEqual(errors, [
      "Guardrail 'Harm', model_safety: 'test/words' takes no safety settings, so this guardrail blocks nothing there; use a Gemini model, or add a guardrail of the type llm_policy that names what to block.",
    ]);
    assert.deepEqual(warnings, [
      "model_safety: test/words takes no safety settings, so the thresholds of the guardrails block nothing.",
    ]);
  });

  it("is neither where the model takes them, where they block nothing, and with the built-in model", async () => {
    const silent: Told = { errors: [], warnings: [] };
    assert.deepEqual(await talk("BLOCK_ONLY_HIGH", saying(true)), silent);
    assert.deepEqual((await talk("OFF", saying(false))).errors, []);
    assert.deepEqual(await talk("BLOCK_ONLY_HIGH"), silent);
  });
});
