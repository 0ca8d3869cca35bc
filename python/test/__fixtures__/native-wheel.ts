import { strToU8, zipSync } from "fflate";
import { assembleModule, unsigned } from "./assemble-module.ts";
import { WHEEL_TIME } from "./wheel-time.ts";

/** File name of the wheel. */
export const NATIVE_WHEEL = "tally-1.0-cp312-cp312-pyodide_2024_0_wasm32.whl";

/**
 * A wheel with native code, made anew by each test: the package `tally`, its module `tally._native`, which does in a few
 * instructions what compiled C does, and `tally._added`, which needs the library `libthree.so`.
 */
export function nativeWheel(extra: Readonly<Record<string, string>> = {}): Uint8Array {
  const files = {
    "tally/__init__.py": strToU8("from tally._native import bump\nLOADED = 1\n__all__ = ['bump']\n"),
    "tally/_native.cpython-312-wasm32-emscripten.so": nativeModule(),
    "tally/_added.so": addedModule(),
    "tally.libs/libthree.so": threeLibrary(),
    "tally-1.0.dist-info/METADATA": strToU8("Name: tally\nVersion: 1.0\n"),
    ...Object.fromEntries(Object.entries(extra).map(([name, content]) => [name, strToU8(content)])),
  };
  return zipSync(files, { mtime: WHEEL_TIME });
}

/** Offsets in a module's memory: PyModuleDef, the PyMethodDefs, two numbers, texts. */
const DEFINITION = 0;
const METHODS = 52;
const METHOD_BYTES = 16;
const COUNTER = 196;
const CONSTRUCTED = 200;
const TEXTS = 204;
const NO_ARGUMENTS = 4;
const API_VERSION = 1013;

const end = 0x0b;
const get = (local: number) => [0x20, local];
const global = (index: number) => [0x23, index];
const call = (index: number) => [0x10, index];
const load = [0x28, 2, 0];
const store = [0x36, 2, 0];
const add = 0x6a;
/** Type and destructor of an exception that has none. */
const NO_TYPE = [0x41, 0, 0x41, 0];

function constant(value: number): number[] {
  if (value < 64) return [0x41, value];
  return [0x41, ...(value < 128 ? [value | 128, 0] : [(value % 128) | 128, ...constant(Math.floor(value / 128)).slice(1)])];
}

/** Builds a Python module from its functions `(self, none) -> object`, which are numbered behind `first` and lie in the table. */
function pythonModule(name: string, methods: readonly string[], memoryBase: number, tableBase: number) {
  const texts = [name, ...methods, "no tally today"];
  const offsets = texts.map((_, index) => TEXTS + texts.slice(0, index).join(".").length + (index > 0 ? 1 : 0));
  const bytes = new Uint8Array(TEXTS + texts.join(".").length + 1);
  texts.forEach((text, index) => {
    bytes.set(strToU8(text), offsets[index]);
  });
  const view = new DataView(bytes.buffer);
  view.setInt32(DEFINITION, 1, true); // its count of references
  view.setInt32(DEFINITION + 28, -1, true); // m_size: the state is static
  const at = (offset: number) => [...global(memoryBase), ...constant(offset), add];
  const relocation = (place: number, value: readonly number[]) => [...at(place), ...value, ...store];
  methods.forEach((_, index) => {
    view.setInt32(METHODS + METHOD_BYTES * index + 8, NO_ARGUMENTS, true);
  });
  const relocations = [
    ...relocation(DEFINITION + 20, at(offsets[0] ?? 0)),
    ...relocation(DEFINITION + 32, at(METHODS)),
    ...methods.flatMap((_, index) => [
      ...relocation(METHODS + METHOD_BYTES * index, at(offsets[index + 1] ?? 0)),
      ...relocation(METHODS + METHOD_BYTES * index + 4, [...global(tableBase), ...constant(index), add]),
    ]),
  ];
  return { bytes, at, relocations, textAt: (index: number) => at(offsets[index] ?? 0) };
}

const METHOD_NAMES = ["bump", "constructed", "pointer", "itself", "jump", "fail", "escape", "thrown"] as const;

function nativeModule(): Uint8Array {
  const imports = [
    ["PyModule_Create2", 2, 1],
    ["PyLong_FromLong", 1, 1],
    ["PyErr_SetString", 2, 0],
    ["twice", 1, 1],
    ["invoke_v", 1, 0],
    ["_emscripten_throw_longjmp", 0, 0],
    ["emscripten_run_script", 1, 0],
    ["__cxa_allocate_exception", 1, 1],
    ["__cxa_throw", 3, 0],
    ["__cxa_find_matching_catch_2", 0, 1],
    ["__cxa_begin_catch", 1, 1],
  ] as const;
  const [create, toPython, raise, twice, invoke, longjmp, script] = [0, 1, 2, 3, 4, 5, 6];
  const [allocate, throwIt, findCatch, beginCatch] = [7, 8, 9, 10];
  const globals = [
    ["env", "__memory_base"],
    ["env", "__table_base"],
    ["GOT.func", "twice"],
    ["GOT.mem", "PyExc_ValueError"],
    ["GOT.func", "__cxa_end_catch"],
  ] as const;
  const [memoryBase, tableBase, twicePointer, valueError, endCatch, counter] = [0, 1, 2, 3, 4, 5];
  const { bytes, at, relocations, textAt } = pythonModule("_native", METHOD_NAMES, memoryBase, tableBase);
  const first = imports.length;
  const method = (...body: readonly (readonly number[])[]) => ({ parameters: 2, results: 1, body: [...body.flat(), end] });
  const procedure = (...body: readonly (readonly number[])[]) => ({ parameters: 0, results: 0, body: [...body.flat(), end] });
  const increment = (place: readonly number[]) => [...place, ...place, ...load, ...constant(1), add, ...store];
  const methods = [
    method(increment(global(counter)), global(counter), load, call(toPython)),
    method(at(CONSTRUCTED), load, call(toPython)),
    method(constant(21), global(twicePointer), [0x11, ...unsigned(twice), 0], call(toPython)),
    method(constant(4), call(twice), call(toPython)),
    method(global(tableBase), constant(METHOD_NAMES.length), [add], call(invoke), constant(7), call(toPython)),
    method(global(valueError), load, textAt(METHOD_NAMES.length + 1), call(raise), constant(0)),
    method(textAt(0), call(script), constant(0)),
    method(
      ...[global(tableBase), constant(METHOD_NAMES.length + 1), [add], call(invoke)],
      ...[call(findCatch), call(beginCatch), load, global(endCatch), call(invoke), call(toPython)],
    ),
  ];
  const others = [
    procedure(call(longjmp)),
    procedure(constant(4), call(allocate), call(first + methods.length + 7)),
    { parameters: 1, results: 1, body: [...get(0), ...constant(2), 0x6c, end] },
    procedure(at(COUNTER), [0x24, counter]),
    procedure(relocations),
    procedure(increment(at(CONSTRUCTED))),
    { parameters: 0, results: 1, body: [...at(DEFINITION), ...constant(API_VERSION), ...call(create), end] },
    { parameters: 1, results: 0, body: [...get(0), ...constant(300), ...store, ...get(0), ...NO_TYPE, ...call(throwIt), end] },
  ];
  const behind = first + methods.length;
  return assembleModule({
    memoryBytes: bytes.length,
    functionImports: imports,
    globalImports: globals,
    functions: [...methods, ...others],
    globals: 1,
    start: behind + 3,
    exports: [
      ["twice", behind + 2],
      ["__wasm_apply_data_relocs", behind + 4],
      ["__wasm_call_ctors", behind + 5],
      ["PyInit__native", behind + 6],
    ],
    elements: Array.from({ length: methods.length + 2 }, (_, index) => first + index),
    data: { bytes, memoryBase, tableBase },
  });
}

function addedModule(): Uint8Array {
  const imports = [
    ["PyModule_Create2", 2, 1],
    ["PyLong_FromLong", 1, 1],
    ["three", 0, 1],
  ] as const;
  const { bytes, at, relocations } = pythonModule("_added", ["three"], 0, 1);
  return assembleModule({
    needed: ["libthree.so"],
    memoryBytes: bytes.length,
    functionImports: imports,
    globalImports: [
      ["env", "__memory_base"],
      ["env", "__table_base"],
    ],
    functions: [
      { parameters: 2, results: 1, body: [...call(2), ...call(1), end] },
      { parameters: 0, results: 0, body: [...relocations, end] },
      { parameters: 0, results: 1, body: [...at(DEFINITION), ...constant(API_VERSION), ...call(0), end] },
    ],
    exports: [
      ["__wasm_apply_data_relocs", 4],
      ["PyInit__added", 5],
    ],
    elements: [3],
    data: { bytes, memoryBase: 0, tableBase: 1 },
  });
}

function threeLibrary(): Uint8Array {
  return assembleModule({
    functions: [{ parameters: 0, results: 1, body: [...constant(3), end] }],
    exports: [["three", 0]],
  });
}
