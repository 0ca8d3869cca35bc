import assert from "node:assert/strict";
import { describe } from "node:test";
import { setTimeout } from "node:timers/promises";
import { call, say } from "#testing";
import type { Json } from "./received-turn.ts";
import { turnServer } from "./verifies-turn.ts";

const verifiesTurn = turnServer();

const python = (name: string, ...lines: readonly string[]) => ({
  pythonFunction: {
    name,
    pythonCode: `def ${name}(key: str = "") -> dict:\n    """Works."""\n    ${lines.join("\n    ")}\n`,
  },
});
const SEAT = {
  clientFunction: {
    name: "pick_seat",
    description: "Lets the user pick.",
    parameters: { type: "OBJECT", properties: { row: { type: "INTEGER" } } },
  },
};
const SEATING = { agents: { Root: { tools: ["$APP/tools/the-pick-seat"] } }, tools: { "pick seat": SEAT } };
const responses = (id: string, tool: string, response: object) => [
  { toolResponses: { toolResponses: [{ id, tool, response }] } },
];
const declared = (...names: readonly string[]) => ({
  variableDeclarations: names.map((name) => ({ name, description: "", schema: { type: "OBJECT" } })),
});
const responsesIn = (request: { readonly messages: readonly Json[] } | undefined) =>
  request?.messages.at(-1)?.parts.flatMap(({ response }: Json) => (response ? [response] : []));

describe("turns: tools", () => {
  verifiesTurn("turn-tool", {
    app: {
      agents: { Root: { tools: ["$APP/tools/the-look-up"] } },
      tools: { "look up": python("look_up", 'return {"found": key}') },
    },
    model: [[...say("One moment."), ...call("look_up", { key: "A" })], say("Found A.")],
    talk: async ({ say: ask, model }) => {
      const turn = await ask("Find A");
      assert.deepEqual(turn.texts, ["One moment.", "Found A."]);
      assert.deepEqual(turn.shape(), [
        ["user", "text"],
        ["Root", "text", "toolCall"],
        ["Root", "toolResponse"],
        ["Root", "text"],
      ]);
      assert.deepEqual(responsesIn(model.requests[1]), [{ result: { found: "A" } }]);
      const [span] = turn.spans("Tool");
      assert.deepEqual(
        [span.attributes.name, span.attributes.agent, span.attributes.args, span.attributes.response],
        ["look_up", "Root", { key: "A" }, { result: { found: "A" } }],
      );
    },
  });

  const COUNTING = {
    agents: { Root: { tools: ["$APP/tools/the-count"] } },
    tools: {
      count: python(
        "count",
        'seen = list(context.state.get("seen") or [])',
        'context.state["seen"] = seen + [key]',
        "context.state[key] = True",
        'return {"seen": len(seen)}',
      ),
    },
  };
  const BOTH = [...call("count", { key: "x" }, "call-1"), ...call("count", { key: "y" }, "call-2")];

  verifiesTurn("turn-tools-parallel", {
    app: { ...COUNTING, app: declared("seen", "x", "y") },
    model: [BOTH, say("Counted.")],
    talk: async ({ say: ask, model }) => {
      const turn = await ask("Count");
      assert.deepEqual(responsesIn(model.requests[1]), [{ result: { seen: 0 } }, { result: { seen: 0 } }]);
      assert.deepEqual(turn.messages()[2]?.chunks.at(-1)?.updatedVariables, { seen: ["y"], x: true, y: true });
    },
  });

  verifiesTurn("turn-tools-sequential", {
    app: { ...COUNTING, app: { ...declared("seen", "x", "y"), toolExecutionMode: "SEQUENTIAL" } },
    model: [BOTH, say("Counted.")],
    talk: async ({ say: ask, model }) => {
      const turn = await ask("Count");
      assert.deepEqual(responsesIn(model.requests[1]), [{ result: { seen: 0 } }, { result: { seen: 1 } }]);
      assert.deepEqual(turn.messages()[2]?.chunks.at(-1)?.updatedVariables, { seen: ["x", "y"], x: true, y: true });
    },
  });

  verifiesTurn("turn-tool-failure", {
    app: {
      agents: { Root: { tools: ["$APP/tools/the-fail"] } },
      tools: { fail: python("fail", 'raise ValueError("no such order")') },
    },
    model: [call("fail"), say("Sorry.")],
    talk: async ({ say: ask, model }) => {
      assert.deepEqual((await ask("Go")).texts, ["Sorry."]);
      const [response] = responsesIn(model.requests[1]);
      assert.equal(response.status, "error");
      assert.match(response.error, /^Python function execution failed.*no such order/s);
    },
  });

  verifiesTurn("turn-tool-nested", {
    app: {
      agents: { Root: { tools: ["$APP/tools/the-outer"] } },
      tools: {
        outer: python("outer", 'return {"inner": tools.inner({"key": "k"}).json()}'),
        inner: python("inner", 'return {"got": key}'),
      },
    },
    model: [call("outer"), say("Done.")],
    talk: async ({ say: ask, model }) => {
      const turn = await ask("Go");
      assert.deepEqual(responsesIn(model.requests[1]), [{ result: { inner: { result: { got: "k" } } } }]);
      assert.deepEqual(
        turn
          .shape()
          .flat()
          .filter((kind) => kind === "toolCall"),
        ["toolCall"],
      );
      assert.doesNotMatch(JSON.stringify(turn.messages()), /"displayName":"inner"/);
    },
  });

  verifiesTurn("turn-tool-callbacks", {
    app: {
      agents: {
        Root: {
          tools: ["$APP/tools/the-look-up"],
          beforeToolCallbacks: [
            { pythonCode: 'def before_tool_callback(tool, input, callback_context):\n    input["key"] = "edited"\n' },
          ],
          afterToolCallbacks: [
            {
              pythonCode:
                'def after_tool_callback(tool, input, callback_context, tool_response):\n    return {"seen": tool_response}\n',
            },
          ],
        },
      },
      tools: { "look up": python("look_up", "return {'found': key}") },
    },
    model: [call("look_up", { key: "A" }), say("Done.")],
    talk: async ({ say: ask, model }) => {
      await ask("Go");
      assert.deepEqual(responsesIn(model.requests[1]), [{ seen: { result: { found: "edited" } } }]);
    },
  });

  verifiesTurn("turn-client-function", {
    app: SEATING,
    model: [[...say("Choose."), ...call("pick_seat", { row: 4 }, "call-7")], say("Seat 4A it is.")],
    talk: async ({ say: ask, model, app }) => {
      const asked = await ask("A seat please");
      const tool = `${app}/tools/the-pick-seat`;
      assert.deepEqual(
        [asked.texts, asked.calls],
        [["Choose."], [{ id: "call-7", tool, displayName: "pick_seat", args: { row: 4 } }]],
      );
      const answered = await ask(responses("call-7", tool, { output: "4A" }));
      assert.deepEqual([answered.texts, answered.outputs.at(-1)?.turnIndex], [["Seat 4A it is."], 2]);
      assert.deepEqual(responsesIn(model.requests[1]), [{ output: "4A" }]);
      assert.equal(model.requests.length, 2);
    },
  });

  verifiesTurn("turn-client-function-mixed", {
    app: {
      agents: { Root: { tools: ["$APP/tools/the-pick-seat", "$APP/tools/the-look-up"] } },
      tools: { "pick seat": SEAT, "look up": python("look_up", 'return {"found": key}') },
    },
    model: [[...call("look_up", { key: "A" }, "call-1"), ...call("pick_seat", {}, "call-2")], say("All set.")],
    talk: async ({ say: ask, model, app }) => {
      const asked = await ask("Go");
      assert.deepEqual(
        asked.calls.map(({ id }) => id),
        ["call-2"],
      );
      const answered = await ask(responses("call-2", `${app}/tools/the-pick-seat`, { output: "4A" }));
      assert.deepEqual(answered.texts, ["All set."]);
      const sent = model.requests[1]?.messages.flatMap(({ parts }: Json) =>
        parts.filter((part: Json) => part.response),
      );
      assert.deepEqual(
        sent?.map(({ id, response }: Json) => [id, response]),
        [
          ["call-1", { result: { found: "A" } }],
          ["call-2", { output: "4A" }],
        ],
      );
    },
  });

  verifiesTurn("turn-client-function-wrong-id", {
    app: SEATING,
    model: [call("pick_seat", {}, "call-1"), say("Thanks.")],
    talk: async ({ say: ask, app }) => {
      const tool = `${app}/tools/the-pick-seat`;
      await ask("A seat");
      assert.equal((await ask(responses("call-9", tool, { output: "4A" }))).error?.code, "INVALID_ARGUMENT");
      assert.deepEqual((await ask(responses("call-1", tool, { output: "4A" }))).texts, ["Thanks."]);
      assert.equal((await ask(responses("call-1", tool, { output: "4A" }))).error?.code, "INVALID_ARGUMENT");
    },
  });

  verifiesTurn("turn-client-function-left", {
    app: SEATING,
    model: [call("pick_seat", {}, "call-1"), say("Never mind.")],
    talk: async ({ say: ask, model }) => {
      await ask("A seat");
      assert.deepEqual((await ask("Forget it")).texts, ["Never mind."]);
      const [response] = responsesIn(model.requests[1]);
      assert.equal(response.status, "error");
    },
  });

  verifiesTurn("turn-fake", {
    app: {
      agents: { Root: { tools: ["$APP/tools/the-look-up"] } },
      tools: {
        "look up": {
          ...python("look_up", 'return {"real": key}'),
          toolFakeConfig: {
            enableFakeMode: true,
            codeBlock: {
              pythonCode:
                'def fake_tool_call(tool, input, callback_context):\n    return {"faked": input["key"]} if input["key"] == "A" else None\n',
            },
          },
        },
      },
    },
    model: [
      call("look_up", { key: "A" }),
      say("1"),
      call("look_up", { key: "B" }),
      say("2"),
      call("look_up", { key: "A" }),
      say("3"),
    ],
    talk: async ({ say: ask, model }) => {
      await ask("A", { useToolFakes: true });
      await ask("B", { useToolFakes: true });
      await ask("A without");
      assert.deepEqual(
        [1, 3, 5].map((position) => responsesIn(model.requests[position])[0]),
        [{ result: { faked: "A" } }, { result: { real: "B" } }, { result: { real: "A" } }],
      );
    },
  });

  verifiesTurn("turn-asynchronous", {
    app: {
      agents: { Root: { tools: ["$APP/tools/the-slow"] } },
      // Works for longer than its stream is open, so that no turn of its own asks the model of the next test.
      tools: { slow: { ...python("slow", "import time", "time.sleep(5)"), executionType: "ASYNCHRONOUS" } },
    },
    model: [call("slow", { key: "A" }), say("Working on it.")],
    talk: async ({ say: ask, model }) => {
      assert.deepEqual((await ask("Go")).texts, ["Working on it."]);
      assert.deepEqual(responsesIn(model.requests[1]), [{ result: "pending" }]);
    },
  });

  verifiesTurn("turn-asynchronous-late", {
    app: {
      agents: { Root: { tools: ["$APP/tools/the-slow"] } },
      tools: { slow: { ...python("slow", 'return {"late": key}'), executionType: "ASYNCHRONOUS" } },
    },
    model: [call("slow", { key: "A" }), say("Working on it.")],
    talk: async ({ say: ask, model }) => {
      await ask("Go");
      const outcome = `<context>function [slow] completed with response ${JSON.stringify({ result: { late: "A" } }, null, 2)}</context>`;
      for (const end = Date.now() + 60_000; Date.now() < end; await setTimeout(20)) {
        model.extend(say("Not yet."));
        const [first] = (await ask("Ready?")).messages();
        if (first.chunks[0].text === "Ready?") continue;
        assert.deepEqual([first.role, first.chunks], ["user", [{ text: outcome }]]);
        const sent = model.requests
          .at(-1)
          ?.messages.at(-1)
          ?.parts.flatMap((part) => ("text" in part ? [part.text] : []));
        return assert.deepEqual(sent, [outcome, "Ready?"]);
      }
      assert.fail("the outcome was never reported");
    },
  });

  const operation = (operationId: string) => ({ operationId, responses: { 200: { description: "Done." } } });
  verifiesTurn("turn-toolset", {
    app: {
      agents: { Root: { toolsets: [{ toolset: "$APP/toolsets/the-shop", toolIds: ["get pet"] }] } },
      toolsets: {
        shop: {
          openApiToolset: {
            openApiSchema: JSON.stringify({
              openapi: "3.0.3",
              info: { title: "Shop", version: "1" },
              servers: [{ url: "https://shop.example" }],
              paths: { "/pet": { get: operation("get pet"), put: operation("put pet") } },
            }),
          },
          toolFakeConfig: {
            enableFakeMode: true,
            codeBlock: {
              pythonCode: "def fake_tool_call(tool, input, callback_context):\n    return {'name': tool.name}\n",
            },
          },
        },
      },
    },
    model: [call("shop_get_pet", {}), say("A pet.")],
    talk: async ({ say: ask, model }) => {
      const turn = await ask("Show me a pet", { useToolFakes: true });
      assert.deepEqual([turn.texts, model.requests[0]?.tools.map(({ name }) => name)], [["A pet."], ["shop_get_pet"]]);
      const [, { chunks }] = turn.messages();
      assert.equal(chunks[0].toolCall.toolsetTool.toolId, "get pet");
      assert.deepEqual(responsesIn(model.requests[1]), [{ name: "shop_get_pet" }]);
    },
  });
});
