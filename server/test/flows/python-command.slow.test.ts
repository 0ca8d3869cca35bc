import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { TEST_CACHE } from "#testing/engine";
import { openCommandLine, runCommand } from "../command-line.ts";

const ENV = { ...process.env, FRONTDESK_CACHE: TEST_CACHE };

const TOOL = `def look_up(order_id: str, deep: bool = False) -> dict:
    """Finds an order."""
    print("looking up", order_id)
    logger.warning("not deep") if not deep else None
    set_variable("last", order_id)
    return {"status": find(context.state["orders"], order_id)}


def find(orders, order_id):
    return orders[order_id]
`;

const CALLBACK = `def names(request):
    return [one.name for tool in request.config.tools for one in tool.function_declarations]


def before_model_callback(callback_context: CallbackContext, llm_request: LlmRequest) -> Optional[LlmResponse]:
    if "end_session" in names(llm_request):
        llm_request.config.hide_tool("end_session")
    callback_context.state["asked"] = callback_context.user_content.parts[0].text
    return LlmResponse.from_parts(parts=[Part.from_text(text="Closed.")])
`;

const AFTER_TOOL = `def after_tool_callback(tool, input, callback_context, tool_response):
    return {"seen": [tool.name, input["id"], tool_response["result"]]}
`;

const commandLine = openCommandLine();
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "frontdesk-python-"));
  const files = { "tool.py": TOOL, "callback.py": CALLBACK, "after.py": AFTER_TOOL, "broken.py": "x = 1\ndef f(:\n" };
  for (const [name, code] of Object.entries(files)) await writeFile(join(folder, name), code);
});
after(async () => {
  await commandLine[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Runs the command in the folder of the files. */
const frontdesk = (...args: readonly string[]) => commandLine.run(["python", ...args], { cwd: folder, env: ENV });

/** The same with `--json`, without the time that it took. */
async function resultOf(...args: readonly string[]) {
  const { code, stdout, stderr } = await frontdesk(...args, "--json");
  assert.equal(stderr, "");
  const { durationMs, ...result } = JSON.parse(stdout);
  assert.ok(durationMs > 0);
  return { code, result };
}

const STATE = JSON.stringify({ state: { orders: { "A-1": "shipped" } } });

describe("frontdesk python", () => {
  it("shows what a tool returned, changed and printed", async () => {
    const words = ["python", "tool.py", "--args", '{"order_id": "A-1"}', "--context", STATE];
    const { code, stdout } = await runCommand(words, { cwd: folder, env: ENV });
    assert.equal(code, 0);
    assert.equal(
      stdout.replace(/[\d.]+ ms/, "N ms"),
      `✓ tool.py::look_up  N ms

result (dict)
  {"status":"shipped"}

variables
  last = "A-1"

output
  looking up A-1
  WARNING not deep
`,
    );
  });

  it("shows an exception with the lines that led to it, and fails", async () => {
    const { code, stdout } = await frontdesk(
      "tool.py",
      "--args",
      '{"order_id": "B-2", "deep": true}',
      "--context",
      STATE,
    );
    assert.equal(code, 1);
    assert.equal(
      stdout.replace(/[\d.]+ ms/, "N ms"),
      `✗ tool.py::look_up  N ms

tool.py:6 in look_up
     return {"status": find(context.state["orders"], order_id)}
tool.py:10 in find
    7 │ 
    8 │ 
    9 │ def find(orders, order_id):
>  10 │     return orders[order_id]
E  KeyError: 'B-2'

variables
  last = "B-2"

output
  looking up B-2
`,
    );
  });

  it("gives a program the same as one JSON object", async () => {
    assert.deepEqual(
      await resultOf("tool.py", "--function", "find", "--args", '{"orders": {"a": 1}, "order_id": "a"}'),
      {
        code: 0,
        result: {
          file: "tool.py",
          function: "find",
          ok: true,
          result: 1,
          type: "int",
          edited: {},
          state: { set: {}, removed: [] },
          output: [],
        },
      },
    );
    assert.deepEqual(await resultOf("tool.py", "--args", '{"order_id": "B-2"}'), {
      code: 1,
      result: {
        file: "tool.py",
        function: "look_up",
        ok: false,
        error: {
          kind: "raised",
          type: "KeyError",
          message: "'orders'",
          line: 6,
          traceback: [
            {
              filename: "tool.py",
              line: 6,
              function: "look_up",
              source: 'return {"status": find(context.state["orders"], order_id)}',
            },
          ],
        },
        state: { set: { last: "B-2" }, removed: [] },
        output: [
          { stream: "stdout", text: "looking up B-2" },
          { stream: "log", text: "WARNING not deep" },
        ],
      },
    });
  });

  it("finds the callback of a file and gives it its arguments in order", async () => {
    const request = { llm_request: { config: { tools: [{ function_declarations: [{ name: "end_session" }] }] } } };
    const context = { user_content: { role: "user", parts: [{ text: "Hello" }] } };
    const { code, result } = await resultOf(
      "callback.py",
      "--args",
      JSON.stringify(request),
      "--context",
      JSON.stringify(context),
    );
    assert.deepEqual(
      [code, result.function, result.type, result.result.content.parts, result.edited, result.state.set],
      [
        0,
        "before_model_callback",
        "LlmResponse",
        [{ text: "Closed." }],
        {
          llm_request: {
            config: { tools: [{ function_declarations: [{ name: "end_session" }] }], excluded_tools: ["end_session"] },
          },
        },
        { asked: "Hello" },
      ],
    );
    const after = { tool: "look_up", input: { id: 7 }, tool_response: { result: "ok" } };
    assert.deepEqual((await resultOf("after.py", "--args", JSON.stringify(after))).result.result, {
      seen: ["look_up", 7, "ok"],
    });
  });

  it("points at the line of a file that does not load", async () => {
    const { code, stdout } = await frontdesk("broken.py");
    assert.equal(code, 1);
    assert.match(
      stdout,
      /\n\nbroken\.py:2 in <module>\n {3}1 │ x = 1\n> {2}2 │ def f\(:\nE {2}SyntaxError: invalid syntax\n$/,
    );
  });

  it("ends a call after the time that it is given", async () => {
    await writeFile(join(folder, "slow.py"), "import time\ndef f():\n    time.sleep(30)\n");
    const { code, result } = await resultOf("slow.py", "--timeout", "0.3");
    assert.deepEqual(
      [code, result.error],
      [1, { kind: "timeout", message: "the code did not end within 300 ms", traceback: [] }],
    );
  });

  it("prints in one sentence what is wrong with the command line", async () => {
    const complaints = [
      [["none.py"], "none.py does not exist."],
      [["tool.py", "--args", "[1]"], `--args must be a JSON object, such as '{"name": "Ana"}'.`],
      [["tool.py", "--timeout", "soon"], "--timeout is 'soon'; use a number of seconds above zero."],
      [["tool.py", "--context", '{"events": 5}'], "--context.events: must be a list of objects"],
      [
        ["callback.py", "--args", '{"llm_response": {}}'],
        "--args.llm_response: before_model_callback has no such argument; it takes llm_request",
      ],
    ] as const;
    for (const [args, complaint] of complaints) {
      const { code, stdout, stderr } = await frontdesk(...args);
      assert.deepEqual([code, stdout, stderr], [1, "", `frontdesk: ${complaint}\n`]);
    }
  });
});
