import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { Schema_Type } from "@frontdesk/protos/ces/schema";
import { type Tool, ToolSchema } from "@frontdesk/protos/ces/tool";
import { createLogger, type Egress, EgressError, type EgressRequest, type JsonObject } from "#base";
import { Code, ConnectError } from "#status";
import { TEST_APP, testSandbox, toolResource } from "#testing/engine";
import type { ToolContext } from "./contract.ts";
import { createTools } from "./create-tools.ts";
import { TOOL_KINDS } from "./tool-kinds.ts";

const sandbox = testSandbox();
after(() => sandbox.close());

type Init = MessageInitShape<typeof ToolSchema>;

const python = (name: string, pythonCode: string, more: Partial<Tool> = {}): Tool =>
  create(ToolSchema, {
    name: toolResource(name),
    displayName: name,
    toolType: { case: "pythonFunction", value: { name, pythonCode } },
    ...more,
  } as Init);

const NO_NETWORK: Pick<Egress, "fetch"> = {
  fetch: () => Promise.reject(new EgressError("refused", "127.0.0.1 is a loopback address")),
};

function toolsWith(egress: Pick<Egress, "fetch"> = NO_NETWORK) {
  return createTools({ sandbox, egress, logger: createLogger("silent") });
}

function contextOf(tools: readonly Tool[], more: Partial<ToolContext> = {}): ToolContext {
  return {
    app: TEST_APP,
    turn: "turn",
    python: {
      invocationId: "i",
      agentName: "Root",
      sessionId: "s",
      state: { who: "Ana" },
      userContent: null,
      events: [],
    },
    appTools: new Map(tools.map((tool) => [tool.displayName, tool])),
    useFakes: false,
    depth: 0,
    signal: new AbortController().signal,
    ...more,
  };
}

/** Runs the first tool among its siblings and answers what the model sees. */
async function respond(
  tools: readonly [Tool, ...Tool[]],
  args: JsonObject = {},
  more: Partial<ToolContext> = {},
  egress = NO_NETWORK,
) {
  const [tool] = tools;
  const outcome = await toolsWith(egress).execute(
    tool,
    { id: "1", name: tool.displayName, args },
    contextOf(tools, more),
  );
  return outcome.response;
}

describe("the declaration of a Python tool", () => {
  it("comes from signature and docstring", async () => {
    const code = `from typing import Literal

def find_order(order_id: str, size: Literal["small", "large"] = "small", limit: int = 5) -> dict:
  """Finds an order.

  Args:
    order_id: the number on the receipt
    limit: how many lines
  """
  return {}
`;
    assert.deepEqual(await toolsWith().declare(python("find_order", code)), {
      name: "find_order",
      description: "Finds an order.",
      parameters: {
        type: "object",
        properties: {
          order_id: { type: "string", description: "the number on the receipt" },
          size: { type: "string", enum: ["small", "large"], default: "small" },
          limit: { type: "integer", description: "how many lines", default: 5 },
        },
        required: ["order_id"],
      },
      response: { type: "object", properties: { result: { type: "object" } } },
      tool: toolResource("find_order"),
      runs: "server",
    });
  });

  it("fails with file and reason when the code does not load or lacks the function", async () => {
    const preconditionError = (message: RegExp) => (error: unknown) =>
      error instanceof ConnectError && error.code === Code.FailedPrecondition && message.test(error.rawMessage);
    await assert.rejects(
      toolsWith().declare(python("t", "def t(:\n")),
      preconditionError(/^The code of tool 't' does not load: SyntaxError: /),
    );
    await assert.rejects(
      toolsWith().declare(python("t", "def other():\n  return 1\n")),
      preconditionError(/^The code of tool 't' does not define a function named 't'\.$/),
    );
  });

  it("uses the first function of the file when none is named", async () => {
    const tool = create(ToolSchema, {
      name: toolResource("t"),
      displayName: "t",
      toolType: {
        case: "pythonFunction",
        value: { pythonCode: 'def first():\n  """One."""\n  return 1\ndef second():\n  return 2\n' },
      },
    });
    assert.equal((await toolsWith().declare(tool)).description, "One.");
    assert.deepEqual(await respond([tool]), { result: 1 });
  });
});

describe("a Python tool", () => {
  it("gets keyword arguments and the variables, and returns its value in result", async () => {
    const code = `def greet(word: str, times: int = 1) -> dict:\n  set_variable("greeted", True)\n  return {"text": " ".join([word, context.state["who"]] * times)}\n`;
    const outcome = await toolsWith().execute(
      python("greet", code),
      { id: "1", name: "greet", args: { word: "Hi", times: 2 } },
      contextOf([]),
    );
    assert.deepEqual(
      { kind: outcome.kind, response: outcome.response, state: outcome.state },
      {
        kind: "answered",
        response: { result: { text: "Hi Ana Hi Ana" } },
        state: { set: { greeted: true }, removed: [] },
      },
    );
  });

  it("names missing parameters before it runs", async () => {
    assert.deepEqual(await respond([python("f", "def f(a: str, b: str, c: str = ''):\n  return 1\n")], { b: "x" }), {
      status: "error",
      error: "Missing parameter: a",
    });
  });

  it("is terminated at its own timeout", async () => {
    const timeout = { $typeName: "google.protobuf.Duration" as const, seconds: 0n, nanos: 300_000_000 };
    const response = await respond([python("f", "import time\ndef f():\n  time.sleep(20)\n", { timeout })]);
    assert.equal(response.status, "error");
    assert.match(String(response.error), /^Code execution timed out/);
  });
});

describe("tools called by code", () => {
  const inner = python(
    "inner",
    `def inner(n: int) -> dict:\n  set_variable("inner", n)\n  set_variable("both", "inner")\n  return {"n": n}\n`,
  );

  it("are resolved against the app, return a response, and write state that the caller may override", async () => {
    const outer = python(
      "outer",
      `def outer() -> dict:\n  response = tools.inner({"n": 3})\n  set_variable("both", "outer")\n  return {"ok": response.ok, "body": response.json()}\n`,
    );
    const outcome = await toolsWith().execute(outer, { id: "1", name: "outer", args: {} }, contextOf([outer, inner]));
    assert.deepEqual(outcome.response, { result: { ok: true, body: { result: { n: 3 } } } });
    assert.deepEqual(outcome.state, { set: { inner: 3, both: "outer" }, removed: [] });
  });

  it("see the variables that tools before them changed (PY-22)", async () => {
    const reader = python("reader", `def reader() -> dict:\n  return {"inner": get_variable("inner")}\n`);
    const outer = python(
      "outer",
      "def outer() -> dict:\n  tools.inner({'n': 3})\n  tools.inner({'n': 4})\n  return tools.reader({}).json()\n",
    );
    const context = contextOf([outer, inner, reader]);
    const outcome = await toolsWith().execute(outer, { id: "1", name: "outer", args: {} }, context);
    assert.deepEqual(outcome.response, { result: { result: { inner: 4 } } });
    assert.equal("inner" in context.python.state, false);
  });

  it("that fail are responses with a status, not exceptions", async () => {
    const bad = python("bad", "def bad():\n  raise ValueError('no')\n");
    const outer = python("outer", "def outer():\n  r = tools.bad({})\n  return [r.status_code, r.reason, r.json()]\n");
    const error = "Python function execution failed: ValueError: no (tools/bad/python_function/python_code.py, line 2)";
    assert.deepEqual(await respond([outer, bad]), { result: [500, error, { status: "error", error }] });
  });

  it("are limited in depth", async () => {
    const loop = python(
      "loop",
      "def loop(n: int = 0):\n  r = tools.loop({'n': n + 1})\n  return r.json().get('result', r.reason)\n",
    );
    assert.deepEqual(await respond([loop]), {
      result: "Tool 'loop' was not called: nested tool calls are limited to 4 levels.",
    });
  });
});

describe("requests made by code", () => {
  it("pass the egress gate with method, headers and body", async () => {
    const seen: EgressRequest[] = [];
    const egress: Pick<Egress, "fetch"> = {
      fetch: async (request) => {
        seen.push(request);
        return {
          status: 201,
          statusText: "Created",
          headers: { "content-type": "application/json" },
          body: new TextEncoder().encode('{"id":7}'),
        };
      },
    };
    const code = `def f():\n  r = ces_requests.post("https://api.example.com/x", json={"a": 1}, headers={"X-Key": "k"}, timeout=2)\n  return [r.status_code, r.json()["id"]]\n`;
    assert.deepEqual(await respond([python("f", code)], {}, {}, egress), { result: [201, 7] });
    const [request] = seen;
    assert.deepEqual(
      [request?.method, request?.url, request?.timeoutMs, request?.headers["X-Key"], JSON.parse(String(request?.body))],
      ["POST", "https://api.example.com/x", 2000, "k", { a: 1 }],
    );
  });

  it("have status 500 with the reason when the gate refuses them", async () => {
    const code = `def f():\n  r = ces_requests.get("http://127.0.0.1/")\n  return [r.status_code, r.reason]\n`;
    assert.deepEqual(await respond([python("f", code)]), { result: [500, "127.0.0.1 is a loopback address"] });
  });
});

describe("a tool fake", () => {
  const faked = (fake: string) =>
    python("real", `def real(a: str) -> dict:\n  return {"real": a}\n`, {
      toolFakeConfig: create(ToolSchema, {
        toolFakeConfig: { enableFakeMode: true, toolResponse: { case: "codeBlock", value: { pythonCode: fake } } },
      }).toolFakeConfig,
    });
  const catchAll = `def fake_tool_call(tool, input, callback_context):\n  return {"fake": tool.name + input["a"]} if input["a"] != "x" else None\n`;

  it("replaces the tool when the session uses fakes, unless it returns None", async () => {
    assert.deepEqual(await respond([faked(catchAll)], { a: "1" }, { useFakes: true }), { result: { fake: "real1" } });
    assert.deepEqual(await respond([faked(catchAll)], { a: "x" }, { useFakes: true }), { result: { real: "x" } });
    assert.deepEqual(await respond([faked(catchAll)], { a: "1" }), { result: { real: "1" } });
  });

  it("prefers the function named after the tool", async () => {
    const named = `${catchAll}\ndef fake_real(tool, input, callback_context):\n  return {"named": True}\n`;
    assert.deepEqual(await respond([faked(named)], { a: "1" }, { useFakes: true }), { result: { named: true } });
  });
});

describe("other kinds of tool", () => {
  it("declare a client function by its schema", async () => {
    const tool = create(ToolSchema, {
      name: toolResource("pick"),
      displayName: "pick",
      toolType: {
        case: "clientFunction",
        value: {
          name: "pick",
          description: "Lets the user pick.",
          parameters: {
            type: Schema_Type.OBJECT,
            required: ["seats"],
            properties: {
              seats: { type: Schema_Type.ARRAY, minItems: 1n, items: { type: Schema_Type.INTEGER, enum: ["1", "2"] } },
              note: { type: Schema_Type.STRING, nullable: true, description: "Anything." },
            },
          },
        },
      },
    });
    assert.deepEqual(await toolsWith().declare(tool), {
      name: "pick",
      description: "Lets the user pick.",
      parameters: {
        type: "object",
        properties: {
          seats: { type: "array", items: { type: "integer", enum: [1, 2] }, minItems: 1 },
          note: { type: ["string", "null"], description: "Anything." },
        },
        required: ["seats"],
      },
      tool: toolResource("pick"),
      runs: "client",
    });
    assert.deepEqual(await respond([tool]), {
      status: "error",
      error: "Client function 'pick' runs in the client; the server cannot execute it.",
    });
  });

  it("return an error for an empty definition, whatever their kind", async () => {
    const kinds = Object.keys(TOOL_KINDS).filter((kind) => kind !== "widgetTool");
    for (const kind of kinds) {
      const tool = create(ToolSchema, {
        name: toolResource("x"),
        displayName: "x",
        toolType: { case: kind, value: {} } as Init["toolType"],
      });
      assert.equal((await respond([tool])).status, "error", kind);
    }
  });
});
