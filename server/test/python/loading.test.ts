import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, it } from "node:test";
import { packFolder } from "#resources";
import { startTestServer, type TestServer } from "#testing";
import { callServer, operateServer } from "./call-server.ts";

/** Every mistake that the hosted product drops without a word, told through the API by the real sandbox (PY-5). */
const LOCATION = "projects/local/locations/us";

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server[Symbol.asyncDispose]());

const send = (method: string, path: string, body?: object) => callServer(server, method, path, body);
const operate = (path: string, body: object) => operateServer(server, path, body);

const python = (pythonCode: string) => [{ pythonCode }];
const SIGNATURE = "callback_context: CallbackContext";

/** One mistake a stage, and one that is right. */
const CALLBACKS = {
  beforeAgentCallbacks: [
    ...python(`def before_agent_callback(${SIGNATURE}) -> Optional[Content]:\n    return None\n`),
    ...python(`def beforeAgentCallback(${SIGNATURE}) -> Optional[Content]:\n    return None\n`),
  ],
  afterAgentCallbacks: python(`x = 1\ndef after_agent_callback(${SIGNATURE}, llm_response: LlmResponse):\n    pass\n`),
  beforeModelCallbacks: python(`def before_model_callback(${SIGNATURE}, llm_request: dict):\n    pass\n`),
  afterModelCallbacks: python(`def after_model_callback(${SIGNATURE}, llm_response: LlmResponse):\n    return (\n`),
  beforeToolCallbacks: python(
    `import json\nimport requests\ndef before_tool_callback(tool: Tool, input: dict[str, Any], ${SIGNATURE}):\n    pass\n`,
  ),
  afterToolCallbacks: python("def after_tool_callback(tool: Tool, **kwargs):\n    pass\n"),
};

const ABSENT_REQUESTS =
  "ModuleNotFoundError: No module named 'requests': it is not part of the Python 3.12 standard library, and packages cannot be " +
  "installed; use the global `ces_requests`, or urllib.request. Importable is the standard library without sockets, processes and threads";

const CALLBACK_ERRORS = [
  "before_agent_callbacks[1]: does not define the function 'before_agent_callback', so it never runs (it defines 'beforeAgentCallback').",
  "after_agent_callbacks[0]: line 2, column 1: 'after_agent_callback' takes (callback_context, llm_response) where 1 are passed by position (callback_context: CallbackContext).",
  "before_model_callbacks[0]: line 1, column 62: parameter 'llm_request' of 'before_model_callback' has the annotation 'dict'; write 'LlmRequest'.",
  "after_model_callbacks[0]: line 2, column 12: does not load: SyntaxError: '(' was never closed.",
  `before_tool_callbacks[0]: line 2, column 1: does not load: ${ABSENT_REQUESTS}.`,
  "after_tool_callbacks[0]: line 1, column 1: 'after_tool_callback' takes (tool, **kwargs) where 4 are passed by position (tool: Tool, input: dict, callback_context: CallbackContext, tool_response: dict).",
];

/** Tools by id: code, wanted entry, and what is wrong with it. */
const TOOLS: Readonly<Record<string, readonly [code: string, entry: string, ...problems: string[]]>> = {
  none_default: [
    "def none_default(\n    city: str,\n    country: str = None,\n) -> dict:\n    return {}\n",
    "",
    "line 3, column 5: parameter 'country' of 'none_default' has the default None; use an empty value of its type",
  ],
  any_arguments: [
    "def any_arguments(**kwargs) -> dict:\n    return {}\n",
    "",
    "line 1, column 21: 'any_arguments' takes '**kwargs'; name each parameter",
  ],
  has_context: [
    "def has_context(city: str, tool_context: Optional[ToolContext] = None) -> dict:\n    return {}\n",
    "",
    "line 1, column 28: parameter 'tool_context' of 'has_context' is a context, which no model can give; remove it and use the global 'context'",
  ],
  no_return: [
    "import json\n\ndef no_return(a: int):\n    return {}\n",
    "",
    "line 3, column 1: 'no_return' has no return annotation; write '-> dict'",
  ],
  no_annotation: [
    "def no_annotation(city, days: int = 3) -> dict:\n    return {}\n",
    "",
    "line 1, column 19: parameter 'city' of 'no_annotation' has no annotation; write its type, as in 'city: str'",
  ],
  no_annotations: [
    "def no_annotations(a, b: int, c, *d, e=None):\n    return {}\n",
    "",
    "line 1, column 35: 'no_annotations' takes '*d'; name each parameter",
    "line 1, column 38: parameter 'e' of 'no_annotations' has the default None; use an empty value of its type",
    "line 1, column 20: parameters 'a', 'c' of 'no_annotations' have no annotation, and it has no return annotation; write their types, as in 'a: str' and '-> dict'",
  ],
  imports_mmap: [
    "import mmap\ndef imports_mmap() -> dict:\n    return {}\n",
    "",
    "line 1, column 1: does not load: ModuleNotFoundError: No module named 'mmap': it reaches into the operating system, and the sandbox has none. " +
      "Importable is the standard library without sockets, processes and threads",
  ],
  other_name: [
    "def Other(a: int) -> dict:\n    return {}\n",
    "other_name",
    "does not define the function 'other_name', so it never runs (it defines 'Other')",
  ],
  unknown_type: [
    "def unknown_type(a: Missing) -> dict:\n    return {}\n",
    "",
    "line 1, column 21: does not load: NameError: name 'Missing' is not defined",
  ],
  postponed_type: [
    "def postponed_type(a: 'Missing') -> dict:\n    return {}\n",
    "",
    "line 1, column 20: the annotation ''Missing'' of parameter 'a' of 'postponed_type' has an undefined name",
  ],
  bad_indent: [
    "def bad_indent() -> dict:\nreturn {}\n",
    "",
    "line 2, column 1: does not load: IndentationError: expected an indented block after function definition on line 1",
  ],
  calls_at_load: [
    "data = ces_requests.get('https://a.example').json()\ndef calls_at_load() -> dict:\n    return data\n",
    "",
    "line 1, column 8: does not load: HostRefusal: nothing outside the file can be called while it is loaded",
  ],
  all_right: ["def all_right(a: Optional[str] = '') -> dict:\n    return {}\n", ""],
};

const TOOL_ERRORS = Object.entries(TOOLS).flatMap(([name, [, , ...problems]]) =>
  problems.map((problem) => `Tool '${name}', python_function: ${problem}.`),
);

describe("Python that would be dropped in silence", () => {
  it("is told by the agent for all six stages and transfer rules, and mended by an update", async () => {
    const { name: app } = await operate(`${LOCATION}/apps?appId=stages`, { displayName: "Stages" });
    const child = await send("POST", `${app}/agents?agentId=child`, { displayName: "Child" });
    const rule = { childAgent: child.name, direction: "PARENT_TO_CHILD" };
    const condition = (code: string) => ({
      ...rule,
      deterministicTransfer: { pythonCodeCondition: { pythonCode: code } },
    });
    const agent = await send("POST", `${app}/agents?agentId=root-agent`, {
      displayName: "Root",
      childAgents: [child.name],
      ...CALLBACKS,
      transferRules: [
        condition("def should_trigger_transfer_callback(context: CallbackContext) -> bool:\n    return False\n"),
        condition("def should_transfer(context: CallbackContext) -> bool:\n    return False\n"),
      ],
    });
    const expected = [
      ...CALLBACK_ERRORS,
      "transfer_rules[1]: does not define the function 'should_trigger_transfer_callback', so it never runs (it defines 'should_transfer').",
    ];
    assert.deepEqual(agent.validationErrors, expected);
    const mended = await send("PATCH", `${app}/agents/root-agent?updateMask=afterModelCallbacks`, {
      afterModelCallbacks: python(`def after_model_callback(${SIGNATURE}, llm_response: LlmResponse):\n    pass\n`),
    });
    assert.deepEqual(
      mended.validationErrors,
      expected.filter((error) => !error.startsWith("after_model")),
    );
    assert.deepEqual((await send("GET", `${app}/agents/root-agent`)).afterToolCallbacks, CALLBACKS.afterToolCallbacks);
  });

  it("is told by the app for tools, fakes and guardrails, at create and at update", async () => {
    const { name: app } = await operate(`${LOCATION}/apps?appId=tools`, { displayName: "Tools" });
    const { name: rootAgent } = await send("POST", `${app}/agents?agentId=root-agent`, { displayName: "Root" });
    await send("PATCH", `${app}?updateMask=rootAgent`, { rootAgent });
    for (const [id, [pythonCode, name]] of Object.entries(TOOLS))
      await send("POST", `${app}/tools?toolId=${id.replaceAll("_", "-")}`, { pythonFunction: { name, pythonCode } });
    const { validationErrors = [] } = await send("GET", app);
    assert.deepEqual(validationErrors.toSorted(), TOOL_ERRORS.toSorted());
    await send("PATCH", `${app}/tools/all-right?updateMask=toolFakeConfig`, {
      toolFakeConfig: { codeBlock: { pythonCode: "def fake(tool: Tool) -> dict:\n    return {}\n" } },
    });
    await send("POST", `${app}/guardrails?guardrailId=rail-1`, {
      displayName: "Rail",
      action: { respondImmediately: { responses: [{ text: "No." }] } },
      codeCallback: { beforeModelCallback: { pythonCode: `def before_model_callback(${SIGNATURE}):\n    pass\n` } },
    });
    const later = (await send("GET", app)).validationErrors ?? [];
    assert.deepEqual(
      later.filter((error) => !TOOL_ERRORS.includes(error)),
      [
        "Tool 'all_right', tool_fake_config: does not define the function 'fake_tool_call', so it never runs (it defines 'fake').",
        "Guardrail 'Rail', before_model_callback: line 1, column 1: 'before_model_callback' takes (callback_context) where 2 are passed by position (callback_context: CallbackContext, llm_request: LlmRequest).",
      ],
    );
  });

  it("is told once by an import, which takes the app over all the same", async () => {
    const folder = await mkdtemp(join(tmpdir(), "frontdesk-loading-"));
    try {
      const write = async (path: string, content: string | object) => {
        await mkdir(dirname(join(folder, "App", path)), { recursive: true });
        await writeFile(join(folder, "App", path), typeof content === "string" ? content : JSON.stringify(content));
      };
      await write("app.json", { displayName: "Imported", rootAgent: "Root" });
      const stages = Object.entries(CALLBACKS).map(([field, callbacks]) => [
        field,
        callbacks.map((_, index) => ({ pythonCode: codePath(field, index) })),
      ]);
      await write("agents/Root/Root.json", {
        displayName: "Root",
        instruction: "agents/Root/instruction.txt",
        ...Object.fromEntries(stages),
      });
      await write("agents/Root/instruction.txt", "Help.");
      for (const [field, callbacks] of Object.entries(CALLBACKS))
        for (const [index, { pythonCode }] of callbacks.entries()) await write(codePath(field, index), pythonCode);
      for (const [id, [code, name]] of Object.entries(TOOLS)) {
        const path = `tools/${id}/python_function/python_code.py`;
        await write(path, code);
        await write(`tools/${id}/${id}.json`, {
          displayName: id,
          pythonFunction: { name: name || id, pythonCode: path },
        });
      }
      const appContent = Buffer.from((await packFolder(join(folder, "App"), Date.now())).zip).toString("base64");
      const { name, warnings = [] } = await operate(`${LOCATION}/apps:importApp`, { appContent });
      const counts = [...CALLBACK_ERRORS, ...TOOL_ERRORS].map((error) => [error, warningsOf(error, warnings).length]);
      assert.deepEqual(
        counts.filter(([, count]) => count !== 1),
        [],
      );
      assert.deepEqual(
        warnings.filter((warning) => warning.includes("..")),
        [],
      );
      assert.ok(
        warnings.some((warning) => warning.startsWith(`${codePath("afterModelCallbacks", 0)}:2:12: SyntaxError`)),
      );
      const { tools } = await send("GET", `${name}/tools`);
      assert.equal((tools as unknown as readonly unknown[]).length, Object.keys(TOOLS).length);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

/** The warnings of an import about a validation error: code that does not load is told with its file instead. */
function warningsOf(error: string, warnings: readonly string[]): readonly string[] {
  const [, line, column, reason] = /line (\d+), column (\d+): does not load: (.*)\.$/.exec(error) ?? [];
  const id = /^Tool '(\w+)'/.exec(error)?.[1];
  const file = id ? `tools/${id}/python_function/python_code.py` : "/python_code.py";
  const told = line ? `${file}:${line}:${column}: ${reason} (` : error.replace(/^\w+\[\d\]: /, "");
  return warnings.filter((warning) => warning.includes(told));
}

function codePath(field: string, index: number): string {
  const stage = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return `agents/Root/${stage}/${stage}_0${index + 1}/python_code.py`;
}
