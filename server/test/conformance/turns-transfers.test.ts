import assert from "node:assert/strict";
import { describe } from "node:test";
import { call, say } from "#testing";
import { turnServer } from "./verifies-turn.ts";

const verifiesTurn = turnServer();

const targetsIn = (system = "") => [...system.matchAll(/^Agent name: (.*)$/gm)].map(([, name]) => name);

describe("turns: transfers", () => {
  verifiesTurn("turn-transfer-argument", {
    app: { agents: { Root: { childAgents: ["$APP/agents/the-billing"] }, Billing: {} } },
    model: [call("transfer_to_agent", { agent: "Billing" }), say("Which invoice?")],
    talk: async ({ say: ask }) => {
      assert.deepEqual((await ask("My invoice")).shape().at(-1), ["Billing", "text"]);
    },
  });

  verifiesTurn("turn-transfer-targets", {
    app: {
      agents: {
        Root: { childAgents: ["$APP/agents/the-sales", "$APP/agents/the-billing"] },
        Sales: {},
        Billing: { childAgents: ["$APP/agents/the-refunds"] },
        Refunds: {},
      },
    },
    model: [say("Hello.")],
    talk: async ({ say: ask, app, model }) => {
      await ask("Hello", { entryAgent: `${app}/agents/the-billing` });
      assert.deepEqual(targetsIn(model.requests[0]?.system), ["Refunds", "Root"]);
    },
  });

  const wantsPerson = (parameter: string) => ({
    childAgent: "$APP/agents/the-desk",
    direction: "PARENT_TO_CHILD",
    deterministicTransfer: {
      pythonCodeCondition: {
        pythonCode: `def should_trigger_transfer_callback(${parameter}):\n    return 'person' in ${parameter}.get_last_user_input()[0].text\n`,
      },
    },
  });
  verifiesTurn("turn-rule-python", {
    app: {
      agents: {
        Root: { childAgents: ["$APP/agents/the-desk"], transferRules: [wantsPerson("context")] },
        Desk: {},
      },
    },
    model: [say("Root here."), say("A person here.")],
    talk: async ({ say: ask }) => {
      assert.deepEqual((await ask("Hello")).shape().at(-1), ["Root", "text"]);
      assert.deepEqual((await ask("A person, please")).shape().at(-1), ["Desk", "text"]);
    },
  });
});
