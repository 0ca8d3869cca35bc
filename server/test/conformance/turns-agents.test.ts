import assert from "node:assert/strict";
import { describe } from "node:test";
import { call, say } from "#testing";
import type { Json } from "./received-turn.ts";
import { turnServer } from "./verifies-turn.ts";

const verifiesTurn = turnServer();

const TWO_DESKS = {
  agents: {
    Root: { childAgents: ["$APP/agents/the-billing"] },
    Billing: { description: "Knows invoices.", instruction: "You are billing." },
  },
};
const TO_BILLING = call("transfer_to_agent", { agent_name: "Billing" });
const ENDING = { agents: { Root: { tools: ["end_session"] } } };

const rule = (childAgent: string, direction: string, type: object) => ({
  childAgent: `$APP/agents/${childAgent}`,
  direction,
  ...type,
});
const when = (expression: string) => ({ deterministicTransfer: { expressionCondition: { expression } } });
const TIER = { variableDeclarations: [{ name: "tier", description: "", schema: { type: "STRING", default: "vip" } }] };

/** The last function response that the model got. */
const lastResponse = (request: { readonly messages: readonly Json[] } | undefined) =>
  request?.messages.at(-1)?.parts.at(-1)?.response;

describe("turns: agents", () => {
  verifiesTurn("turn-plain", {
    app: { agents: { Root: {} } },
    model: [say("Good ", "day.")],
    talk: async ({ say: ask }) => {
      const turn = await ask("Hello");
      assert.deepEqual([turn.texts, turn.spans("LLM").length], [["Good day."], 1]);
    },
  });

  verifiesTurn("turn-index", {
    app: { agents: { Root: {} } },
    model: [say("One."), say("Two.")],
    talk: async ({ say: ask }) => {
      for (const index of [1, 2]) {
        const { outputs } = await ask("Hello");
        assert.deepEqual([...new Set(outputs.map(({ turnIndex }) => turnIndex))], [index]);
        const lasts = outputs.map(({ turnCompleted = false, diagnosticInfo }) => [turnCompleted, !!diagnosticInfo]);
        assert.deepEqual(lasts.pop(), [true, true]);
        assert.deepEqual(
          lasts,
          lasts.map(() => [false, false]),
        );
      }
    },
  });

  verifiesTurn("turn-no-diagnostics", {
    app: { agents: { Root: {} } },
    model: [say("Hello.")],
    talk: async ({ say: ask }) => {
      const { outputs } = await ask("Hello", { excludeDiagnosticInfo: true });
      assert.ok(outputs.every(({ diagnosticInfo }) => !diagnosticInfo));
    },
  });

  verifiesTurn("turn-transfer", {
    app: TWO_DESKS,
    model: [[...say("Putting you through."), ...TO_BILLING], say("Which invoice?")],
    talk: async ({ say: ask, model, app }) => {
      const turn = await ask("My invoice");
      assert.deepEqual(turn.texts, ["Putting you through.", "Which invoice?"]);
      assert.deepEqual(turn.shape(), [
        ["user", "text"],
        ["Root", "text", "agentTransfer"],
        ["Billing", "text"],
      ]);
      assert.deepEqual(turn.messages()[1]?.chunks[1].agentTransfer, {
        targetAgent: `${app}/agents/the-billing`,
        displayName: "Billing",
      });
      assert.match(model.requests[1]?.system ?? "", /^You are billing\./);
    },
  });

  verifiesTurn("turn-transfer-kept", {
    app: TWO_DESKS,
    model: [
      TO_BILLING,
      say("Which?"),
      say("Found it."),
      call("transfer_to_agent", { agent_name: "Root" }),
      say("Back."),
    ],
    talk: async ({ say: ask }) => {
      await ask("My invoice");
      assert.deepEqual((await ask("4711")).shape().at(-1), ["Billing", "text"]);
      assert.deepEqual((await ask("Something else")).shape().at(-1), ["Root", "text"]);
    },
  });

  verifiesTurn("turn-transfer-offered", {
    app: { agents: { Root: {} } },
    model: [say("Alone.")],
    talk: async ({ say: ask, model }) => {
      await ask("Hello");
      assert.deepEqual(model.requests[0]?.tools, []);
      assert.doesNotMatch(model.requests[0]?.system ?? "", /other agents to transfer to/);
    },
  });

  verifiesTurn("turn-transfer-unknown", {
    app: TWO_DESKS,
    model: [call("transfer_to_agent", { agent_name: "Sales" }), say("Sorry.")],
    talk: async ({ say: ask, model }) => {
      assert.deepEqual((await ask("Sales")).texts, ["Sorry."]);
      assert.equal(lastResponse(model.requests[1])?.status, "error");
      assert.match(
        model.requests[0]?.system ?? "",
        /You have a list of other agents to transfer to:[\s\S]*Knows invoices\./,
      );
    },
  });

  verifiesTurn("turn-entry-agent", {
    app: TWO_DESKS,
    model: [say("Invoices here."), say("Still invoices.")],
    talk: async ({ say: ask, app, model }) => {
      await ask("Hello", { entryAgent: `${app}/agents/the-billing` });
      await ask("Again");
      assert.deepEqual(
        model.requests.map(({ system }) => system.startsWith("You are billing.")),
        [true, true],
      );
    },
  });

  verifiesTurn("turn-rule-first", {
    app: {
      agents: {
        Root: {
          childAgents: ["$APP/agents/the-first", "$APP/agents/the-second"],
          transferRules: [
            rule("the-first", "PARENT_TO_CHILD", when('tier == "none"')),
            rule("the-second", "PARENT_TO_CHILD", when('tier == "vip"')),
            rule("the-first", "PARENT_TO_CHILD", when('tier != ""')),
          ],
        },
        First: {},
        Second: {},
      },
      app: TIER,
    },
    model: [say("The VIP desk.")],
    talk: async ({ say: ask }) => {
      const turn = await ask("Hello");
      assert.deepEqual([turn.texts, turn.shape().at(-1)?.[0]], [["The VIP desk."], "Second"]);
    },
  });

  verifiesTurn("turn-rule-chain", {
    app: {
      agents: {
        Root: {
          childAgents: ["$APP/agents/the-first", "$APP/agents/the-second"],
          transferRules: [
            rule("the-second", "PARENT_TO_CHILD", when('tier == "vip"')),
            rule("the-first", "CHILD_TO_PARENT", when('tier == "vip"')),
          ],
        },
        First: {},
        Second: {},
      },
      app: TIER,
    },
    model: [say("Second desk.")],
    talk: async ({ say: ask, app }) => {
      const turn = await ask("Hello", { entryAgent: `${app}/agents/the-first` });
      assert.deepEqual([turn.texts, turn.shape().at(-1)?.[0]], [["Second desk."], "Second"]);
    },
  });

  verifiesTurn("turn-rule-no-planner", {
    app: {
      agents: {
        Root: {
          childAgents: ["$APP/agents/the-billing"],
          transferRules: [
            rule("the-billing", "PARENT_TO_CHILD", {
              disablePlannerTransfer: { expressionCondition: { expression: 'tier == "vip"' } },
            }),
          ],
        },
        Billing: {},
      },
      app: TIER,
    },
    model: [TO_BILLING, say("I stay.")],
    talk: async ({ say: ask, model }) => {
      const turn = await ask("My invoice");
      assert.deepEqual([turn.texts, turn.shape().at(-1)?.[0]], [["I stay."], "Root"]);
      assert.equal(lastResponse(model.requests[1])?.status, "error");
    },
  });

  verifiesTurn("turn-agent-tool", {
    app: {
      agents: { Root: { tools: ["$APP/tools/the-ask-math"] }, Math: { instruction: "Calculate." } },
      tools: { "ask math": { agentTool: { name: "ask_math", description: "Asks.", agent: "$APP/agents/the-math" } } },
    },
    model: [call("ask_math", { request: "2 + 2?" }), say("It is 4."), say("Four.")],
    talk: async ({ say: ask, model, app, address }) => {
      const turn = await ask("What is 2 + 2?");
      assert.deepEqual([turn.texts, turn.shape().at(-1)?.[0]], [["Four."], "Root"]);
      assert.deepEqual(model.requests[1]?.messages, [{ role: "user", parts: [{ kind: "text", text: "2 + 2?" }] }]);
      assert.deepEqual(lastResponse(model.requests[2]), { response: "It is 4." });
      const list = await fetch(`${address}/v1beta/${app}/conversations?sources=AGENT_TOOL`);
      const { conversations } = (await list.json()) as Json;
      assert.deepEqual(
        [conversations[0].source, conversations[0].entryAgent],
        ["AGENT_TOOL", `${app}/agents/the-math`],
      );
    },
  });

  verifiesTurn("turn-end", {
    app: ENDING,
    model: [[...say("Bye."), ...call("end_session", { reason: "done", params: { a: 1 } })]],
    talk: async ({ say: ask }) => {
      const turn = await ask("That was all");
      assert.deepEqual(
        [turn.texts, turn.ended],
        [["Bye."], { reason: "done", session_escalated: false, params: { a: 1 } }],
      );
      const positions = [
        turn.outputs.findIndex(({ text }) => text),
        turn.outputs.findIndex((output) => output.endSession),
      ];
      assert.ok((positions[0] ?? 0) < (positions[1] ?? 0));
    },
  });

  verifiesTurn("turn-end-no-arguments", {
    app: ENDING,
    model: [call("end_session")],
    talk: async ({ say: ask }) => {
      const turn = await ask("Bye");
      assert.deepEqual([turn.texts, turn.ended], [[], { session_escalated: false }]);
    },
  });

  verifiesTurn("turn-end-unlisted", {
    app: { agents: { Root: {} } },
    model: [call("end_session", { reason: "x" }), say("Still here.")],
    talk: async ({ say: ask, model }) => {
      const turn = await ask("Bye");
      assert.deepEqual([turn.texts, turn.ended], [["Still here."], undefined]);
      assert.deepEqual(lastResponse(model.requests[1]), { status: "error", error: "Tool not found: end_session" });
    },
  });

  verifiesTurn("turn-ended", {
    app: ENDING,
    model: [call("end_session")],
    talk: async ({ say: ask }) => {
      await ask("Bye");
      assert.equal((await ask("Hello?")).error?.code, "FAILED_PRECONDITION");
    },
  });

  verifiesTurn("turn-customize", {
    app: { agents: { Root: { tools: ["customize_response"] } } },
    model: [call("customize_response", { content: "Listen.", disable_barge_in: true })],
    talk: async ({ say: ask }) => {
      assert.deepEqual((await ask("Hello")).texts, ["Listen."]);
    },
  });

  verifiesTurn("turn-loop-limit", {
    app: { agents: { Root: {} } },
    model: Array.from({ length: 10 }, () => call("end_session")),
    talk: async ({ say: ask, address, session }) => {
      const { error, outputs } = await ask("Hello");
      const message = "Agent has reached the limit of 10 reasoning loops for the input.";
      assert.deepEqual([error?.code, outputs], ["INVALID_ARGUMENT", []]);
      assert.ok(error?.message.includes(message), error?.message);
      assert.equal((await fetch(`${address}/v1beta/${session.replace("/sessions/", "/conversations/")}`)).status, 404);
    },
  });

  verifiesTurn("turn-deployment", {
    app: { agents: { Root: { instruction: "First." } } },
    model: [say("1"), say("2"), say("3")],
    talk: async ({ say: ask, model, app, address, session }) => {
      const send = async (method: string, path: string, body: object) => {
        const headers = { "content-type": "application/json" };
        const answer = await fetch(`${address}/v1beta/${path}`, { method, headers, body: JSON.stringify(body) });
        assert.equal(answer.status, 200, await answer.clone().text());
        return ((await answer.json()) as Json).name;
      };
      const draft = (instruction: string) =>
        send("PATCH", `${app}/agents/the-root?updateMask=instruction`, { instruction });
      const version = () => send("POST", `${app}/versions`, {});
      await draft("First.");
      const deployment = await send("POST", `${app}/deployments`, {
        displayName: session.slice(-36),
        channelProfile: {},
        appVersion: await version(),
      });
      await ask("Hello", { deployment });
      await draft("Second.");
      await send("PATCH", `${deployment}?updateMask=appVersion`, { appVersion: await version() });
      await draft("Draft.");
      await ask("And now?", { deployment });
      await ask("And anew?", { deployment, session: `${session.slice(0, -1)}-anew` });
      assert.deepEqual(
        model.requests.map(({ system }) => system),
        ["First.", "First.", "Second."],
      );
    },
  });
});
