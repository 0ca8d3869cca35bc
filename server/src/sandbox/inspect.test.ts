import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import type { PythonFunctionInfo } from "./contract.ts";
import { createTestSandbox } from "./test-sandbox.ts";

const { sandbox, ...rest } = createTestSandbox();
after(() => rest[Symbol.asyncDispose]());

async function functionsOf(code: string): Promise<readonly PythonFunctionInfo[]> {
  const module = await sandbox.inspect(code);
  if (module.kind !== "module") throw new Error(JSON.stringify(module));
  return module.functions;
}

/** The descriptions that one docstring gives to the parameters `a` and `b`. */
async function described(docstring: string) {
  const lines = docstring.replace(/\n/g, "\n    ");
  const [found] = await functionsOf(`def f(a, b=1):\n    """${lines}\n    """\n`);
  return [found?.summary, ...(found?.parameters.map(({ description }) => description) ?? [])];
}

/** The JSON Schema of one annotation. */
async function schemaOf(annotation: string, before = "") {
  const [found] = await functionsOf(
    `import dataclasses, enum, datetime\n${before}\ndef f(a: ${annotation}):\n    pass\n`,
  );
  return found?.parameters[0]?.schema;
}

describe("inspect", () => {
  it("lists the functions of a file in order, with their signatures", async () => {
    const code = `
LIMIT = 5
def find(order_id: str, /, limit: int = LIMIT, *rest, deep: bool = False, **more) -> dict[str, Any]:
    "Finds an order."

async def other(a): ...

class Helper:
    def method(self): ...
`;
    const parameter = { schema: {}, annotation: "", hasDefault: false, description: "" };
    assert.deepEqual(await functionsOf(code), [
      {
        name: "find",
        line: 3,
        docstring: "Finds an order.",
        summary: "Finds an order.",
        returns: "dict[str, Any]",
        returnSchema: { type: "object" },
        parameters: [
          { ...parameter, name: "order_id", kind: "positional", schema: { type: "string" }, annotation: "str" },
          {
            ...parameter,
            name: "limit",
            kind: "positional",
            schema: { type: "integer" },
            annotation: "int",
            hasDefault: true,
            default: 5,
          },
          { ...parameter, name: "rest", kind: "var-positional" },
          {
            ...parameter,
            name: "deep",
            kind: "keyword-only",
            schema: { type: "boolean" },
            annotation: "bool",
            hasDefault: true,
            default: false,
          },
          { ...parameter, name: "more", kind: "var-keyword" },
        ],
      },
      {
        name: "other",
        line: 6,
        docstring: "",
        summary: "",
        returns: "",
        returnSchema: {},
        parameters: [{ ...parameter, name: "a", kind: "positional" }],
      },
    ]);
  });

  it("reads docstrings in the Google, NumPy and reST styles", async () => {
    const expected = ["Finds.\n\nSlowly.", "The first one, told on two lines.", "The second"];
    const google = `Finds.\n\nSlowly.\n\nArgs:\n    a (str): The first one,\n        told on two lines.\n    b: The second\n\nReturns:\n    a: no`;
    const numpy = `Finds.\n\nSlowly.\n\nParameters\n----------\na : str\n    The first one,\n    told on two lines.\nb : int, optional\n    The second\n\nReturns\n-------\na\n    no`;
    const rest = `Finds.\n\nSlowly.\n\n:param str a: The first one,\n    told on two lines.\n:param b: The second\n:returns: no`;
    for (const docstring of [google, numpy, rest]) assert.deepEqual(await described(docstring), expected);
  });

  it("turns annotations into JSON Schema", async () => {
    const cases: readonly [annotation: string, schema: object, before?: string][] = [
      ["float", { type: "number" }],
      ["list[str]", { type: "array", items: { type: "string" } }],
      ["List", { type: "array" }],
      ["dict", { type: "object" }],
      ["dict[str, int]", { type: "object", additionalProperties: { type: "integer" } }],
      ["Optional[int]", { type: "integer", nullable: true }],
      ["str | None", { type: "string", nullable: true }],
      ["Union[int, str]", { anyOf: [{ type: "integer" }, { type: "string" }] }],
      [`Literal["a", "b"]`, { type: "string", enum: ["a", "b"] }],
      [`Annotated[str, "An id"]`, { type: "string", description: "An id" }],
      ["tuple[int, int]", { type: "array", items: { type: "integer" }, minItems: 2, maxItems: 2 }],
      ["datetime.date", { type: "string", format: "date" }],
      ["Any", {}],
      ["Content", { type: "object" }],
      ["Size", { type: "string", enum: ["s", "m"] }, `class Size(enum.Enum):\n    SMALL = "s"\n    MEDIUM = "m"`],
      [
        "Order",
        {
          type: "object",
          properties: { id: { type: "string" }, tags: { type: "array", items: { type: "string" } } },
          required: ["id"],
        },
        `@dataclasses.dataclass\nclass Order:\n    id: str\n    tags: list[str] = dataclasses.field(default_factory=list)`,
      ],
      [
        "Row",
        { type: "object", properties: { a: { type: "integer" }, b: { type: "string" } }, required: ["a"] },
        `class Row(TypedDict):\n    a: int\n    b: NotRequired[str]`,
      ],
      [
        "Tree",
        { type: "object", properties: { next: { type: "object", nullable: true } }, required: ["next"] },
        `@dataclasses.dataclass\nclass Tree:\n    next: "Optional[Tree]"`,
      ],
    ];
    const found = await Promise.all(cases.map(([annotation, , before]) => schemaOf(annotation, before)));
    assert.deepEqual(
      found,
      cases.map(([, schema]) => schema),
    );
  });

  it("tells where a file does not parse", async () => {
    assert.deepEqual(await sandbox.inspect("def f():\n    return 1 +\n"), {
      kind: "broken",
      type: "SyntaxError",
      message: "invalid syntax",
      line: 2,
      column: 15,
    });
  });

  it("tells where a file does not load", async () => {
    assert.deepEqual(await sandbox.inspect("x = 1\ny = nothing + x\n"), {
      kind: "broken",
      type: "NameError",
      message: "name 'nothing' is not defined",
      line: 2,
      column: 5,
    });
  });

  it("calls nothing and asks nobody", async () => {
    assert.deepEqual(await functionsOf(`def f():\n    raise RuntimeError()\n`).then((found) => found.length), 1);
    assert.partialDeepStrictEqual(await sandbox.inspect(`ces_requests.get("https://a.example")\n`), {
      kind: "broken",
      type: "HostRefusal",
      message: "tools and HTTP are not available while a file is loaded",
    });
  });

  it("gives up on a file that never finishes loading", async () => {
    assert.partialDeepStrictEqual(await sandbox.inspect("while True: pass\n"), {
      kind: "broken",
      type: "timeout",
      line: 1,
    });
  });
});
