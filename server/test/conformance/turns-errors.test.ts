import assert from "node:assert/strict";
import { describe } from "node:test";
import { resourceExhausted, unavailable } from "#status";
import { say } from "#testing";
import { turnServer } from "./verifies-turn.ts";

const verifiesTurn = turnServer();

const OUTAGE = unavailable("The model is down.", { reason: "MODEL_CALL_FAILED" });
const fallback = (customFallbackMessages: object) => ({
  errorHandlingStrategy: "FALLBACK_RESPONSE",
  fallbackResponseConfig: { customFallbackMessages, maxFallbackAttempts: 3 },
});

describe("turns: errors", () => {
  verifiesTurn("turn-error-language", {
    app: {
      agents: { Root: {} },
      app: {
        languageSettings: { defaultLanguageCode: "fr-FR" },
        errorHandlingSettings: fallback({ "en-US": "Sorry.", "fr-FR": "Désolé." }),
      },
    },
    model: [OUTAGE],
    talk: async ({ say: ask }) => {
      assert.deepEqual((await ask("Bonjour")).texts, ["Désolé."]);
    },
  });

  verifiesTurn("turn-error-quota", {
    app: { agents: { Root: {} } },
    model: [resourceExhausted("The model's quota is used up."), say("Back.")],
    talk: async ({ say: ask }) => {
      assert.equal((await ask("Hello")).error?.code, "RESOURCE_EXHAUSTED");
      assert.deepEqual((await ask("Hello")).texts, ["Back."]);
    },
  });

  verifiesTurn("turn-error-empty", {
    app: { agents: { Root: {} }, app: { errorHandlingSettings: fallback({ "en-US": "Sorry." }) } },
    model: [say("")],
    talk: async ({ say: ask }) => {
      const turn = await ask("Hello");
      assert.deepEqual(turn.texts, ["Sorry."]);
      assert.match(JSON.stringify(turn.outputs.at(-1)?.diagnosticInfo?.rootSpan), /empty_response/);
    },
  });
});
