import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assembleModule } from "../../test/__fixtures__/assemble-module.ts";
import { withWrappers } from "./function-wrappers.ts";
import { OP } from "./opcodes.ts";
import { call, constant, functionBody, getLocal } from "./wasm-code.ts";

/** `double(x)`, and `twice(x)` that calls it; `double` lies in the table too. */
const module = assembleModule({
  functionImports: [["imported", 1, 1]],
  globalImports: [["env", "__table_base"]],
  functions: [
    { parameters: 1, results: 1, body: [...getLocal(0), ...getLocal(0), OP.add, OP.end] },
    { parameters: 1, results: 1, body: [...getLocal(0), ...call(1), ...call(1), OP.end] },
  ],
  exports: [
    ["double", 1],
    ["twice", 2],
    ["imported", 0],
  ],
  elements: [1],
  data: { bytes: new Uint8Array(), memoryBase: 0, tableBase: 0 },
});

/** One more than what it stands before gives. */
const addOne = (name: string) => ({
  name,
  body: (original: number) => functionBody(0, [...getLocal(0), ...call(original), ...constant(1), OP.add]),
});

function instantiate(wasm: Uint8Array<ArrayBuffer>) {
  const table = new WebAssembly.Table({ initial: 1, element: "anyfunc" });
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(wasm), {
    env: {
      memory: new WebAssembly.Memory({ initial: 0 }),
      __indirect_function_table: table,
      __table_base: new WebAssembly.Global({ value: "i32" }, 0),
      imported: (value: number) => value,
    },
  });
  return { exports: exports as Record<string, (value: number) => number>, table };
}

describe("a front of a function", () => {
  it("is called instead, by name, by index and through the table, and reaches what it stands before", () => {
    const { exports, table } = instantiate(withWrappers(module, [addOne("double")]));
    assert.equal(exports.double?.(10), 21);
    assert.equal(exports.twice?.(10), 43);
    assert.equal(table.get(0)(10), 21);
  });

  it("may be one of several", () => {
    const { exports } = instantiate(withWrappers(module, [addOne("twice"), addOne("double")]));
    assert.equal(exports.double?.(10), 21);
    assert.equal(exports.twice?.(10), 44);
  });

  it("is refused for what the module does not have, or only imports", () => {
    assert.throws(() => withWrappers(module, [addOne("half")]), /no function half of its own/);
    assert.throws(() => withWrappers(module, [addOne("imported")]), /no function imported of its own/);
  });
});
