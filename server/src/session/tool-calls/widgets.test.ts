import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Schema_Type as Type } from "@frontdesk/protos/ces/schema";
import type { ToolSchema } from "@frontdesk/protos/ces/tool";
import {
  WidgetTool_DataMapping_Mode as Mode,
  WidgetTool_TextResponseConfig_Type as Text,
  WidgetTool_WidgetType as Widget,
  type WidgetToolSchema,
} from "@frontdesk/protos/ces/widget_tool";
import { call, ScriptedModel, say, testSandbox, testSession, toolResource } from "#testing/engine";

const sandbox = testSandbox();
after(() => sandbox.close());

const SEARCH = `def search(word: str) -> dict:\n  return {"items": [{"title": word, "price": 3}], "total": 1}\n`;

const carousel = (init: MessageInitShape<typeof WidgetToolSchema> = {}): MessageInitShape<typeof ToolSchema> => ({
  name: toolResource("show"),
  displayName: "show",
  toolType: {
    case: "widgetTool",
    value: {
      name: "show",
      description: "Shows products.",
      widgetType: Widget.PRODUCT_CAROUSEL,
      input: {
        case: "parameters",
        value: {
          type: Type.OBJECT,
          properties: { heading: { type: Type.STRING }, products: { type: Type.ARRAY } },
          required: ["heading", "products"],
        },
      },
      ...init,
    },
  },
});

function open(model: ScriptedModel, widget = carousel()) {
  return testSession({
    model,
    sandbox,
    agents: { Root: { tools: ["search", "show"] } },
    python: { search: SEARCH },
    tools: [widget],
  });
}

const FROM_SEARCH = { sourceToolName: toolResource("search") };
const [HEADING, PRODUCTS] = [{ type: "string" }, { type: "array", items: {} }];

describe("a widget", () => {
  it("is sent to the client with what a renderer needs, and the user's next input is its answer", async () => {
    const model = new ScriptedModel(call("show", { heading: "Shoes", products: ["a"] }), say("Good choice."));
    await using session = await open(model, carousel({ uiConfig: { colour: "red" } }));
    const args = { heading: "Shoes", products: ["a"] };
    const outputs = await session.send("Shoes, please");
    assert.deepEqual(
      outputs.map(({ outputType }) => outputType),
      [
        {
          case: "payload",
          value: {
            widget: { name: "show", type: "PRODUCT_CAROUSEL", parameters: args, uiConfig: { colour: "red" } },
          },
        },
        outputs[1]?.outputType,
      ],
    );
    const calls = outputs[1]?.outputType.case === "toolCalls" ? outputs[1].outputType.value.toolCalls : [];
    assert.deepEqual(
      calls.map(({ id, displayName, args }) => ({ id, displayName, args })),
      [{ id: "call-show", displayName: "show", args }],
    );
    await session.send("The first one");
    assert.deepEqual(model.requests[1]?.messages.slice(-2), [
      { role: "model", parts: [{ kind: "function-call", id: "call-show", name: "show", args }] },
      {
        role: "user",
        parts: [
          {
            kind: "function-response",
            id: "call-show",
            name: "show",
            response: { result: "The widget was shown to the user, whose answer follows." },
          },
          { kind: "text", text: "The first one" },
        ],
      },
    ]);
  });

  it("sends its fixed text, or the text that the model has to write for it", async () => {
    const model = new ScriptedModel(call("show"));
    const text = { textResponseConfig: { type: Text.STATIC, staticText: "Have a look." } };
    await using fixed = await open(model, carousel(text));
    assert.deepEqual((await fixed.send("Hi"))[0]?.outputType, { case: "text", value: "Have a look." });

    const writing = new ScriptedModel(call("show", { heading: "Shoes", text_response: "These may fit." }));
    const textResponseConfig = { type: Text.LLM_GENERATED, textResponseInstruction: "One friendly sentence." };
    await using written = await open(writing, carousel({ textResponseConfig }));
    const outputs = await written.send("Hi");
    assert.deepEqual(
      outputs.slice(0, 2).map(({ outputType }) => outputType),
      [
        { case: "text", value: "These may fit." },
        {
          case: "payload",
          value: { widget: { name: "show", type: "PRODUCT_CAROUSEL", parameters: { heading: "Shoes" } } },
        },
      ],
    );
    assert.deepEqual(writing.requests[0]?.tools.find(({ name }) => name === "show")?.parameters, {
      type: "object",
      properties: {
        heading: HEADING,
        products: PRODUCTS,
        text_response: { type: "string", description: "One friendly sentence." },
      },
      required: ["heading", "products", "text_response"],
    });
  });
});

describe("the data mapping of a widget", () => {
  /** What the model is offered, and what the client gets after a search. */
  async function mapped(dataMapping: NonNullable<MessageInitShape<typeof WidgetToolSchema>["dataMapping"]>) {
    const model = new ScriptedModel(call("search", { word: "boot" }), call("show", { heading: "Boots" }), say("?"));
    await using session = await open(model, carousel({ dataMapping }));
    const outputs = await session.send("Boots");
    const span = outputs.at(-1)?.diagnosticInfo?.rootSpan?.childSpans.filter(({ name }) => name === "Tool")[1];
    const payload = outputs.find(({ outputType }) => outputType.case === "payload")?.outputType.value;
    if (outputs.at(-1)?.outputType.case === "toolCalls") await session.send("Thanks");
    const parameters = model.requests[0]?.tools.find(({ name }) => name === "show")?.parameters;
    return {
      parameters,
      payload,
      attributes: span?.attributes,
      modelGot: model.requests[2]?.messages.at(-1)?.parts[0],
    };
  }

  it("by fields takes them out of the source tool's last answer, and the model no longer gives them", async () => {
    const { parameters, payload } = await mapped({
      ...FROM_SEARCH,
      fieldMappings: { products: "items", first: "items.0.title", none: "missing.path" },
    });
    assert.deepEqual(parameters, { type: "object", properties: { heading: HEADING }, required: ["heading"] });
    assert.deepEqual(payload, {
      widget: {
        name: "show",
        type: "PRODUCT_CAROUSEL",
        parameters: { heading: "Boots", products: [{ title: "boot", price: 3 }], first: "boot" },
      },
    });
  });

  it("by Python gets the source tool's output, and leaves its printed lines in the trace", async () => {
    const pythonCode = `def to_widget(output):\n  print("mapping", output["total"])\n  return {"products": [one["title"].upper() for one in output["items"]]}\n`;
    const { parameters, payload, attributes } = await mapped({
      ...FROM_SEARCH,
      mode: Mode.PYTHON_SCRIPT,
      pythonFunction: { name: "to_widget", pythonCode },
    });
    assert.deepEqual(parameters, { type: "object", properties: {} });
    assert.deepEqual(payload, {
      widget: { name: "show", type: "PRODUCT_CAROUSEL", parameters: { heading: "Boots", products: ["BOOT"] } },
    });
    assert.deepEqual(attributes?.output, ["mapping 1"]);
  });

  it("that fails is a failed call, whose error the model gets", async () => {
    const { modelGot, payload } = await mapped({ ...FROM_SEARCH, pythonScript: "def f(output):\n  return 5\n" });
    assert.deepEqual(
      [modelGot, payload],
      [
        {
          kind: "function-response",
          id: "call-show",
          name: "show",
          response: {
            status: "error",
            error: "The data mapping of widget 'show' returned int; it must return a dict.",
          },
        },
        undefined,
      ],
    );
  });

  it("without a response of its source tool asks the model to call that first", async () => {
    const model = new ScriptedModel(call("show"), say("Sorry."));
    const textResponseConfig = { type: Text.STATIC, staticText: "Have a look." };
    const dataMapping = { ...FROM_SEARCH, fieldMappings: { a: "b" } };
    await using session = await open(model, carousel({ dataMapping, textResponseConfig }));
    const outputs = await session.send("Hi");
    assert.deepEqual(
      outputs.flatMap(({ outputType }) => (outputType.case === "text" ? [outputType.value] : [])),
      ["Sorry."],
      "nothing announces a widget that is not shown (TURN-72)",
    );
    assert.deepEqual(model.requests[1]?.messages.at(-1)?.parts, [
      {
        kind: "function-response",
        id: "call-show",
        name: "show",
        response: {
          status: "error",
          error: "Widget 'show' shows the response of tool 'search'. Call that tool first.",
        },
      },
    ]);
  });
});
