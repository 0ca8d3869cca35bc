import { STACK_POINTER, trackWrites } from "./track-writes.ts";
import { WasmReader, WasmWriter } from "./wasm-bytes.ts";
import { skipOperands } from "./wasm-operands.ts";
import { bodiesOf, exportedFunctions, importsOf, KIND, SECTION, sectionsOf } from "./wasm-sections.ts";

const GLOBAL_SET = 0x24;
const TABLE_SET = 0x26;
const EXTENDED = 0xfc;

/** Instructions after the prefix `fc` that change a table, or what data and element segments hold. */
const STATEFUL_EXTENDED: ReadonlySet<number> = new Set([8, 9, 12, 13, 14, 15, 17]);

/** Functions that the linker makes and that run once, while the module is loaded: they may set the module's own globals. */
const LINKER_FUNCTIONS: ReadonlySet<string> = new Set(["__wasm_apply_data_relocs", "__wasm_apply_global_relocs"]);

/** `(i32, i32) -> ()`, the type of the function that marks a range. */
const MARK_TYPE = [0x60, 2, 0x7f, 0x7f, 0];

/**
 * Rewrites a module of native code as the interpreter is rewritten: every store leaves a mark, the initial data are left out
 * because the image holds them. Refuses a module with state that is neither in the linear memory nor fixed once it is
 * loaded (own memories, globals that change, changes of tables): putting back the memory would not put that back.
 */
export function rewriteSideModule(wasm: Uint8Array): Uint8Array<ArrayBuffer> {
  refuseHiddenState(wasm);
  return trackWrites(withMarkType(wasm));
}

interface Shape {
  importedFunctions: number;
  importedGlobals: number;
  /** Index of the global that is put back with the memory: the stack's pointer. */
  stackPointer: number;
  importedMemories: number;
  /** Functions that may set the module's own globals. */
  readonly onceOnly: Set<number>;
}

function refuseHiddenState(wasm: Uint8Array): void {
  const shape: Shape = {
    importedFunctions: 0,
    importedGlobals: 0,
    stackPointer: -1,
    importedMemories: 0,
    onceOnly: new Set(),
  };
  for (const { id, content } of sectionsOf(wasm)) {
    if (id === SECTION.import) countImports(content, shape);
    else if (id === SECTION.memory) throw new Error("it has a memory of its own");
    else if (id === SECTION.export) findLinkerFunctions(content, shape);
    else if (id === SECTION.start) shape.onceOnly.add(new WasmReader(content).unsigned());
    else if (id === SECTION.code) checkBodies(content, shape);
  }
  if (shape.importedMemories !== 1) throw new Error("it does not import exactly one memory");
}

function countImports(section: Uint8Array, shape: Shape): void {
  for (const { name, kind } of importsOf(section)) {
    if (kind === KIND.function) shape.importedFunctions++;
    else if (kind === KIND.memory) shape.importedMemories++;
    else if (kind === KIND.global) {
      if (name === STACK_POINTER) shape.stackPointer = shape.importedGlobals;
      shape.importedGlobals++;
    } else if (kind !== KIND.table)
      throw new Error("it uses WebAssembly exceptions, which its platform tag does not have");
  }
}

function findLinkerFunctions(section: Uint8Array, shape: Shape): void {
  for (const [name, index] of exportedFunctions(section)) if (LINKER_FUNCTIONS.has(name)) shape.onceOnly.add(index);
}

function checkBodies(section: Uint8Array, shape: Shape): void {
  for (const [position, body] of bodiesOf(section).entries())
    checkBody(new WasmReader(body), shape, shape.onceOnly.has(shape.importedFunctions + position));
}

function checkBody(reader: WasmReader, { importedGlobals, stackPointer }: Shape, runsOnce: boolean): void {
  for (let groups = reader.unsigned(); groups > 0; groups--) {
    reader.skipNumber();
    reader.byte();
  }
  while (reader.position < reader.bytes.length) {
    const start = reader.position;
    const opcode = reader.byte();
    if (opcode === GLOBAL_SET) {
      const index = reader.unsigned();
      if (index !== stackPointer && !runsOnce)
        throw new Error(`it keeps state in a global ${index < importedGlobals ? "that it imports" : "of its own"}`);
    } else if (opcode >= 0x36 && opcode <= 0x3e) {
      reader.skipNumber();
      reader.skipNumber();
    } else {
      skipOperands(opcode, reader);
      if (opcode === TABLE_SET || isStateful(opcode, reader.bytes, start))
        throw new Error("it changes tables or segments");
    }
  }
}

function isStateful(opcode: number, body: Uint8Array, start: number): boolean {
  return opcode === EXTENDED && STATEFUL_EXTENDED.has(new WasmReader(body, start + 1).unsigned());
}

/** Adds the type that the rewriter needs when there is none, and drops what only debuggers and linkers read. */
function withMarkType(wasm: Uint8Array): Uint8Array {
  const writer = new WasmWriter();
  writer.append(wasm.subarray(0, 8));
  for (const { id, content } of sectionsOf(wasm)) {
    if (id === SECTION.custom) continue;
    writer.byte(id);
    writer.sized(id === SECTION.type ? addMarkType(content) : content);
  }
  return writer.content().slice();
}

/** One more type of the same shape changes nothing, so nobody has to look for it. */
function addMarkType(section: Uint8Array): Uint8Array {
  const reader = new WasmReader(section);
  const count = reader.unsigned();
  const writer = new WasmWriter();
  writer.unsigned(count + 1);
  writer.append(section.subarray(reader.position));
  writer.byte(...MARK_TYPE);
  return writer.content();
}
