import { createHash } from "node:crypto";
import type { ImageMetadata } from "../sealed/image-metadata.ts";
import type { BootedInterpreter } from "./boot-interpreter.ts";

/** Address ranges are trimmed to wasm pages. */
const PAGE_BYTES = 65_536;

/** The linear memory of a prepared interpreter, and what is needed to continue it without emscripten. */
export interface MemoryImage {
  readonly bytes: Uint8Array;
  readonly metadata: Omit<ImageMetadata, "shelfSha256">;
}

/** Takes the image. `moduleName.functionName` is the Python function that will serve requests. */
export function takeImage(booted: BootedInterpreter, moduleName: string, functionName: string): MemoryImage {
  const { emscripten, imports } = booted;
  if (!emscripten._PyEM_CountArgsPtr) throw new Error("this JavaScript engine cannot test WebAssembly function types");
  const entry = findEntry(booted, moduleName, functionName);
  // CPython's evaluation loop then polls a host function regularly: that poll is where the time limit is kept.
  emscripten.HEAP8[emscripten._Py_EMSCRIPTEN_SIGNAL_HANDLING] = 1;
  const memory = emscripten.HEAPU8;
  const bytes = memory.slice(0, usedLength(memory));
  return {
    bytes,
    metadata: {
      memoryBytes: memory.length,
      imageBytes: bytes.length,
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

function usedLength(memory: Uint8Array): number {
  let end = memory.length;
  while (end > 0 && memory[end - 1] === 0) end--;
  return Math.ceil(end / PAGE_BYTES) * PAGE_BYTES;
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
