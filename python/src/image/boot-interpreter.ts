import { createRequire } from "node:module";
import { compileFunction, constants } from "node:vm";
import { readContent } from "../file-chunks.ts";
import { PYTHON_FOLDER, PYTHON_GLUE, PYTHON_WASM } from "./python-source.ts";

/** The parts of the emscripten module that the image builder uses. */
export interface EmscriptenModule {
  readonly FS: {
    mkdirTree(path: string): void;
    writeFile(path: string, data: string | Uint8Array): void;
    readFile(path: string): Uint8Array;
    readdir(path: string): string[];
    chdir(path: string): void;
  };
  /** The dynamic linker: loads a file of native code and files it under its name. */
  loadDynamicLibrary(name: string, flags: object, scope: object): void;
  readonly ENV: Record<string, string>;
  readonly HEAP8: Int8Array;
  readonly HEAPU8: Uint8Array;
  readonly wasmTable: WebAssembly.Table;
  /** Table index of the argument counter; 0 when the engine could not make one. */
  readonly _PyEM_CountArgsPtr: number;
  readonly _Py_EMSCRIPTEN_SIGNAL_HANDLING: number;
  stringToNewUTF8(text: string): number;
  /** Address of the runtime's state. */
  readonly __PyRuntime: number;
  /** Address of the state of the one thread. */
  _PyThreadState_Get(): number;
  _free(address: number): void;
  /** Writes the functions that serve a domain of memory: context, malloc, calloc, realloc, free. */
  _PyMem_GetAllocator(domain: number, target: number): void;
  _PyRun_SimpleString(source: number): number;
  _PyImport_AddModule(name: number): number;
  _PyObject_GetAttrString(object: number, name: number): number;
}

/** A running CPython, still with emscripten's virtual file system and never with a bridge to JavaScript. */
export interface BootedInterpreter {
  readonly emscripten: EmscriptenModule;
  readonly module: WebAssembly.Module;
  readonly instance: WebAssembly.Instance;
  readonly imports: WebAssembly.Imports;
  /** Table entries that the wasm file itself fills; everything beyond them came from the start-up. */
  readonly ownTableEntries: ReadonlySet<number>;
  /** Runs Python source as `__main__`; throws with what it printed when it fails. */
  execute(source: string): void;
}

type CreateModule = (settings: object) => Promise<EmscriptenModule>;

/** Where the interpreter looks for its library in the virtual file system. */
export const LIBRARY_PATH = "/lib/python312.zip";

/**
 * Starts CPython, with `library` (a zip of modules) as its library, through its own emscripten start-up code. Calls the module factory directly and not the package's own
 * loader, so that the bridge between Python and JavaScript is never initialised (PY-34).
 */
export async function bootInterpreter(library: Uint8Array): Promise<BootedInterpreter> {
  const wasm = await readContent(PYTHON_WASM);
  const createModule = await loadFactory();
  const printed: string[] = [];
  let started: Omit<BootedInterpreter, "emscripten" | "execute"> | undefined;
  const emscripten = await createModule({
    noImageDecoding: true,
    noAudioDecoding: true,
    noWasmDecoding: false,
    thisProgram: "/python",
    arguments: [],
    print: (line: string) => printed.push(line),
    printErr: (line: string) => printed.push(line),
    API: { config: { env: {}, args: [], jsglobals: {} }, lockFilePromise: new Promise(() => {}) },
    locateFile: (name: string) => `${PYTHON_FOLDER}/${name}`,
    preRun: [(created: EmscriptenModule) => prepareFileSystem(created, library)],
    instantiateWasm(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance, module: unknown) => void) {
      void instantiate(wasm, imports).then((parts) => {
        started = parts;
        receive(parts.instance, parts.module);
      });
      return {};
    },
  });
  if (!started) throw new Error("the interpreter was not instantiated");
  return { emscripten, ...started, execute: (source) => executePython(emscripten, source, printed) };
}

/** The start-up code is a script that leaves its factory on the global object. It is compiled from its content, because it may lie compressed. */
async function loadFactory(): Promise<CreateModule> {
  const code = new TextDecoder().decode(await readContent(PYTHON_GLUE));
  const script = compileFunction(code, ["require", "__filename", "__dirname"], {
    filename: PYTHON_GLUE,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  script(createRequire(PYTHON_GLUE), PYTHON_GLUE, PYTHON_FOLDER);
  const holder = globalThis as { _createPyodideModule?: CreateModule };
  if (!holder._createPyodideModule) throw new Error(`${PYTHON_GLUE} does not define its module factory`);
  return holder._createPyodideModule;
}

function prepareFileSystem({ FS, ENV }: EmscriptenModule, library: Uint8Array): void {
  FS.mkdirTree("/lib/python3.12/site-packages");
  FS.writeFile(LIBRARY_PATH, library);
  FS.mkdirTree("/home/agent");
  FS.chdir("/home/agent");
  // With PYTHONINSPECT the start-up leaves the interpreter running instead of finalising it.
  Object.assign(ENV, { PYTHONINSPECT: "1", HOME: "/", PYTHONDONTWRITEBYTECODE: "1" });
}

async function instantiate(wasm: Uint8Array<ArrayBuffer>, imports: WebAssembly.Imports) {
  const module = await WebAssembly.compile(wasm);
  const instance = await WebAssembly.instantiate(module, imports);
  const table = imports.env?.__indirect_function_table as WebAssembly.Table;
  const ownTableEntries = new Set<number>();
  for (let index = 0; index < table.length; index++) if (table.get(index)) ownTableEntries.add(index);
  return { module, instance, imports, ownTableEntries };
}

function executePython(emscripten: EmscriptenModule, source: string, printed: string[]): void {
  printed.length = 0;
  const address = emscripten.stringToNewUTF8(source);
  const failed = emscripten._PyRun_SimpleString(address) !== 0;
  emscripten._free(address);
  if (failed) throw new Error(`Python failed while the image was built:\n${printed.join("\n")}`);
}
