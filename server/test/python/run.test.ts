import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { createTestSandbox, reply } from "./test-sandbox.ts";

const sandbox = createTestSandbox();
after(() => sandbox[Symbol.asyncDispose]());

const NO_CHANGE = { set: {}, removed: [] };

describe("arguments", () => {
  it("are coerced to the annotated types where that is exact", async () => {
    const code = `
import dataclasses, enum
class Size(enum.Enum):
    SMALL = "s"
@dataclasses.dataclass
class Order:
    id: str
    size: Size
def f(order: Order, sizes: list[Size], weight: float, count: int, note: Optional[str] = None, part: Part = None, wrong: int = 0):
    return [order.id, order.size.name, [s.name for s in sizes], type(weight).__name__, count, note, part.text, wrong]
`;
    const keyword = {
      order: { id: "o1", size: "s" },
      sizes: ["s", "SMALL"],
      weight: 2,
      count: 3,
      part: { text: "hi" },
      wrong: "many",
    };
    const expected = ["o1", "SMALL", ["SMALL", "SMALL"], "float", 3, null, "hi", "many"];
    assert.deepEqual(await sandbox.value(code, { keyword }), expected);
  });

  it("of callbacks are the platform's objects, in the documented order", async () => {
    const code = `
def before_tool_callback(tool: Tool, input: dict[str, Any], callback_context: CallbackContext) -> Optional[dict[str, Any]]:
    return [tool.name, tool.description, input, callback_context is context]
`;
    const value = await sandbox.value(code, {
      positional: [
        { kind: "tool", name: "lookup", description: "finds" },
        { kind: "json", value: { a: 1 } },
        { kind: "callback-context" },
      ],
    });
    assert.deepEqual(value, ["lookup", "finds", { a: 1 }, true]);
  });

  it("edited in place come back; others do not", async () => {
    const request = {
      model: "m",
      contents: [{ role: "user", parts: [{ text: "hi", thought_signature: "c2ln" }] }],
      config: { tools: [{ function_declarations: [{ name: "x" }] }] },
    };
    const code = `
def before_model_callback(callback_context, llm_request, data, untouched):
    callback_context.events
    untouched.contents[0].parts[0].text
    llm_request.contents[0].parts[0].text += "!"
    llm_request.config.hide_tool("x")
    data["list"].append(2)
`;
    const outcome = await sandbox.run(code, {
      positional: [
        { kind: "callback-context" },
        { kind: "llm-request", value: request },
        { kind: "json", value: { list: [1] } },
        { kind: "llm-request", value: request },
      ],
    });
    assert.partialDeepStrictEqual(outcome, { kind: "returned", value: null, returnType: "None", state: NO_CHANGE });
    assert.deepEqual(outcome.kind === "returned" && outcome.edited, [
      undefined,
      {
        model: "m",
        contents: [{ role: "user", parts: [{ text: "hi!", thought_signature: "c2ln" }] }],
        config: { tools: [{ function_declarations: [{ name: "x" }] }], excluded_tools: ["x"] },
      },
      { list: [1, 2] },
      undefined,
    ]);
  });
});

describe("variables", () => {
  it("come back as whole new values, in-place edits included", async () => {
    const code = `
def f():
    context.state["cart"]["items"].append("tea")
    context.variables["n"] += 1
    set_variable("name", "Ada")
    remove_variable("old")
    assert context.state is context.variables
    return [get_variable("n"), get_variable("none"), get_variable("none", 5), get_variable("same")]
`;
    const state = { cart: { items: [] }, n: 1, old: 1, same: { a: [1] } };
    const outcome = await sandbox.run(code, { state });
    assert.partialDeepStrictEqual(outcome, {
      kind: "returned",
      value: [2, null, 5, { a: [1] }],
      state: { set: { cart: { items: ["tea"] }, n: 2, name: "Ada" }, removed: ["old"] },
    });
  });

  it("tell a changed type as a change", async () => {
    const outcome = await sandbox.run(`def f():\n    set_variable("a", True)\n`, { state: { a: 1 } });
    assert.deepEqual(outcome.kind === "returned" && outcome.state, { set: { a: true }, removed: [] });
  });

  it("written before an exception are kept", async () => {
    const outcome = await sandbox.run(`def f():\n    set_variable("a", 1)\n    raise KeyError("b")\n`);
    assert.partialDeepStrictEqual(outcome, {
      kind: "raised",
      type: "KeyError",
      message: "'b'",
      state: { set: { a: 1 }, removed: [] },
    });
  });

  it("without a JSON form are an error that names them", async () => {
    const outcome = await sandbox.run(`def f():\n    set_variable("a", lambda: 1)\n`);
    assert.partialDeepStrictEqual(outcome, {
      kind: "raised",
      type: "TypeError",
      message: "variable 'a': a value of type function has no JSON form",
    });
    const inside = await sandbox.run(`def f():\n    set_variable("cart", {"lines": [1, {2}, {"sku": len}]})\n`);
    assert.partialDeepStrictEqual(inside, {
      message: "variable 'cart': a value of type builtin_function_or_method has no JSON form, at ['lines'][2]['sku']",
    });
  });
});

describe("the returned value", () => {
  it("may be one of the platform's classes, whose name is told", async () => {
    const outcome = await sandbox.run(`def f():\n    return Content(role="model")\n`);
    assert.partialDeepStrictEqual(outcome, { kind: "returned", value: { role: "model" }, returnType: "Content" });
    assert.deepEqual(await sandbox.value(`def f():\n    return [HttpMethod.GET]\n`), ["GET"]);
  });
});

describe("the standard library", () => {
  it("says what is missing and what to use instead", async () => {
    const outcome = await sandbox.run("import requests\ndef f():\n    pass\n");
    assert.partialDeepStrictEqual(outcome, {
      kind: "raised",
      type: "ModuleNotFoundError",
      message:
        "No module named 'requests': it is not part of the Python 3.12 standard library, and packages cannot be installed; " +
        "use the global `ces_requests`, or urllib.request. " +
        "Importable is the standard library without sockets, processes and threads.",
    });
  });
});

describe("calls of one turn", () => {
  it("see each other's tools answer independently", async () => {
    const code = `def f():\n    return tools.t({}).json()\n`;
    const ask = (value: number) =>
      sandbox.value(code, { turn: "shared", toolNames: ["t"], onHostCall: async () => reply(value) });
    assert.deepEqual(await Promise.all([ask(1), ask(2), ask(3)]), [1, 2, 3]);
  });
});
