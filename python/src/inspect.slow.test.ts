import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { createTestSandbox } from "../test/test-sandbox.ts";
import type { PythonFunctionInfo } from "./contract.ts";

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
    `import dataclasses, enum, datetime\nfrom typing import *\n${before}\ndef f(a: ${annotation}):\n    pass\n`,
  );
  return found?.parameters[0]?.schema;
}

describe("inspect", () => {
  it("finds that a file ends its interpreter, whenever it is looked at", async () => {
    for (const [way, code] of [
      ["exit", "import os\nos._exit(3)\n"],
      ["abort", "import os\nos.abort()\n"],
    ]) {
      const broken = { kind: "broken", type: "crashed", message: `the interpreter stopped: ${way}` };
      for (const _ of ["once", "again"]) assert.partialDeepStrictEqual(await sandbox.inspect(`${code}`), broken);
    }
  });

  it("lists the functions of a file in order, with their signatures", async () => {
    const code = `from typing import Any
LIMIT = 5
def find(order_id: str, /, limit: int = LIMIT, *rest, deep: bool = False, **more) -> dict[str, Any]:
    "Finds an order."

async def other(a): ...

class Helper:
    def method(self): ...
`;
    const parameter = { line: 3, schema: {}, annotation: "", unresolved: false, hasDefault: false, description: "" };
    assert.deepEqual(await functionsOf(code), [
      {
        name: "find",
        line: 3,
        column: 1,
        docstring: "Finds an order.",
        summary: "Finds an order.",
        returns: "dict[str, Any]",
        returnSchema: { type: "object" },
        parameters: [
          {
            ...parameter,
            column: 10,
            name: "order_id",
            kind: "positional",
            schema: { type: "string" },
            annotation: "str",
          },
          {
            ...parameter,
            column: 28,
            name: "limit",
            kind: "positional",
            schema: { type: "integer" },
            annotation: "int",
            hasDefault: true,
            default: 5,
          },
          { ...parameter, column: 49, name: "rest", kind: "var-positional" },
          {
            ...parameter,
            column: 55,
            name: "deep",
            kind: "keyword-only",
            schema: { type: "boolean" },
            annotation: "bool",
            hasDefault: true,
            default: false,
          },
          { ...parameter, column: 77, name: "more", kind: "var-keyword" },
        ],
      },
      {
        name: "other",
        line: 6,
        column: 1,
        docstring: "",
        summary: "",
        returns: "",
        returnSchema: {},
        parameters: [{ ...parameter, line: 6, column: 17, name: "a", kind: "positional" }],
      },
    ]);
  });

  it("finds functions wherever the file leaves them at its top level, in the order of the file", async () => {
    const code = `
import functools
try:
    def tried(): ...
except ImportError:
    def missed(): ...
if False:
    def never(): ...
short = lambda x: x
bound = functools.partial(short, 1)
renamed = tried
from json import dumps as foreign
@functools.lru_cache
def decorated(n: int) -> int: ...
`;
    const found = (await functionsOf(code)).map(({ name, parameters }) => [name, parameters.map((each) => each.name)]);
    assert.deepEqual(found, [
      ["tried", []],
      ["short", ["x"]],
      ["renamed", []],
      ["decorated", ["n"]],
    ]);
  });

  it("tells which annotations cannot be resolved, and reads the others", async () => {
    const [found] = await functionsOf(
      `from __future__ import annotations\nfrom typing import Optional\ndef f(a: Missing, b: list[int], c: "Optional[str]") -> dict: ...\n`,
    );
    assert.deepEqual(
      found?.parameters.map(({ unresolved, schema }) => [unresolved, schema]),
      [
        [true, {}],
        [false, { type: "array", items: { type: "integer" } }],
        [false, { type: "string", nullable: true }],
      ],
    );
  });

  it("reads docstrings in the Google, NumPy and reST styles, items of Markdown included", async () => {
    const expected = ["Finds.\n\nSlowly.", "The first one, told on two lines.", "The second"];
    const google = `Finds.\n\nSlowly.\n\nArgs:\n    a (str): The first one,\n        told on two lines.\n    b: The second\n\nReturns:\n    a: no`;
    const numpy = `Finds.\n\nSlowly.\n\nParameters\n----------\na : str\n    The first one,\n    told on two lines.\nb : int, optional\n    The second\n\nReturns\n-------\na\n    no`;
    const rest = `Finds.\n\nSlowly.\n\n:param str a: The first one,\n    told on two lines.\n:param b: The second\n:returns: no`;
    const markdown = `Finds.\n\nSlowly.\n\nArgs:\n    - \`a\` (str): The first one,\n      told on two lines.\n    * **b**: The second\n\nReturns:\n    a: no`;
    for (const docstring of [google, markdown, numpy, rest]) assert.deepEqual(await described(docstring), expected);
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
      ["Union[int, str, None]", { anyOf: [{ type: "integer" }, { type: "string" }], nullable: true }],
      ["Optional[Literal['x']]", { type: "string", enum: ["x"], nullable: true }],
      [`Literal["a", None]`, { type: "string", enum: ["a"], nullable: true }],
      ["set[str]", { type: "array", items: { type: "string" }, uniqueItems: true }],
      ["tuple[float, ...]", { type: "array", items: { type: "number" } }],
      [
        "Mapping[str, List[int]]",
        { type: "object", additionalProperties: { type: "array", items: { type: "integer" } } },
      ],
      ["UserId", { type: "integer" }, `UserId = NewType("UserId", int)`],
      ["Names", { type: "array", items: { type: "string" } }, `type Names = list[str]`],
      ["Json", { anyOf: [{ type: "object" }, { type: "string" }] }, `type Json = dict[str, Json] | str`],
      [
        "Point",
        {
          type: "object",
          properties: { x: { type: "integer" }, y: { type: "integer", default: 0 } },
          required: ["x"],
        },
        `class Point(NamedTuple):\n    x: int\n    y: int = 0`,
      ],
      [
        "list[Line]",
        {
          type: "array",
          items: {
            type: "object",
            description: "One line of an order.",
            properties: {
              sku: { type: "string", description: "What is bought." },
              count: { type: "integer", description: "How many.", default: 1 },
            },
            required: ["sku"],
          },
        },
        `@dataclasses.dataclass\nclass Line:\n    """One line of an order.\n\n    Attributes:\n        sku: What is bought.\n        count: How many.\n    """\n    sku: str\n    count: int = 1`,
      ],
      ["'Nobody'", {}],
      ["host", {}],
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
    assert.partialDeepStrictEqual(await sandbox.inspect("host.echo()\n"), {
      kind: "broken",
      type: "HostRefusal",
      message: "nothing outside the file can be called while it is loaded",
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
