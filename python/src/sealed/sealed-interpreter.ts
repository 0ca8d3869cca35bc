import { createArgumentCounter } from "./argument-counter.ts";
import { CppExceptions, type CppRuntime } from "./cpp-exceptions.ts";
import { type Clocks, Deadline } from "./deadline.ts";
import { Descriptors, type HostIo } from "./descriptors.ts";
import { createImageCopy } from "./image-copy.ts";
import type { ImageMetadata } from "./image-metadata.ts";
import { createHostFunctions, createImports } from "./imports.ts";
import { LinearMemory } from "./linear-memory.ts";
import { createGlobalRestore } from "./mutable-globals.ts";
import { instantiateSideModules } from "./side-modules.ts";
import { Stop } from "./stops.ts";

/** An answer of more bytes is refused by the guest's Python; a larger one is forged. */
const ANSWER_LIMIT = 8 << 20;

/** The C functions that a request is served with. */
interface Exports {
  readonly setThrew: (threw: number, value: number) => void;
  readonly PyBytes_FromStringAndSize: (address: number, length: number) => number;
  readonly PyObject_CallOneArg: (callable: number, argument: number) => number;
  readonly PyBytes_AsString: (object: number) => number;
  readonly PyBytes_Size: (object: number) => number;
  readonly _Py_DecRef: (object: number) => void;
}

/** Preparing takes some 0.02 ms; what takes this many is broken, and ends the guest. */
const PREPARE_CPU_MS = 10_000;

/** What the interpreter is made of. */
interface SealedParts {
  readonly module: WebAssembly.Module;
  /** The operator's native modules, as many as the metadata describe. Default: none. */
  readonly sideModules?: readonly WebAssembly.Module[];
  readonly image: Uint8Array;
  readonly metadata: ImageMetadata;
  readonly maximumBytes: number;
  readonly host: HostIo;
  readonly clocks: Clocks;
}

/** A CPython out of a memory image, with our imports and nothing else. */
export interface SealedInterpreter {
  /** Serves one request. Throws a `Stop` when the run was ended; the image must then be restored. */
  call(request: Uint8Array, cpuMs: number): Uint8Array;
  /** Puts the whole interpreter back to the image: nothing of earlier calls is left in its memory. */
  restore(): void;
  /** Does what the next call would begin with (a new random state, an empty namespace), while nobody waits for it. */
  prepare(): void;
  /** The interpreter's memory as it is now. */
  memory(): Uint8Array;
  /** Bytes of memory behind those of the image that were ever written: the machine has given pages for them. */
  grownBytes(): number;
}

/** Instantiates the interpreter and restores the image into it. */
export async function createSealedInterpreter(parts: SealedParts): Promise<SealedInterpreter> {
  const { module, image, metadata, host } = parts;
  const memory = new LinearMemory(metadata.memoryBytes, parts.maximumBytes);
  const table = new WebAssembly.Table({ initial: metadata.tableLength, element: "anyfunc" });
  const stackPointer = new WebAssembly.Global({ value: "i32", mutable: true }, metadata.stackPointer);
  const deadline = new Deadline(parts.clocks);
  const descriptors = new Descriptors(memory, {
    print: host.print,
    fetch: host.fetch,
    ask: (question) => deadline.pauseWhile(() => host.ask(question)),
  });
  let exports: Exports | undefined;
  const setThrew = (threw: number, value: number) => exports?.setThrew(threw, value);
  const importParts = { metadata, memory, table, descriptors, deadline, stackPointer, setThrew };
  const exceptions = new CppExceptions(memory, () => instance.exports as unknown as CppRuntime);
  // Without native modules nothing throws in C++, and fewer functions are live.
  const hostFunction = createHostFunctions(importParts, metadata.sideModules.length > 0 ? exceptions : undefined);
  const instance: WebAssembly.Instance = await WebAssembly.instantiate(
    module,
    createImports(module, importParts, hostFunction),
  );
  for (const [index, name] of metadata.tableEntries) table.set(index, instance.exports[name] as () => void);
  table.set(metadata.argumentCounter, createArgumentCounter(table));
  // The interpreter is pinned by hash and the image was built from it, so these exports exist with these shapes.
  const c = instance.exports as unknown as Exports;
  exports = c;
  const links = { interpreter: instance, memory, table, stackPointer, hostFunction };
  await instantiateSideModules(parts.sideModules ?? [], metadata.sideModules, links);

  const copy = createImageCopy(image, metadata, memory);
  const restoreGlobals = createGlobalRestore(instance);
  // After a run that was cut off, everything is put back: nobody wants to reason about where it stopped.
  let isDoubtful = false;
  const restore = () => {
    if (isDoubtful) copy.everything();
    else copy.written();
    isDoubtful = false;
    stackPointer.value = metadata.stackPointer;
    restoreGlobals();
    descriptors.reset();
    exceptions.reset();
  };
  const call = (request: Uint8Array, cpuMs: number) => {
    deadline.start(cpuMs);
    memory.isExhausted = false;
    try {
      return callEntry(c, memory, metadata.entry, request);
    } catch (thrown) {
      isDoubtful = true;
      throw thrown instanceof Stop ? thrown : stopOf(thrown, memory);
    } finally {
      deadline.end();
    }
  };
  copy.first();
  copy.written(); // what native modules may have written when they were instantiated
  return {
    restore,
    call,
    prepare() {
      call(new Uint8Array(), PREPARE_CPU_MS);
      deadline.rest();
    },
    memory: () => memory.bytes,
    grownBytes: () => Math.max(0, memory.usedBytes - metadata.memoryBytes),
  };
}

function callEntry(c: Exports, memory: LinearMemory, entry: number, request: Uint8Array): Uint8Array {
  const argument = c.PyBytes_FromStringAndSize(0, request.length); // of no content yet
  if (argument === 0) throw new Stop("out-of-memory", "the request does not fit into the memory");
  memory.write(c.PyBytes_AsString(argument) >>> 0, request);
  const answer = c.PyObject_CallOneArg(entry, argument);
  if (answer === 0) throw new Stop("crashed", "the interpreter gave no answer");
  const length = c.PyBytes_Size(answer);
  if (length < 0 || length > ANSWER_LIMIT) throw new Stop("crashed", "the interpreter gave a malformed answer");
  const start = c.PyBytes_AsString(answer) >>> 0;
  const copy = memory.bytes.slice(start, start + length);
  c._Py_DecRef(argument); // calls of one turn share the interpreter: what is done with is given back
  c._Py_DecRef(answer);
  return copy;
}

/** A trap or an overflow of the native stack. */
function stopOf(thrown: unknown, memory: LinearMemory): Stop {
  if (thrown instanceof RangeError) return new Stop("crashed", "the code exhausted the interpreter's stack");
  if (typeof thrown === "number") return new Stop("crashed", "native code threw an exception that nothing caught");
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  return new Stop(memory.isExhausted ? "out-of-memory" : "crashed", `the interpreter stopped: ${reason}`);
}
