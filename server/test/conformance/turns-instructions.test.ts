import assert from "node:assert/strict";
import { describe } from "node:test";
import { say } from "#testing";
import { turnServer } from "./verifies-turn.ts";

const verifiesTurn = turnServer();

const object = (name: string, value: object) => ({
  name,
  description: "",
  schema: { type: "OBJECT", default: value },
});

describe("turns: instructions", () => {
  verifiesTurn("turn-nested-variable", {
    app: {
      agents: { Root: { instruction: "{{user.profile.name}}, {{user.age}}, {{user.profile}}, {{user.missing.name}}" } },
      app: { variableDeclarations: [object("user", { profile: { name: 'Ada "A" {x}' }, age: 36 })] },
    },
    model: [say("Hello.")],
    talk: async ({ say: ask, model }) => {
      await ask("Hello");
      assert.equal(model.requests[0]?.system, 'Ada "A" {x}, 36, {"name":"Ada \\"A\\" {x}"}, {{user.missing.name}}');
    },
  });

  verifiesTurn("turn-references", {
    app: {
      agents: {
        Root: {
          instruction: "Ask {@AGENT: Billing Desk} or {@TOOL: look_up}.",
          childAgents: ["$APP/agents/the-billing-desk"],
        },
        "Billing Desk": {},
      },
    },
    model: [say("Hello.")],
    talk: async ({ say: ask, model }) => {
      await ask("Hello");
      assert.match(model.requests[0]?.system ?? "", /^Ask Billing Desk or look_up\./);
    },
  });

  verifiesTurn("turn-multilingual", {
    app: {
      agents: { Root: { instruction: "Help." } },
      app: {
        languageSettings: {
          defaultLanguageCode: "en-US",
          supportedLanguageCodes: ["fr-FR"],
          enableMultilingualSupport: true,
        },
      },
    },
    model: [say("Bonjour.")],
    talk: async ({ say: ask, model }) => {
      await ask("Bonjour");
      assert.match(model.requests[0]?.system ?? "", /^Help\.[\s\S]*en-US, fr-FR/);
    },
  });
});
