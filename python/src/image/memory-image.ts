import { createHash } from "node:crypto";
import type { ImageMetadata } from "../sealed/image-metadata.ts";
import { BLOCK_BITS } from "../sealed/linear-memory.ts";
import type { BootedInterpreter } from "./boot-interpreter.ts";

const BLOCK_BYTES = 1 << BLOCK_BITS;

/** The linear memory of a prepared interpreter, and what is needed to continue it without emscripten. */
interface MemoryImage {
  readonly bytes: Uint8Array;
  readonly metadata: Omit<ImageMetadata, "resourcesSha256" | "wasmSha256" | "sideModules" | "sideModulesSha256">;
}

/** Takes the image. `moduleName.functionName` is the Python function that will serve requests. */
export function takeImage(booted: BootedInterpreter, moduleName: string, functionName: string): MemoryImage {
  const { emscripten, imports } = booted;
  if (!emscripten._PyEM_CountArgsPtr) throw new Error("this JavaScript engine cannot test WebAssembly function types");
  const entry = findEntry(booted, moduleName, functionName);
  // CPython's evaluation loop then polls a host function regularly: that poll is where the time limit is kept.
  emscripten.HEAP8[emscripten._Py_EMSCRIPTEN_SIGNAL_HANDLING] = 1;
  const memory = emscripten.HEAPU8;
  const stretches = usedStretches(memory);
  const bytes = Buffer.concat(stretches.map(([first, end]) => memory.subarray(first * BLOCK_BYTES, end * BLOCK_BYTES)));
  return {
    bytes,
    metadata: {
      memoryBytes: memory.length,
      stretches,
      stackPointer: globalValue(imports, "env", "__stack_pointer"),
      memoryBase: globalValue(imports, "env", "__memory_base"),
      tableBase: globalValue(imports, "env", "__table_base"),
      relocations: relocationsOf(booted),
      tableLength: emscripten.wasmTable.length,
      tableEntries: addedTableEntries(booted),
      argumentCounter: emscripten._PyEM_CountArgsPtr,
      entry,
      sha256: createHash("sha256").update(bytes).digest("hex"),
    },
  };
}

function findEntry({ emscripten }: BootedInterpreter, moduleName: string, functionName: string): number {
  const module = emscripten._PyImport_AddModule(emscripten.stringToNewUTF8(moduleName));
  const entry = emscripten._PyObject_GetAttrString(module, emscripten.stringToNewUTF8(functionName));
  if (!entry) throw new Error(`the guest has no ${moduleName}.${functionName}`);
  return entry;
}

/** The blocks that are not zero. Almost a third of the used memory is zero, the stack above all. */
function usedStretches(memory: Uint8Array): [first: number, end: number][] {
  const stretches: [number, number][] = [];
  const blocks = memory.length >> BLOCK_BITS;
  for (let block = 0; block < blocks; block++) {
    const start = block * BLOCK_BYTES;
    if (memory.subarray(start, start + BLOCK_BYTES).every((byte) => byte === 0)) continue;
    const last = stretches.at(-1);
    if (last?.[1] === block) last[1] = block + 1;
    else stretches.push([block, block + 1]);
  }
  return stretches;
}

function relocationsOf({ module, imports }: BootedInterpreter): Record<string, Record<string, number>> {
  const relocations: Record<string, Record<string, number>> = { "GOT.func": {}, "GOT.mem": {} };
  for (const { module: space, name, kind } of WebAssembly.Module.imports(module)) {
    const values = relocations[space];
    if (kind === "global" && values) values[name] = globalValue(imports, space, name);
  }
  return relocations;
}

function globalValue(imports: WebAssembly.Imports, space: string, name: string): number {
  const value = imports[space]?.[name];
  return typeof value === "number" ? value : (value as WebAssembly.Global<"i32">).value;
}

/** JavaScript functions that emscripten put into the table have no name here: their entries stay empty and trap. */
function addedTableEntries({ emscripten, instance, ownTableEntries }: BootedInterpreter): [number, string][] {
  const names = new Map<unknown, string>();
  for (const [name, value] of Object.entries(instance.exports)) if (typeof value === "function") names.set(value, name);
  const entries: [number, string][] = [];
  for (let index = 0; index < emscripten.wasmTable.length; index++) {
    const name = ownTableEntries.has(index) ? undefined : names.get(emscripten.wasmTable.get(index));
    if (name !== undefined) entries.push([index, name]);
  }
  return entries;
}
