import { RECORD_PAGES } from "../sealed/linear-memory.ts";
import { STATE_PREFIX } from "../sealed/mutable-globals.ts";
import { type HiddenState, hiddenStateOf } from "./hidden-state.ts";
import { I32, MARK, rewriteBody, TO_BLOCK } from "./rewrite-body.ts";
import { WasmReader, WasmWriter } from "./wasm-bytes.ts";
import { bodiesOf, exportedFunctions, type Import, importsOf, KIND, SECTION, sectionsOf } from "./wasm-sections.ts";

/** Puts addresses into the initial data, which the image holds: a sixth of the interpreter, and never called in a guest. */
const RELOCATE = "__wasm_apply_data_relocs";

/** The global that all modules share and that several of them write. */
export const STACK_POINTER = "__stack_pointer";

/**
 * Rewrites an interpreter so that every store also leaves a mark in a second memory, imported as `env.write_record`: one
 * byte for each 4 KiB block. Code in the interpreter, however corrupted its own memory is, has no instruction that reaches
 * the second memory but these marks. So the host may put back only what is marked. An instruction that this does not know
 * is refused: nothing can write unseen. What the memory does not hold is put back otherwise or out of reach (PY-44): the
 * module's own globals that its functions set are exported, for the host to set them back, and functions that change a table
 * or the size of a memory end the run.
 */
export function trackWrites(wasm: Uint8Array): Uint8Array<ArrayBuffer> {
  const output = new WasmWriter();
  output.append(wasm.subarray(0, 8));
  const module: ModuleShape = {
    types: [],
    functions: [],
    importedFunctions: 0,
    markType: -1,
    relocate: -1,
    hidden: hiddenStateOf(wasm),
  };
  for (const { id, content } of sectionsOf(wasm)) {
    output.byte(id);
    output.sized(rewriteSection(id, content, module));
  }
  return output.content().slice();
}

interface ModuleShape {
  /** How many parameters each function type has. */
  readonly types: number[];
  /** Type of each function, imported ones first. */
  readonly functions: number[];
  importedFunctions: number;
  /** The type `(i32, i32) -> ()`. */
  markType: number;
  /** Index of the function `RELOCATE`. */
  relocate: number;
  readonly hidden: HiddenState;
}

function rewriteSection(id: number, section: Uint8Array, module: ModuleShape): Uint8Array {
  if (id === SECTION.type) readTypes(section, module);
  else if (id === SECTION.import) return addRecord(section, module);
  else if (id === SECTION.function) return addMarkFunction(section, module);
  else if (id === SECTION.export) return exportState(section, module);
  else if (id === SECTION.code) return rewriteBodies(section, module);
  else if (id === SECTION.data) return emptyData(section);
  return section;
}

function readTypes(section: Uint8Array, module: ModuleShape): void {
  const reader = new WasmReader(section);
  const count = reader.unsigned();
  for (let index = 0; index < count; index++) {
    if (reader.byte() !== 0x60) throw new Error("the interpreter has a type that is no function");
    const parameters = Array.from({ length: reader.unsigned() }, () => reader.byte());
    const results = reader.unsigned();
    reader.skip(results);
    module.types.push(parameters.length);
    if (results === 0 && parameters.length === 2 && parameters.every((type) => type === I32)) module.markType = index;
  }
}

/** Counts what is imported and adds the record as the second memory. */
function addRecord(section: Uint8Array, module: ModuleShape): Uint8Array {
  for (const imported of importsOf(section)) count(imported, module);
  const reader = new WasmReader(section);
  const writer = new WasmWriter();
  writer.unsigned(reader.unsigned() + 1);
  writer.append(section.subarray(reader.position));
  for (const name of ["env", "write_record"]) writer.sized(new TextEncoder().encode(name));
  writer.byte(2, 1, RECORD_PAGES, RECORD_PAGES); // a memory of this size exactly
  return writer.content();
}

function count({ kind, type }: Import, module: ModuleShape): void {
  if (kind === KIND.function) {
    module.importedFunctions++;
    module.functions.push(type);
  }
}

function addMarkFunction(section: Uint8Array, module: ModuleShape): Uint8Array {
  if (module.markType < 0) throw new Error("the interpreter has no type for the function that marks");
  const reader = new WasmReader(section);
  const count = reader.unsigned();
  const first = reader.position;
  for (let index = 0; index < count; index++) module.functions.push(reader.unsigned());
  const writer = new WasmWriter();
  writer.unsigned(count + 1);
  writer.append(section.subarray(first));
  writer.unsigned(module.markType);
  return writer.content();
}

function exportState(section: Uint8Array, module: ModuleShape): Uint8Array {
  for (const [name, index] of exportedFunctions(section)) if (name === RELOCATE) module.relocate = index;
  const { globals, importedGlobals } = module.hidden;
  const own = [...globals].filter((index) => index >= importedGlobals);
  const reader = new WasmReader(section);
  const writer = new WasmWriter();
  writer.unsigned(reader.unsigned() + own.length);
  writer.append(section.subarray(reader.position));
  for (const index of own) {
    writer.sized(new TextEncoder().encode(`${STATE_PREFIX}${index}`));
    writer.byte(KIND.global);
    writer.unsigned(index);
  }
  return writer.content();
}

function rewriteBodies(section: Uint8Array, module: ModuleShape): Uint8Array {
  const bodies = bodiesOf(section);
  const writer = new WasmWriter();
  writer.unsigned(bodies.length + 1);
  const markFunction = module.importedFunctions + bodies.length;
  for (const [position, body] of bodies.entries()) {
    const index = module.importedFunctions + position;
    const isUsed = index !== module.relocate && !module.hidden.changers.has(index);
    writer.sized(isUsed ? rewriteBody(body, parametersOf(index, module), markFunction) : TRAP);
  }
  writer.sized(new Uint8Array(MARK_RANGE));
  return writer.content();
}

function parametersOf(index: number, { types, functions }: ModuleShape): number {
  const parameters = types[functions[index] ?? -1];
  if (parameters === undefined) throw new Error("the interpreter has a function without a type");
  return parameters;
}

/** The image holds what the data initialise, so every segment becomes a passive one without content: five megabytes less. */
function emptyData(section: Uint8Array): Uint8Array {
  const count = new WasmReader(section).unsigned();
  const writer = new WasmWriter();
  writer.unsigned(count);
  for (let segment = 0; segment < count; segment++) writer.byte(1, 0);
  return writer.content();
}

/** A body that ends the run. */
const TRAP = new Uint8Array([0, 0x00, 0x0b]);

/** Body of the function that marks the range of a bulk instruction: `(start, length)`. */
const MARK_RANGE = [
  0, // no locals
  ...[0x20, 1, 0x45, 0x04, 0x40, 0x0f, 0x0b], // if length is zero, return
  ...[0x20, 0, 0x20, 1, 0x6a, 0x41, 1, 0x6b, ...TO_BLOCK, 0x21, 1], // length = last block
  ...[0x20, 0, ...TO_BLOCK, 0x21, 0], // start = first block
  ...[0x03, 0x40], // loop
  ...[0x20, 0, ...MARK],
  ...[0x20, 0, 0x41, 1, 0x6a, 0x22, 0, 0x20, 1, 0x4d, 0x0d, 0], // while ++start <= last
  ...[0x0b, 0x0b],
];
