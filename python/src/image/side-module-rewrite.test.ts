import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { assembleModule } from "../../test/__fixtures__/assemble-module.ts";
import { RECORD_PAGES } from "../sealed/linear-memory.ts";
import { rewriteSideModule } from "./side-module-rewrite.ts";

const END = 0x0b;
const SET_GLOBAL = [0x41, 1, 0x24, 0];

const moduleWith = (body: readonly number[], parts: Partial<Parameters<typeof assembleModule>[0]> = {}) =>
  assembleModule({ functions: [{ parameters: 0, results: 0, body: [...body, END] }], ...parts });

describe("native code out of a wheel", () => {
  it("leaves marks where it writes, even if no function of its has the type of the one that marks", () => {
    const body = [0x41, ...[0x80, 0xe0, 0x00], 0x41, 7, 0x41, 1, 0xfc, 11, 0]; // fills a byte at 12288
    const module = new WebAssembly.Module(rewriteSideModule(moduleWith(body, { exports: [["fill", 0]] })));
    const memory = new WebAssembly.Memory({ initial: 1 });
    const record = new WebAssembly.Memory({ initial: RECORD_PAGES, maximum: RECORD_PAGES });
    const table = new WebAssembly.Table({ initial: 1, element: "anyfunc" });
    const { exports } = new WebAssembly.Instance(module, {
      env: { memory, write_record: record, __indirect_function_table: table },
    });
    (exports.fill as () => void)();
    assert.equal(new Uint8Array(record.buffer).indexOf(1), 3);
    assert.equal(new Uint8Array(memory.buffer)[12_288], 7);
  });

  it("may fill its globals while it is loaded, by its start function and what the linker made", () => {
    assert.ok(rewriteSideModule(moduleWith(SET_GLOBAL, { globals: 1, start: 0 })));
    const relocations = [["__wasm_apply_data_relocs", 0]] as const;
    assert.ok(rewriteSideModule(moduleWith(SET_GLOBAL, { globals: 1, exports: relocations })));
  });

  it("is refused when it has state that putting back the memory would not put back", () => {
    assert.throws(() => rewriteSideModule(moduleWith(SET_GLOBAL, { globals: 1 })), /a global of its own/);
    const importing = (space: string, name: string) => moduleWith(SET_GLOBAL, { globalImports: [[space, name]] });
    assert.throws(() => rewriteSideModule(importing("GOT.mem", "stdout")), /a global that it imports/);
    assert.ok(rewriteSideModule(importing("env", "__stack_pointer")));
    const setTable = [0x41, 0, 0xd0, 0x70, 0x26, 0];
    assert.throws(() => rewriteSideModule(moduleWith(setTable)), /changes tables or segments/);
    assert.throws(() => rewriteSideModule(moduleWith([0xfc, 9, 0])), /changes tables or segments/);
  });

  it("is refused when it has instructions that nobody looked at", () => {
    assert.throws(() => rewriteSideModule(moduleWith([0xfd, 12, 0])), /unknown instruction fd/);
  });
});
