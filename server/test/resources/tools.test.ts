import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { definedFields } from "#base";
import { APP, openResources, type TestResources } from "./open-resources.ts";
import { statusErrorOf } from "./status-error.ts";

const GOOD = 'def look_up(order_id: str) -> dict:\n    """Finds an order."""\n    return {}';

function addPython(test: TestResources, pythonCode: string, name = "", toolId = "look-up") {
  return test.call("createTool", {
    parent: APP,
    toolId,
    tool: { toolType: { case: "pythonFunction", value: { name, pythonCode } } },
  });
}

async function errorsAfter(pythonCode: string, name = ""): Promise<readonly string[]> {
  await using test = await openResources();
  await test.call("createAgent", { parent: APP, agentId: "root-agent", agent: { displayName: "Root" } });
  await test.call("updateApp", { app: { name: APP, rootAgent: `${APP}/agents/root-agent` } });
  await addPython(test, pythonCode, name);
  return (await test.call("getApp", { name: APP })).validationErrors;
}

describe("a tool", () => {
  it("has the display name of its type", async () => {
    await using test = await openResources();
    const named = async (toolType: object) =>
      (await test.call("createTool", { parent: APP, tool: { toolType } as never })).displayName;
    assert.deepEqual(
      [
        await named({ case: "clientFunction", value: { name: "show_map" } }),
        await named({ case: "googleSearchTool", value: { name: "web" } }),
        await named({ case: "dataStoreTool", value: { name: "manuals" } }),
        await named({ case: "pythonFunction", value: { name: "look_up", pythonCode: GOOD } }),
      ],
      ["show_map", "web", "manuals", "look_up"],
    );
  });

  it("has name and description of a Python function from the code, whatever the client sends", async () => {
    await using test = await openResources();
    const tool = await test.call("createTool", {
      parent: APP,
      tool: {
        displayName: "mine",
        toolType: { case: "pythonFunction", value: { pythonCode: GOOD, description: "mine" } },
      },
    });
    assert.equal(tool.displayName, "look_up");
    assert.equal(tool.toolType.case === "pythonFunction" && tool.toolType.value.description, "Finds an order.");
  });

  it("needs a type that can be created", async () => {
    await using test = await openResources();
    const errorOf = (toolType?: object) =>
      statusErrorOf(test.call("createTool", { parent: APP, tool: definedFields({ toolType }) as never }));
    assert.deepEqual(await errorOf(), {
      code: "InvalidArgument",
      violations: { "tool.tool_type": "A tool needs a type, e.g. python_function." },
    });
    assert.deepEqual(await errorOf({ case: "systemTool", value: { name: "end_session" } }), {
      code: "InvalidArgument",
      violations: { "tool.system_tool": "System tools exist in every app and cannot be created." },
    });
    assert.deepEqual(
      await errorOf({ case: "mcpTool", value: { name: "remote", serverAddress: "https://mcp.example.com" } }),
      {
        code: "InvalidArgument",
        violations: { "tool.mcp_tool": "MCP tools are managed by their toolset; create an MCP toolset instead." },
      },
    );
    assert.deepEqual(await errorOf({ case: "clientFunction", value: { name: "end_session" } }), {
      code: "InvalidArgument",
      violations: { "tool.display_name": "This name belongs to a system tool." },
    });
  });

  it("is listed beside the system tools only on request", async () => {
    await using test = await openResources();
    await addPython(test, GOOD);
    const names = async (filter: string, pageSize = 0, pageToken = "") => {
      const { tools, nextPageToken } = await test.call("listTools", { parent: APP, filter, pageSize, pageToken });
      return { names: tools.map(({ displayName }) => displayName), nextPageToken };
    };
    assert.deepEqual((await names("")).names, ["look_up"]);
    assert.deepEqual((await names("include_system_tools=false")).names, ["look_up"]);
    const all = ["customize_response", "end_session", "look_up", "transfer_to_agent"];
    assert.deepEqual((await names("include_system_tools=true")).names, all);
    assert.deepEqual((await names("include_system_tools=true AND display_name:_session")).names, ["end_session"]);
    const first = await names("include_system_tools=true", 3);
    const second = await names("include_system_tools=true", 3, first.nextPageToken);
    assert.deepEqual([...first.names, ...second.names, second.nextPageToken], [...all, ""]);
    assert.equal((await statusErrorOf(names("include_system_tools=perhaps"))).code, "InvalidArgument");
  });

  it("can be a system tool for Get, but not for Create, Update and Delete", async () => {
    await using test = await openResources();
    const name = `${APP}/tools/end_session`;
    const tool = await test.call("getTool", { name });
    assert.deepEqual([tool.name, tool.displayName, tool.toolType.case], [name, "end_session", "systemTool"]);
    assert.equal((await statusErrorOf(test.call("updateTool", { tool: { name } }))).code, "NotFound");
    assert.equal((await statusErrorOf(test.call("deleteTool", { name }))).code, "NotFound");
  });
});

describe("Python that the product would drop silently", () => {
  const cases: readonly [problem: string, code: string, name: string, error: string][] = [
    ["does not load", "import x\nbroken", "", "line 2, column 1: does not load: SyntaxError: invalid syntax"],
    ["defines no function", "x = 1", "", "defines no function"],
    [
      "lacks its entry function",
      GOOD,
      "find",
      "does not define the function 'find', so it never runs (it defines 'look_up')",
    ],
    [
      "takes any arguments",
      "def look_up(*args, **kwargs) -> dict:",
      "",
      "line 1, column 13: 'look_up' takes '*args'; name each parameter",
    ],
    [
      "has None for a default",
      "def look_up(city: str = None) -> dict:",
      "",
      "line 1, column 13: parameter 'city' of 'look_up' has the default None; use an empty value of its type",
    ],
    [
      "does not say what it returns",
      "def look_up(city: str):",
      "",
      "line 1, column 1: 'look_up' has no return annotation; write '-> dict'",
    ],
  ];
  for (const [problem, code, name, error] of cases) {
    it(`is accepted with a validation error when it ${problem}`, async () => {
      const [first = ""] = await errorsAfter(code, name);
      assert.match(first, /^Tool '[\w-]+', python_function: /);
      assert.equal(first.replace(/^.*?python_function: /, ""), `${error}.`);
    });
  }

  it("has no validation error when it is correct", async () => {
    assert.deepEqual(await errorsAfter(GOOD), []);
  });
});

describe("a widget's data mapping", () => {
  it("has a validation error when its function is missing or takes more than the output", async () => {
    await using test = await openResources();
    const { name: rootAgent } = await test.call("createAgent", { parent: APP, agent: { displayName: "Root" } });
    await test.call("updateApp", { app: { name: APP, rootAgent } });
    const add = (toolId: string, name: string, pythonCode: string) =>
      test.call("createTool", {
        parent: APP,
        toolId,
        tool: {
          toolType: {
            case: "widgetTool",
            value: { name: toolId, dataMapping: { pythonFunction: { name, pythonCode } } },
          },
        },
      });
    await add("right", "", "def to_cards(output) -> dict:");
    await add("missing", "to_cards", "def to_card(output) -> dict:");
    await add("greedy", "", "def to_cards(output: dict, more) -> dict:");
    const { validationErrors } = await test.call("getApp", { name: APP });
    assert.deepEqual(validationErrors.toSorted(), [
      "Tool 'greedy', data_mapping: line 1, column 1: 'to_cards' takes (output, more) where 1 are passed by position (output).",
      "Tool 'missing', data_mapping: does not define the function 'to_cards', so it never runs (it defines 'to_card').",
    ]);
  });
});

describe("validation_errors of an agent", () => {
  async function errorsOf(agent: object): Promise<readonly string[]> {
    await using test = await openResources();
    return (await test.call("createAgent", { parent: APP, agent: { displayName: "Root", ...agent } as never }))
      .validationErrors;
  }
  const python = (value: string) => ({ callback: { case: "pythonCode", value } });

  it("report callbacks that would never run", async () => {
    const errors = await errorsOf({
      beforeModelCallbacks: [
        python(
          "def before_model_callback(callback_context: CallbackContext, llm_request: LlmRequest) -> Optional[LlmResponse]:",
        ),
        python("def beforeModelCallback(callback_context: CallbackContext, llm_request: LlmRequest):"),
        python("def before_model_callback(callback_context: CallbackContext):"),
        python("def before_model_callback(callback_context: CallbackContext, llm_request: LlmResponse):"),
      ],
      afterModelCallbacks: [python("def after_model_callback(callback_context, llm_response: dict):")],
      afterToolCallbacks: [
        python(
          "def after_tool_callback(tool: Tool, input: dict[str, Any], callback_context: 'ces_public.CallbackContext', tool_response):",
        ),
      ],
    });
    assert.deepEqual(errors, [
      "before_model_callbacks[1]: does not define the function 'before_model_callback', so it never runs (it defines 'beforeModelCallback').",
      "before_model_callbacks[2]: line 1, column 1: 'before_model_callback' takes (callback_context) where 2 are passed by position (callback_context: CallbackContext, llm_request: LlmRequest).",
      "before_model_callbacks[3]: line 1, column 62: parameter 'llm_request' of 'before_model_callback' has the annotation 'LlmResponse'; write 'LlmRequest'.",
      "after_model_callbacks[0]: line 1, column 26: parameters of 'after_model_callback' have no or wrong annotations: 'callback_context' (no annotation; write 'CallbackContext'), 'llm_response' (the annotation 'dict'; write 'LlmResponse').",
      "after_tool_callbacks[0]: line 1, column 108: parameter 'tool_response' of 'after_tool_callback' has no annotation; write 'dict'.",
    ]);
  });

  it("report dangling references in the instruction", async () => {
    await using test = await openResources();
    await addPython(test, GOOD);
    await test.call("createToolset", {
      parent: APP,
      toolsetId: "crm-api",
      toolset: {
        displayName: "crm-api",
        toolsetType: { case: "mcpToolset", value: { serverAddress: "https://mcp.example.com" } },
      },
    });
    await test.call("createAgent", { parent: APP, agentId: "stranger", agent: { displayName: "Stranger" } });
    const child = await test.call("createAgent", { parent: APP, agentId: "child", agent: { displayName: "Child" } });
    const agent = await test.call("createAgent", {
      parent: APP,
      agent: {
        displayName: "Root",
        childAgents: [child.name],
        tools: ["end_session"],
        toolsets: [{ toolset: `${APP}/toolsets/crm-api` }],
        instruction:
          "Use {@TOOL: end_session}, {@TOOL: crm_api_find}, {@AGENT: Child}, {@TOOL: look_up}, {@TOOL: look_up}, {@TOOL: gone}, {@AGENT: Stranger}, {@AGENT: Gone}, {@WIDGET: menu}, {@Widget: look_up}.",
      },
    });
    assert.deepEqual(agent.validationErrors, [
      "instruction: {@TOOL: look_up} names a tool that this agent does not list in 'tools'.",
      "instruction: {@TOOL: gone} names no tool of this app.",
      "instruction: {@AGENT: Gone} names no agent of this app.",
      "instruction: {@WIDGET: menu} names no widget of this app.",
      "instruction: {@Widget: look_up} names a tool that is no widget; write {@TOOL: …}.",
    ]);
    await test.call("createAgent", { parent: APP, agent: { displayName: "Gone" } });
    const { validationErrors } = await test.call("getAgent", { name: agent.name });
    assert.deepEqual(
      validationErrors.filter((error) => error.includes("AGENT")),
      [],
    );
  });
});
