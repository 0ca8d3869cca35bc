import assert from "node:assert/strict";
import { describe } from "node:test";
import { call, say } from "#testing";
import type { Json, ReceivedTurn } from "./received-turn.ts";
import { turnServer } from "./verifies-turn.ts";

const verifiesTurn = turnServer();

const PARAMETERS = {
  type: "OBJECT",
  properties: { heading: { type: "STRING" }, products: { type: "ARRAY", items: {} } },
  required: ["heading", "products"],
};
const SEARCH = {
  pythonFunction: {
    name: "search",
    pythonCode: 'def search(word: str) -> dict:\n    """Searches."""\n    return {"items": [{"title": word}]}\n',
  },
};
/** A carousel of products, and a search whose answer it may show. */
const shop = (widget: object = {}) => ({
  agents: { Root: { tools: ["$APP/tools/the-search", "$APP/tools/the-show"] } },
  tools: {
    search: SEARCH,
    show: {
      widgetTool: {
        name: "show",
        description: "Shows products.",
        widgetType: "PRODUCT_CAROUSEL",
        parameters: PARAMETERS,
        ...widget,
      },
    },
  },
});
const shows = (args: Json) => call("show", args, "call-1");
const widgetOf = ({ payloads }: ReceivedTurn) => payloads[0]?.widget;
const offered = (request: { readonly tools: readonly Json[] } | undefined) =>
  request?.tools.find(({ name }) => name === "show")?.parameters;
const fromSearch = (mapping: object) => ({ dataMapping: { sourceToolName: "$APP/tools/the-search", ...mapping } });

describe("turns: widgets", () => {
  const args = { heading: "Shoes", products: ["a"] };
  verifiesTurn("shown-widget", {
    app: shop({ uiConfig: { colour: "red" } }),
    model: [shows(args), say("A good choice.")],
    talk: async ({ say: ask, model, app }) => {
      const turn = await ask("Shoes, please");
      assert.deepEqual(widgetOf(turn), {
        name: "show",
        type: "PRODUCT_CAROUSEL",
        parameters: args,
        uiConfig: { colour: "red" },
      });
      assert.deepEqual(turn.calls, [{ id: "call-1", tool: `${app}/tools/the-show`, displayName: "show", args }]);
      assert.deepEqual((await ask("The first one")).texts, ["A good choice."]);
      const [answer, words] = (model.requests[1]?.messages.at(-1)?.parts ?? []) as Json[];
      assert.deepEqual(
        [answer.response, words.text],
        [{ result: "The widget was shown to the user, whose answer follows." }, "The first one"],
      );
    },
  });

  verifiesTurn("shown-widget-text", {
    app: shop({ textResponseConfig: { type: "STATIC", staticText: "Have a look." } }),
    model: [shows(args)],
    talk: async ({ say: ask }) => {
      const turn = await ask("Shoes, please");
      assert.deepEqual([turn.texts, widgetOf(turn)?.parameters], [["Have a look."], args]);
    },
  });

  verifiesTurn("shown-widget-written", {
    app: shop({ textResponseConfig: { type: "LLM_GENERATED", textResponseInstruction: "One sentence." } }),
    model: [shows({ ...args, text_response: "These may fit." })],
    talk: async ({ say: ask, model }) => {
      const turn = await ask("Shoes, please");
      assert.deepEqual([turn.texts, widgetOf(turn)?.parameters], [["These may fit."], args]);
      assert.equal(offered(model.requests[0])?.properties.text_response.description, "One sentence.");
    },
  });

  verifiesTurn("shown-widget-mapping", {
    app: shop(fromSearch({ mode: "FIELD_MAPPING", fieldMappings: { products: "items", first: "items.0.title" } })),
    model: [call("search", { word: "boot" }, "call-0"), shows({ heading: "Boots" })],
    talk: async ({ say: ask, model }) => {
      assert.deepEqual(widgetOf(await ask("Boots, please"))?.parameters, {
        heading: "Boots",
        products: [{ title: "boot" }],
        first: "boot",
      });
      assert.deepEqual(Object.keys(offered(model.requests[0])?.properties), ["heading"]);
    },
  });

  verifiesTurn("shown-widget-script", {
    app: shop(
      fromSearch({
        mode: "PYTHON_SCRIPT",
        pythonFunction: {
          name: "to_widget",
          pythonCode:
            'def to_widget(output):\n    return {"products": [each["title"].upper() for each in output["items"]]}\n',
        },
      }),
    ),
    model: [call("search", { word: "boot" }, "call-0"), shows({ heading: "Boots" })],
    talk: async ({ say: ask }) => {
      assert.deepEqual(widgetOf(await ask("Boots, please"))?.parameters, { heading: "Boots", products: ["BOOT"] });
    },
  });

  const CUSTOMIZED =
    "def before_model_callback(callback_context, llm_request):\n" +
    "    part = Part.from_customized_response(content='Your number, please.', disable_barge_in=True, enable_dtmf=True)\n" +
    "    return LlmResponse.from_parts([part])\n";
  verifiesTurn("shown-customized", {
    app: { agents: { Root: { beforeModelCallbacks: [{ pythonCode: CUSTOMIZED }] } } },
    model: [],
    talk: async ({ say: ask }) => {
      const turn = await ask("Hello");
      assert.deepEqual([turn.texts, turn.payloads], [["Your number, please."], []]);
      assert.deepEqual(turn.messages().at(-1)?.chunks, [{ text: "Your number, please." }]);
    },
  });
});
