import assert from "node:assert/strict";
import { after, describe } from "node:test";
import type { JsonObject } from "#base";
import { call, say } from "#testing";
import { type FlowAnswer, type GoogleServer, startDialogflow } from "#testing/google";
import { type A2aAgent, startA2aAgent } from "../../src/tools/__fixtures__/a2a-agent.ts";
import type { Json } from "./received-turn.ts";
import { turnServer } from "./verifies-turn.ts";

let travel: A2aAgent;
let dialogflow: GoogleServer;
const verifiesTurn = turnServer(async () => {
  [travel, dialogflow] = await Promise.all([
    startA2aAgent(),
    startDialogflow({ answers: flow, defaultLanguage: "en" }),
  ]);
  return {
    egressAllow: ["127.0.0.1"],
    dialogflow: { endpoint: dialogflow.address, accessToken: async () => "a-token", timeoutMs: 60_000 },
  };
});
after(async () => {
  await travel?.[Symbol.asyncDispose]();
  await dialogflow?.[Symbol.asyncDispose]();
});

const REMOTE = "projects/my-project/locations/global/agents/orders";
const START_PAGE = `${REMOTE}/flows/f/pages/START_PAGE`;

/** A flow for orders: it asks which one until it gets an order, and then ends. */
function flow({ queryInput }: JsonObject): FlowAnswer {
  const { text } = queryInput as { readonly text?: { readonly text: string } };
  if (text?.text === "break") return { status: 400, errorMessage: "The flow is broken." };
  const done = text?.text.startsWith("A-") ?? false;
  return {
    responseMessages: [
      { text: { text: [done ? "It is shipped." : "Which order?"] } },
      ...(done ? [{ endInteraction: {} }] : []),
    ],
    parameters: { order_status: "shipped" },
  };
}

const DESK = {
  agents: {
    Root: { instruction: "The order is {{status}}.", childAgents: ["$APP/agents/the-orders"] },
    Orders: {
      remoteDialogflowAgent: {
        agent: REMOTE,
        flowId: "f",
        languageCodeVariable: "language",
        inputVariableMapping: { order: "order_id" },
        outputVariableMapping: { order_status: "status" },
      },
    },
  },
  app: {
    variableDeclarations: ["order", "status", "language"].map((name) => ({
      name,
      description: "",
      schema: { type: "STRING" },
    })),
  },
};
const TO_ORDERS = call("transfer_to_agent", { agent_name: "Orders" });
const atOrders = (app: string) => ({ entryAgent: `${app}/agents/the-orders` });
/** The last query that a flow got. */
const asked = () => dialogflow.requests.at(-1)?.message as Json;

const card = (origin: string) => ({
  name: "Travel",
  description: "Journeys.",
  version: "1",
  supportedInterfaces: [{ url: `${origin}/rpc`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  skills: [],
});
const travelling = () => ({
  agents: { Root: { tools: ["$APP/tools/the-travel"] } },
  tools: { travel: { remoteAgentTool: { name: "travel", description: "Books.", agentCard: card(travel.origin) } } },
});
const travels = (request: string, id: string) => call("travel", { request }, id);
/** The last function response that the model got. */
const lastResponse = (request: { readonly messages: readonly Json[] } | undefined) =>
  request?.messages.at(-1)?.parts.at(-1)?.response;

describe("turns: agents elsewhere", () => {
  verifiesTurn("elsewhere-agent", {
    app: travelling,
    model: [travels("book a seat", "call-1"), say("Seat 12.")],
    talk: async ({ say: ask, model }) => {
      const turn = await ask("A seat to Rome");
      const [offered] = model.requests[0]?.tools ?? [];
      assert.deepEqual([offered?.name, offered?.parameters.required], ["travel", ["request"]]);
      assert.equal(lastResponse(model.requests[1]).response, "Booked seat 12.");
      assert.deepEqual([turn.texts, turn.spans("Tool")[0].attributes.name], [["Seat 12."], "travel"]);
    },
  });

  verifiesTurn("elsewhere-agent-context", {
    app: travelling,
    model: [travels("ask", "call-1"), say("Which day?"), travels("book it on Monday", "call-2"), say("Booked.")],
    talk: async ({ say: ask }) => {
      await ask("A seat to Rome");
      const first = travel.got.at(-1);
      await ask("On Monday");
      assert.equal(travel.got.at(-1)?.contextId, first?.contextId);
    },
  });

  verifiesTurn("elsewhere-agent-failure", {
    app: travelling,
    model: [travels("fail", "call-1"), say("No seat, sorry.")],
    talk: async ({ say: ask, model }) => {
      assert.deepEqual((await ask("A seat to Rome")).texts, ["No seat, sorry."]);
      const { status, error } = lastResponse(model.requests[1]);
      assert.deepEqual(
        [status, error],
        ["error", "Calling remote agent 'travel' failed: the task failed: No seats left."],
      );
    },
  });

  verifiesTurn("elsewhere-flow", {
    app: DESK,
    model: [TO_ORDERS, say("Anything else?")],
    talk: async ({ say: ask }) => {
      assert.deepEqual((await ask("My order")).texts, ["Which order?"]);
      assert.deepEqual((await ask("The last one")).texts, ["Which order?"]);
      const last = await ask("A-1");
      assert.deepEqual(last.texts, ["It is shipped.", "Anything else?"]);
      assert.deepEqual(last.shape(), [
        ["user", "text"],
        ["Orders", "updatedVariables", "text"],
        ["Orders", "agentTransfer"],
        ["Root", "text"],
      ]);
    },
  });

  verifiesTurn("elsewhere-flow-variables", {
    app: DESK,
    model: [say("Anything else?")],
    talk: async ({ say: ask, app, model }) => {
      await ask([{ variables: { order: "A-1", campaign: "spring" } }, { text: "My order" }], atOrders(app));
      assert.deepEqual(asked().queryParams, {
        currentPage: START_PAGE,
        parameters: { campaign: "spring", order_id: "A-1" },
      });
      await ask("A-1");
      assert.match(model.requests[0]?.system ?? "", /^The order is shipped\./);
    },
  });

  verifiesTurn("elsewhere-flow-inputs", {
    app: DESK,
    model: [],
    talk: async ({ say: ask, app }) => {
      await ask([{ event: { event: "WELCOME" } }], atOrders(app));
      assert.deepEqual(asked().queryInput, { event: { event: "WELCOME" }, languageCode: "en" });
      await ask([{ dtmf: "12#" }]);
      assert.deepEqual(asked().queryInput, { dtmf: { digits: "12", finishDigit: "#" }, languageCode: "en" });
    },
  });

  verifiesTurn("elsewhere-flow-query", {
    app: DESK,
    model: [],
    talk: async ({ say: ask, app }) => {
      const remoteDialogflowQueryParameters = {
        webhookHeaders: { "x-tenant": "7" },
        payload: { source: "app" },
        endUserMetadata: { tier: "gold" },
      };
      const inputs = [{ variables: { language: "fr-CA" } }, { text: "Bonjour" }];
      await ask(inputs, { ...atOrders(app), timeZone: "Europe/Paris", remoteDialogflowQueryParameters });
      const { queryInput, queryParams } = asked();
      assert.deepEqual(queryInput, { text: { text: "Bonjour" }, languageCode: "fr-CA" });
      assert.deepEqual(queryParams, {
        ...remoteDialogflowQueryParameters,
        timeZone: "Europe/Paris",
        currentPage: START_PAGE,
      });
    },
  });

  const SILENT = {
    pythonCode: "def before_agent_callback(callback_context):\n    return Content(parts=[Part(text='Mine.')])\n",
  };
  verifiesTurn("elsewhere-flow-fields", {
    app: {
      ...DESK,
      agents: {
        ...DESK.agents,
        Orders: { ...DESK.agents.Orders, tools: ["end_session"], beforeAgentCallbacks: [SILENT] },
      },
    },
    model: [],
    talk: async ({ say: ask, app }) => {
      const turn = await ask("My order", atOrders(app));
      assert.deepEqual([turn.texts, turn.spans("Callback"), turn.spans("LLM")], [["Which order?"], [], []]);
    },
  });

  verifiesTurn("elsewhere-flow-failure", {
    app: DESK,
    model: [],
    talk: async ({ say: ask, app, address, session }) => {
      const { error, outputs } = await ask("break", atOrders(app));
      assert.deepEqual([error?.code, outputs], ["FAILED_PRECONDITION", []]);
      assert.equal((await fetch(`${address}/v1beta/${session.replace("/sessions/", "/conversations/")}`)).status, 404);
      assert.deepEqual((await ask("My order", atOrders(app))).texts, ["Which order?"]);
    },
  });
});
