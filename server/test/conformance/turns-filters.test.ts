import assert from "node:assert/strict";
import { describe } from "node:test";
import { call, say } from "#testing";
import { contains, guarded, NO } from "./guarded-app.ts";
import { turnServer } from "./verifies-turn.ts";

const verifiesTurn = turnServer();

const code = (...lines: readonly string[]) => [{ pythonCode: `${lines.join("\n")}\n` }];
const NO_SECRETS = { ...contains("bannedContentsInAgentResponse", "secret"), action: NO };

describe("turns: filters", () => {
  verifiesTurn("turn-guard-hidden", {
    app: guarded({ ...contains("bannedContents", "bomb"), action: NO }),
    model: [],
    talk: async ({ say: ask }) => {
      const hidden = ["bo\u200bmb", "b\u00adomb", "ｂｏｍｂ", "\u202ebo\u2066mb\u202c", "𝐛𝐨𝐦𝐛", "BO\ufeffMB"];
      for (const words of hidden) assert.deepEqual((await ask(`A ${words}, please`)).texts, ["Not that."], words);
    },
  });

  verifiesTurn("turn-guard-spoken", {
    app: {
      agents: {
        Root: {
          guardrails: ["$APP/guardrails/the-filter"],
          tools: ["customize_response", "$APP/tools/the-show"],
          beforeModelCallbacks: code(
            "def before_model_callback(callback_context, llm_request):",
            "    words = callback_context.get_last_user_input()[0].text",
            "    if words == 'partial':",
            "        response = LlmResponse.from_parts([Part.from_text('A secret.')])",
            "        response.partial = True",
            "        return response",
            "    if words == 'customized':",
            "        return LlmResponse.from_parts([Part.from_customized_response(content='A secret.')])",
          ),
          afterAgentCallbacks: code(
            "def after_agent_callback(callback_context):",
            "    if callback_context.get_last_user_input()[0].text == 'after':",
            "        return Content(role='model', parts=[Part(text='A secret.')])",
          ),
        },
      },
      guardrails: { Filter: NO_SECRETS },
      tools: {
        show: {
          widgetTool: {
            name: "show",
            description: "Shows.",
            parameters: { type: "OBJECT", properties: { heading: { type: "STRING" } } },
            textResponseConfig: { type: "LLM_GENERATED", textResponseInstruction: "One sentence." },
          },
        },
      },
    },
    model: [
      call("customize_response", { content: "A secret." }),
      call("show", { text_response: "A secret." }),
      say("Fine."),
    ],
    talk: async ({ say: ask }) => {
      const asked = ["partial", "customized", "call", "widget", "after"];
      const texts: (readonly string[])[] = [];
      for (const words of asked) texts.push((await ask(words)).texts);
      assert.deepEqual(texts, [["Not that."], ["Not that."], ["Not that."], ["Not that."], ["Fine.", "Not that."]]);
    },
  });

  verifiesTurn("turn-guard-code-answer", {
    app: guarded({
      codeCallback: {
        afterModelCallback: {
          pythonCode:
            "def after_model_callback(callback_context, llm_response):\n" +
            "    words = ''.join(part.text or '' for part in llm_response.content.parts)\n" +
            "    return {'decision': 'TRIGGER' if 'secret' in words else 'OK', 'reason': 'a secret'}\n",
        },
      },
      action: NO,
    }),
    model: [say("A ", "secret.")],
    talk: async ({ say: ask }) => {
      const turn = await ask("Tell me", { enableTextStreaming: true });
      assert.deepEqual(turn.texts, ["Not that."]);
      assert.doesNotMatch(JSON.stringify(turn.messages()), /A secret/);
    },
  });

  verifiesTurn("turn-guard-choice", {
    app: guarded({
      ...contains("bannedContents", "bomb"),
      action: { respondImmediately: { responses: [{ text: "Off.", disabled: true }, { text: "On." }] } },
    }),
    model: [],
    talk: async ({ say: ask }) => {
      for (let times = 0; times < 5; times++) assert.deepEqual((await ask("A bomb")).texts, ["On."]);
    },
  });
});
