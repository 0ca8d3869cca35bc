import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { InspectedModule } from "../../contract.ts";
import { testPackages } from "../__fixtures__/memory-tree.ts";
import { importRequest } from "../__fixtures__/package-requests.ts";
import { shop } from "../__fixtures__/shop.ts";

/** A module of functions by name, with their docstrings. */
const moduleOf = (docstrings: Readonly<Record<string, string>>): InspectedModule => ({
  kind: "module",
  functions: Object.entries(docstrings).map(([name, docstring]) => ({
    name,
    docstring,
    line: 1,
    column: 1,
    parameters: [],
    returns: "dict",
  })),
});

async function warningsOf(definition: object, found: InspectedModule): Promise<readonly string[]> {
  const manifest = { displayName: "look", pythonFunction: { pythonCode: "tools/look/code.py", ...definition } };
  const { packages } = testPackages({ inspectPython: async () => found });
  const texts = shop({ "tools/look/look.json": JSON.stringify(manifest) });
  const { warnings } = await packages.importApp(await importRequest(texts, { appId: "shop" }));
  return warnings.filter((warning) => !warning.includes(": displayName: "));
}

describe("the description of a Python tool in its manifest (PY-48)", () => {
  const warning = (why: string) => [
    `tools/look/look.json: pythonFunction.description: was ignored, because a Python tool is described by the docstring of its function: ${why}.`,
  ];

  it("that is not the docstring is ignored with a warning, as hosted without one", async () => {
    const module = moduleOf({ look: "Finds an order.\n\nArgs:\n    id: Which.", other: "" });
    assert.deepEqual(
      await warningsOf({ name: "look", description: "Finds a customer." }, module),
      warning("'look' has another"),
    );
    assert.deepEqual(await warningsOf({ description: "Finds a customer." }, module), warning("'look' has another"));
    assert.deepEqual(await warningsOf({ name: "other", description: "Finds." }, module), warning("'other' has none"));
  });

  it("is the docstring, whatever its blanks, in what the hosted product exports", async () => {
    const module = moduleOf({ look: "Finds an order.\n\nArgs:\n    id: Which." });
    const description = "Finds an order.  \n\nArgs:\n        id: Which.\n";
    assert.deepEqual(await warningsOf({ name: "look", description }, module), []);
    assert.deepEqual(await warningsOf({ name: "look" }, module), []);
  });

  it("is not spoken of where the code is at fault", async () => {
    assert.deepEqual(await warningsOf({ name: "gone", description: "Finds." }, moduleOf({ look: "" })), []);
  });
});
