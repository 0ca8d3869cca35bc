import assert from "node:assert/strict";
import { describe } from "node:test";
import { call, say } from "#testing";
import { turnServer } from "./verifies-turn.ts";

const verifiesTurn = turnServer();

const code = (...lines: readonly string[]) => [{ pythonCode: `${lines.join("\n")}\n` }];
const beforeModel = (...lines: readonly string[]) =>
  code("def before_model_callback(callback_context, llm_request):", ...lines.map((line) => `    ${line}`));
const afterModel = (...lines: readonly string[]) =>
  code("def after_model_callback(callback_context, llm_response):", ...lines.map((line) => `    ${line}`));

describe("turns: callbacks", () => {
  verifiesTurn("turn-welcome", {
    app: {
      agents: {
        Root: {
          beforeModelCallbacks: beforeModel(
            "if callback_context.user_content.parts[0].text == '<event>session start</event>':",
            "    return LlmResponse.from_parts([Part.from_text('Welcome.')])",
          ),
        },
      },
    },
    model: [say("An answer.")],
    talk: async ({ say: ask }) => {
      const greeting = await ask([{ event: { event: "WELCOME" } }]);
      assert.deepEqual([greeting.texts, greeting.spans("LLM")], [["Welcome."], []]);
      assert.equal(greeting.messages()[0]?.chunks[0].text, "<event>session start</event>");
      assert.deepEqual((await ask("Hello")).texts, ["An answer."]);
    },
  });

  verifiesTurn("turn-prefix", {
    app: {
      agents: {
        Root: {
          beforeModelCallbacks: beforeModel(
            "response = LlmResponse.from_parts([Part.from_text('One moment.')])",
            "response.partial = True",
            "return response",
          ),
        },
      },
    },
    model: [say("Here it is.")],
    talk: async ({ say: ask }) => {
      assert.deepEqual((await ask("Hello")).texts, ["One moment.", "Here it is."]);
    },
  });

  verifiesTurn("turn-before-agent", {
    app: {
      agents: {
        Root: {
          beforeAgentCallbacks: code(
            "def before_agent_callback(callback_context):",
            "    return Content(role='model', parts=[Part(text='Closed today.')])",
          ),
        },
      },
    },
    model: [],
    talk: async ({ say: ask }) => {
      const turn = await ask("Hello");
      assert.deepEqual([turn.texts, turn.spans("LLM")], [["Closed today."], []]);
    },
  });

  verifiesTurn("turn-after-agent", {
    app: {
      agents: {
        Root: {
          afterAgentCallbacks: code(
            "def after_agent_callback(callback_context):",
            "    return Content(role='model', parts=[Part(text='Anything else?')])",
          ),
        },
      },
    },
    model: [say("Done.")],
    talk: async ({ say: ask }) => {
      assert.deepEqual((await ask("Hello")).texts, ["Done.", "Anything else?"]);
    },
  });

  verifiesTurn("turn-edited-request", {
    app: {
      agents: {
        Root: {
          tools: ["$APP/tools/the-shown", "$APP/tools/the-hidden"],
          beforeModelCallbacks: beforeModel(
            "llm_request.config.system_instruction.parts[0].text = 'Other words.'",
            "llm_request.config.hide_tool('hidden')",
          ),
        },
      },
      tools: {
        shown: { clientFunction: { name: "shown", description: "Shown." } },
        hidden: { clientFunction: { name: "hidden", description: "Hidden." } },
      },
    },
    model: [say("Yes.")],
    talk: async ({ say: ask, model }) => {
      await ask("Hello");
      const [request] = model.requests;
      assert.deepEqual([request?.system, request?.tools.map(({ name }) => name)], ["Other words.", ["shown"]]);
    },
  });

  verifiesTurn("turn-farewell", {
    app: {
      agents: {
        Root: {
          tools: ["end_session"],
          afterModelCallbacks: afterModel(
            "for part in llm_response.content.parts:",
            "    if part.has_function_call('end_session'):",
            "        return LlmResponse.from_parts([Part.from_text('Goodbye.'), part])",
          ),
        },
      },
    },
    model: [call("end_session", { reason: "done" })],
    talk: async ({ say: ask }) => {
      const turn = await ask("Bye");
      assert.deepEqual([turn.texts, turn.ended?.reason], [["Goodbye."], "done"]);
    },
  });

  verifiesTurn("turn-payload", {
    app: {
      agents: {
        Root: {
          afterModelCallbacks: afterModel(
            "if callback_context.state.get('shown'):",
            "    return None",
            "callback_context.state['shown'] = True",
            `parts = list(llm_response.content.parts) + [Part.from_json('{"card": {"title": "Shoes"}}')]`,
            "return LlmResponse.from_parts(parts)",
          ),
        },
      },
    },
    model: [say("Look:"), say("Nice.")],
    talk: async ({ say: ask, model }) => {
      const turn = await ask("Shoes");
      assert.deepEqual([turn.texts, turn.payloads], [["Look:"], [{ card: { title: "Shoes" } }]]);
      await ask("And?");
      assert.doesNotMatch(JSON.stringify(model.requests[1]?.messages), /card/);
    },
  });

  verifiesTurn("turn-callback-order", {
    app: {
      agents: {
        Root: {
          beforeModelCallbacks: [
            ...beforeModel("callback_context.state['order'] = 'a'"),
            { pythonCode: "def before_model_callback(c, r):\n    raise ValueError('off')\n", disabled: true },
            ...beforeModel("raise KeyError('broken')"),
            ...beforeModel("callback_context.state['order'] += 'b'"),
          ],
        },
      },
      app: { variableDeclarations: [{ name: "order", description: "", schema: { type: "STRING" } }] },
    },
    model: [say("Yes.")],
    talk: async ({ say: ask }) => {
      const turn = await ask("Hello");
      assert.deepEqual(
        turn.spans("Callback").map(({ attributes }) => [attributes.stage, attributes.error]),
        [
          ["before_model", undefined],
          ["before_model", "KeyError: 'broken'"],
          ["before_model", undefined],
        ],
      );
      assert.deepEqual(
        turn.messages().flatMap(({ chunks }) => chunks.flatMap(({ updatedVariables = [] }) => updatedVariables)),
        [{ order: "ab" }],
      );
    },
  });
});
