import assert from "node:assert/strict";
import { after, describe } from "node:test";
import { call, say } from "#testing";
import { type Loopback, serveLoopback } from "../../src/tools/__fixtures__/loopback.ts";
import type { Json } from "./received-turn.ts";
import { turnServer } from "./verifies-turn.ts";

let shop: Loopback;
const verifiesTurn = turnServer(async () => {
  shop = await serveLoopback(({ path }) => ({ path }));
  return { egressAllow: ["127.0.0.1"] };
});
after(() => shop?.[Symbol.asyncDispose]());

const python = (name: string, parameters: string, ...lines: readonly string[]) => ({
  pythonFunction: {
    name,
    pythonCode: `def ${name}(${parameters}) -> dict:\n    """Works."""\n    ${lines.join("\n    ")}\n`,
  },
});
/** The last function response that the model got. */
const lastResponse = (request: { readonly messages: readonly Json[] } | undefined) =>
  request?.messages.at(-1)?.parts.at(-1)?.response;
const FAKE = {
  enableFakeMode: true,
  codeBlock: { pythonCode: "def fake_tool_call(tool, input, callback_context):\n    return {'faked': True}\n" },
};

describe("turns: calls", () => {
  verifiesTurn("turn-tool-unlisted", {
    app: { agents: { Root: {} }, tools: { work: python("work", "", "return {}") } },
    model: [call("work"), say("Sorry.")],
    talk: async ({ say: ask, model }) => {
      const turn = await ask("Go");
      assert.deepEqual([turn.texts, lastResponse(model.requests[1])?.status], [["Sorry."], "error"]);
      assert.ok(turn.spans("Tool").every(({ attributes }) => attributes.response.status === "error"));
    },
  });

  verifiesTurn("turn-tool-missing", {
    app: {
      agents: { Root: { tools: ["$APP/tools/the-work"] } },
      tools: { work: python("work", "order: str", 'return {"did": order}') },
    },
    model: [call("work"), say("Which order?")],
    talk: async ({ say: ask, model }) => {
      assert.deepEqual((await ask("Go")).texts, ["Which order?"]);
      const { status, error } = lastResponse(model.requests[1]);
      assert.equal(status, "error");
      assert.match(error, /^Missing parameter.*order/s);
    },
  });

  verifiesTurn("turn-tool-time-out", {
    app: {
      agents: { Root: { tools: ["$APP/tools/the-rest", "$APP/tools/the-work"] } },
      tools: {
        rest: python("rest", "", "return {}"),
        work: { ...python("work", "", "import time", "time.sleep(600)", "return {}"), timeout: "0.2s" },
      },
    },
    // The first call waits for a guest as long as that takes; the second has it already, so that its time is its own.
    model: [call("rest"), call("work"), say("Too slow.")],
    talk: async ({ say: ask, model }) => {
      assert.deepEqual((await ask("Go")).texts, ["Too slow."]);
      const { status, error } = lastResponse(model.requests[2]);
      assert.equal(status, "error");
      assert.match(error, /^Code execution timed out/);
    },
  });

  const asking = (origin: string) =>
    JSON.stringify({
      openapi: "3.0.3",
      info: { title: "Shop", version: "1" },
      servers: [{ url: origin }],
      paths: {
        "/orders/{id}": {
          get: {
            operationId: "get_order",
            parameters: [
              { name: "id", in: "path", required: true, schema: { type: "string" } },
              {
                name: "customer",
                in: "query",
                required: true,
                schema: { type: "string" },
                "x-ces-session-context": "$context.variables.customer",
              },
            ],
            responses: { 200: { description: "Done." } },
          },
        },
      },
    });
  verifiesTurn("turn-tool-context", {
    app: () => ({
      agents: { Root: { tools: ["$APP/tools/the-order"] } },
      tools: { order: { openApiTool: { name: "get_order", openApiSchema: asking(shop.origin) } } },
      app: {
        variableDeclarations: [{ name: "customer", description: "", schema: { type: "STRING", default: "c-7" } }],
      },
    }),
    model: [call("get_order", { id: "A-1" }), say("Shipped.")],
    talk: async ({ say: ask, model }) => {
      const turn = await ask("Where is A-1?");
      const parameters = model.requests[0]?.tools[0]?.parameters as Json;
      assert.deepEqual(Object.keys(parameters.properties), ["id"]);
      assert.deepEqual(turn.messages()[1]?.chunks[0].toolCall.args, { id: "A-1" });
      assert.equal(lastResponse(model.requests[1])?.path, "/orders/A-1?customer=c-7");
    },
  });

  const SEAT = { clientFunction: { name: "pick_seat", description: "Lets the user pick." } };
  const answer = (id: string, app: string) => [
    { toolResponses: { toolResponses: [{ id, tool: `${app}/tools/the-pick-seat`, response: { output: id } }] } },
  ];
  verifiesTurn("turn-client-function-part", {
    app: { agents: { Root: { tools: ["$APP/tools/the-pick-seat"] } }, tools: { "pick seat": SEAT } },
    model: [[...call("pick_seat", {}, "call-1"), ...call("pick_seat", {}, "call-2")], say("Both are booked.")],
    talk: async ({ say: ask, app }) => {
      const ids = async (input: Parameters<typeof ask>[0]) => (await ask(input)).calls.map(({ id }) => id);
      assert.deepEqual(await ids("Two seats"), ["call-1", "call-2"]);
      assert.deepEqual(await ids(answer("call-2", app)), ["call-1"]);
      assert.deepEqual((await ask(answer("call-1", app))).texts, ["Both are booked."]);
    },
  });

  verifiesTurn("turn-asynchronous-agent", {
    app: {
      agents: { Root: { tools: ["$APP/tools/the-ask"] }, Math: { instruction: "Calculate." } },
      tools: {
        ask: {
          agentTool: { name: "ask", description: "Asks.", agent: "$APP/agents/the-math" },
          executionType: "ASYNCHRONOUS",
        },
      },
    },
    model: [],
    talk: async ({ say: ask, model }) => {
      // The other agent answers when the turn is long over, so that nothing of it comes into the next test.
      const asked = Promise.withResolvers<void>();
      const math = async (): Promise<never> => {
        asked.resolve();
        return new Promise<never>(() => {});
      };
      const root = [call("ask", { request: "2 + 2?" }), say("I am asking.")];
      const either = (request: { readonly system: string }) =>
        request.system.startsWith("Calculate.") ? math() : (root.shift() ?? []);
      model.extend(either, either, either);
      assert.deepEqual((await ask("What is 2 + 2?")).texts, ["I am asking."]);
      await asked.promise;
      const request = model.requests.find(({ messages }) => messages.length > 1);
      assert.deepEqual(lastResponse(request), { response: "pending" });
    },
  });

  verifiesTurn("turn-asynchronous-fake", {
    app: {
      agents: { Root: { tools: ["$APP/tools/the-work"] } },
      tools: {
        work: { ...python("work", "", "return {'real': True}"), executionType: "ASYNCHRONOUS", toolFakeConfig: FAKE },
      },
    },
    model: [call("work"), say("Done.")],
    talk: async ({ say: ask, model }) => {
      await ask("Go", { useToolFakes: true });
      assert.deepEqual(lastResponse(model.requests[1]), { result: { faked: true } });
    },
  });
});
