import type { FunctionSource, SideModuleMetadata } from "../sealed/image-metadata.ts";
import type { BootedInterpreter, EmscriptenModule } from "./boot-interpreter.ts";
import { rewriteSideModule } from "./side-module-rewrite.ts";
import { WheelFault } from "./wheels.ts";

/** Where the native code of wheels lies in the virtual file system while the image is built. */
export const NATIVE_PATH = "/native";

/** A file of native code out of a wheel: its place in the virtual file system and its content. */
export interface NativeFile {
  readonly path: string;
  readonly bytes: Uint8Array;
}

/** What is written beside the image: each module's rewritten code, and what links it again in the guest. */
interface LinkedSideModules {
  readonly code: readonly Uint8Array[];
  readonly metadata: readonly SideModuleMetadata[];
}

/** Native modules that are loaded. */
export interface SideModules {
  /** Path of each module, by the name under which Python imports it. */
  readonly names: ReadonlyMap<string, string>;
  /** To be called when the image is taken: only then do all symbols have their final values. */
  link(): LinkedSideModules;
}

/** A module as the dynamic linker instantiated it. */
interface Recorded {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly module: WebAssembly.Module;
  readonly instance: WebAssembly.Instance;
  readonly imports: WebAssembly.Imports;
  readonly memoryBase: number;
  readonly tableBase: number;
  readonly tableEnd: number;
}

/**
 * Loads the files of native code through the interpreter's own dynamic linker, in their order, each after the libraries
 * that it needs, and watches what they are linked to. From then on Python finds them under their paths, so that importing
 * them asks the linker for nothing more.
 */
export function loadSideModules(booted: BootedInterpreter, files: readonly NativeFile[]): SideModules {
  const modules = files.filter(isPythonModule);
  const recorder = new Recorder(booted.emscripten);
  for (const { path } of modules) recorder.load(path, files);
  const recorded = recorder.end();
  return {
    names: new Map(modules.map(({ path }) => [moduleName(path), path])),
    link: () => ({
      code: recorded.map(({ path, bytes }) => refusing(path, () => rewriteSideModule(bytes))),
      metadata: recorded.map((one, index) => describe(one, recorded.slice(0, index), booted)),
    }),
  };
}

/** `/native/numpy/random/mtrand.cpython-312-wasm32-emscripten.so` is `numpy.random.mtrand`. */
function moduleName(path: string): string {
  const parts = path.slice(NATIVE_PATH.length + 1).split("/");
  return [...parts.slice(0, -1), parts.at(-1)?.split(".")[0]].join(".");
}

/**
 * Whether Python can import it. Other libraries are loaded under the name by which a module needs them. Refuses a file that
 * brings JavaScript along, which the linker would run here and which is not there in the guest.
 */
function isPythonModule({ path, bytes }: NativeFile): boolean {
  return refusing(path, () => {
    const names = WebAssembly.Module.exports(new WebAssembly.Module(new Uint8Array(bytes))).map(({ name }) => name);
    if (names.some((name) => name.startsWith("__em_js__") || name === "__start_em_asm"))
      throw new Error("it brings JavaScript along, and the sandbox runs none");
    return names.some((name) => name.startsWith("PyInit_"));
  });
}

/** Stands in for the two constructors that the linker calls, because it tells nobody what it does. */
class Recorder {
  readonly #emscripten: EmscriptenModule;
  readonly #original = { Module: WebAssembly.Module, Instance: WebAssembly.Instance };
  readonly #sources = new WeakMap<object, Uint8Array>();
  readonly #recorded: Recorded[] = [];
  #path = "";

  constructor(emscripten: EmscriptenModule) {
    this.#emscripten = emscripten;
    const Module = new Proxy(WebAssembly.Module, {
      construct: (target, [bytes]: [Uint8Array<ArrayBuffer>]) => {
        const module = new target(bytes);
        this.#sources.set(module, bytes);
        return module;
      },
    });
    const Instance = new Proxy(WebAssembly.Instance, {
      construct: (target, [module, imports]: [WebAssembly.Module, WebAssembly.Imports]) => {
        const instance = new target(module, imports);
        this.#record(module, instance, imports);
        return instance;
      },
    });
    Object.assign(WebAssembly, { Module, Instance });
  }

  /** Libraries that a module names without a path are looked for among all files of the wheels. */
  load(path: string, files: readonly NativeFile[]): void {
    this.#path = path;
    const find = (name: string) => files.find((file) => file.path === name || file.path.endsWith(`/${name}`));
    const flags = {
      global: false,
      nodelete: true,
      loadAsync: false,
      fs: {
        findObject: (name: string) => find(name) !== undefined,
        readFile: (name: string) => find(name)?.bytes.slice(),
      },
    };
    refusing(path, () => this.#emscripten.loadDynamicLibrary(path, flags, {}));
  }

  end(): readonly Recorded[] {
    Object.assign(WebAssembly, this.#original);
    return this.#recorded;
  }

  /** The start-up also makes small modules of its own, which are no part of any wheel. */
  #record(module: WebAssembly.Module, instance: WebAssembly.Instance, imports: WebAssembly.Imports): void {
    const bytes = this.#sources.get(module);
    if (!bytes || WebAssembly.Module.customSections(module, "dylink.0").length === 0) return;
    const { __memory_base: memoryBase, __table_base: tableBase } = imports.env as unknown as Record<string, number>;
    const tableEnd = tableBase === 0 ? 0 : this.#emscripten.wasmTable.length;
    this.#recorded.push({
      ...{ path: this.#path, bytes, module, instance, imports },
      ...{ memoryBase: memoryBase ?? 0, tableBase: tableBase ?? 0, tableEnd },
    });
  }
}

/** Names the file in whatever fault is found in it. */
function refusing<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const file = path.slice(NATIVE_PATH.length + 1);
    throw new WheelFault(`${file} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function describe(one: Recorded, earlier: readonly Recorded[], booted: BootedInterpreter): SideModuleMetadata {
  const functions: Record<string, FunctionSource> = {};
  const relocations: Record<string, Record<string, number>> = {};
  for (const { module: space, name, kind } of WebAssembly.Module.imports(one.module)) {
    const value = one.imports[space]?.[name];
    if (kind === "function") functions[name] = sourceOf(name, value, one, earlier, booted);
    else if (value instanceof WebAssembly.Global && name !== "__stack_pointer")
      relocations[space] = { ...relocations[space], [name]: value.value };
  }
  const { memoryBase, tableBase } = one;
  const hostEntries = hostTableEntries(relocations["GOT.func"] ?? {}, one, booted);
  return { memoryBase, tableBase, functions, relocations, tableEntries: addedTableEntries(one, booted), hostEntries };
}

/** Functions of the host that lie in the table because the module takes their address; the start-up notes their types. */
function hostTableEntries(
  pointers: Readonly<Record<string, number>>,
  one: Recorded,
  { emscripten, instance }: BootedInterpreter,
): [number, string, string][] {
  return Object.entries(pointers).flatMap(([name, index]): [number, string, string][] => {
    const isCompiled = [instance, one.instance].some(({ exports }) => exports[name] !== undefined);
    const host = (emscripten as unknown as Record<string, { sig?: unknown } | undefined>)[`_${name}`];
    return !isCompiled && index > 0 && typeof host?.sig === "string" ? [[index, name, host.sig]] : [];
  });
}

/**
 * Where a function comes from: the interpreter, a module that was loaded before, the module itself (the linker allows it
 * to import what it exports), or the host, which decides by the name and traps for a name that it does not know.
 */
function sourceOf(
  name: string,
  value: unknown,
  one: Recorded,
  earlier: readonly Recorded[],
  { instance }: BootedInterpreter,
): FunctionSource {
  if (name.startsWith("invoke_")) return { from: "host" };
  if (instance.exports[name] !== undefined) return { from: "interpreter" };
  const supplier = earlier.findLastIndex(({ instance: { exports } }) => exports[name] === value);
  if (supplier >= 0) return { from: "module", index: supplier };
  if (one.instance.exports[name] !== undefined) return { from: "itself" };
  const needed = earlier.findLastIndex(({ instance: { exports } }) => exports[name] !== undefined);
  return needed >= 0 ? { from: "module", index: needed } : { from: "host" };
}

/** Functions of the module that were put into the table one by one, because somebody asked for their address. */
function addedTableEntries(one: Recorded, { emscripten: { wasmTable } }: BootedInterpreter): [number, string][] {
  const names = new Map<unknown, string>();
  for (const [name, value] of Object.entries(one.instance.exports))
    if (typeof value === "function") names.set(value, name);
  const entries: [number, string][] = [];
  for (let index = 0; index < wasmTable.length; index++) {
    const isOwn = one.tableBase <= index && index < one.tableEnd;
    const name = isOwn ? undefined : names.get(wasmTable.get(index));
    if (name !== undefined) entries.push([index, name]);
  }
  return entries;
}
