import assert from "node:assert/strict";
import { describe } from "node:test";
import { call, say } from "#testing";
import type { Json } from "./received-turn.ts";
import { turnServer } from "./verifies-turn.ts";

const verifiesTurn = turnServer();

const code = (...lines: readonly string[]) => [{ pythonCode: `${lines.join("\n")}\n` }];
const beforeModel = (...lines: readonly string[]) =>
  code("def before_model_callback(callback_context, llm_request):", ...lines.map((line) => `    ${line}`));
const WORK = {
  work: {
    pythonFunction: {
      name: "work",
      pythonCode: 'def work(key: str = "") -> dict:\n    """Works."""\n    return {"did": key}\n',
    },
  },
};
/** The last function response that the model got. */
const lastResponse = (request: { readonly messages: readonly Json[] } | undefined) =>
  request?.messages.at(-1)?.parts.at(-1)?.response;
const counts = (name: string) => ({ name, description: "", schema: { type: "INTEGER", default: 0 } });

describe("turns: code", () => {
  verifiesTurn("turn-callback-call", {
    app: {
      agents: {
        Root: {
          tools: ["$APP/tools/the-work"],
          beforeModelCallbacks: beforeModel(
            "if not any(part.has_function_response('work') for part in callback_context.parts()):",
            "    return LlmResponse.from_parts([Part.from_function_call(name='work', args={'key': 'A'})])",
          ),
        },
      },
      tools: WORK,
    },
    model: [say("Done.")],
    talk: async ({ say: ask, model }) => {
      assert.deepEqual((await ask("Go")).texts, ["Done."]);
      assert.deepEqual(lastResponse(model.requests[0]), { result: { did: "A" } });
    },
  });

  verifiesTurn("turn-callback-transfer", {
    app: {
      agents: {
        Root: {
          childAgents: ["$APP/agents/the-desk"],
          beforeModelCallbacks: beforeModel(
            "return LlmResponse.from_parts([Part.from_text('One moment.'), Part.from_agent_transfer(agent='Desk')])",
          ),
        },
        Desk: {},
      },
    },
    model: [say("Desk here.")],
    talk: async ({ say: ask }) => {
      const turn = await ask("Hello");
      assert.deepEqual([turn.texts, turn.shape().at(-1)?.[0]], [["One moment.", "Desk here."], "Desk"]);
    },
  });

  verifiesTurn("turn-callback-tool", {
    app: {
      agents: {
        Root: {
          tools: ["$APP/tools/the-work"],
          beforeToolCallbacks: code(
            "def before_tool_callback(tool, input, callback_context):",
            "    return {'instead': tool.name}",
          ),
        },
      },
      tools: WORK,
    },
    model: [call("work", { key: "A" }), say("Done.")],
    talk: async ({ say: ask, model }) => {
      await ask("Go");
      assert.deepEqual(lastResponse(model.requests[1]), { instead: "work" });
    },
  });

  verifiesTurn("turn-callback-inserted", {
    app: {
      agents: {
        Root: {
          tools: ["$APP/tools/the-work", "end_session"],
          afterModelCallbacks: code(
            "def after_model_callback(callback_context, llm_response):",
            "    parts = llm_response.content.parts",
            "    if any(part.has_function_call('end_session') for part in parts):",
            "        return LlmResponse.from_parts([Part.from_function_call(name='work', args={'key': 'log'}), *parts])",
          ),
        },
      },
      tools: WORK,
    },
    model: [[...say("Bye."), ...call("end_session", { reason: "done" })]],
    talk: async ({ say: ask }) => {
      const turn = await ask("Bye");
      assert.deepEqual([turn.texts, turn.ended?.reason], [["Bye."], "done"]);
      assert.deepEqual(
        turn.spans("Tool").map(({ attributes }) => attributes.response),
        [{ result: { did: "log" } }],
      );
    },
  });

  verifiesTurn("turn-callback-agents", {
    app: {
      agents: {
        Root: {
          childAgents: ["$APP/agents/the-desk"],
          beforeModelCallbacks: beforeModel("llm_request.config.system_instruction.parts[0].text = 'Edited.'"),
        },
        Desk: { instruction: "Desk." },
      },
    },
    model: [call("transfer_to_agent", { agent_name: "Desk" }), say("Desk here.")],
    talk: async ({ say: ask, model }) => {
      const turn = await ask("Hello");
      assert.deepEqual(
        turn.spans("Callback").map(({ attributes }) => attributes.agent),
        ["Root"],
      );
      assert.match(model.requests[1]?.system ?? "", /^Desk\./);
    },
  });

  verifiesTurn("turn-callback-passes", {
    app: {
      agents: {
        Root: {
          tools: ["$APP/tools/the-work"],
          beforeModelCallbacks: beforeModel("set_variable('asked', get_variable('asked', 0) + 1)"),
          afterModelCallbacks: code(
            "def after_model_callback(callback_context, llm_response):",
            "    callback_context.set_variable('answered', callback_context.get_variable('answered') + 1)",
          ),
        },
      },
      tools: WORK,
      app: { variableDeclarations: [counts("asked"), counts("answered")] },
    },
    model: [call("work"), say("Done.")],
    talk: async ({ say: ask }) => {
      const turn = await ask("Go");
      const changed = turn
        .messages()
        .flatMap(({ chunks }: Json) => chunks.flatMap((chunk: Json) => chunk.updatedVariables ?? []));
      assert.deepEqual(Object.assign({}, ...changed), { asked: 2, answered: 2 });
    },
  });

  verifiesTurn("turn-callback-context", {
    app: {
      agents: {
        Root: {
          beforeModelCallbacks: beforeModel(
            "c = callback_context",
            "facts = [c.agent_name, c.session_id, c.project_id, c.location, c.app_id, c.turn_index, c.state is c.variables]",
            "return LlmResponse.from_parts([Part.from_text(str(facts))])",
          ),
        },
      },
    },
    model: [],
    talk: async ({ say: ask, app, session }) => {
      const [id, appId] = [session, app].map((name) => name.split("/").at(-1));
      for (const index of [1, 2])
        assert.deepEqual((await ask("Hello")).texts, [`['Root', '${id}', 'test', 'us', '${appId}', ${index}, True]`]);
    },
  });

  verifiesTurn("turn-callback-names", {
    app: {
      agents: {
        Root: {
          beforeModelCallbacks: code(
            "def before_model_callback(callback_context: ces_internal.CallbackContext, llm_request: LlmRequest) -> Optional[LlmResponse]:",
            "    parts: List[Any] = [ces_public.Part.from_text('Public.')]",
            "    return LlmResponse.from_parts(parts)",
          ),
        },
      },
    },
    model: [],
    talk: async ({ say: ask }) => {
      assert.deepEqual((await ask("Hello")).texts, ["Public."]);
    },
  });

  verifiesTurn("turn-callback-content", {
    app: {
      agents: {
        Root: { beforeModelCallbacks: beforeModel("return Content(role='model', parts=[Part(text='Meant so.')])") },
      },
    },
    model: [],
    talk: async ({ say: ask }) => {
      assert.deepEqual((await ask("Hello")).texts, ["Meant so."]);
    },
  });
});
