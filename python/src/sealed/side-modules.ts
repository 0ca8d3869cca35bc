import type { FunctionSource, SideModuleMetadata } from "./image-metadata.ts";
import type { LinearMemory } from "./linear-memory.ts";
import { typedFunction } from "./typed-function.ts";

/** What native modules are linked to, and nothing else. */
interface SideModuleLinks {
  readonly interpreter: WebAssembly.Instance;
  readonly memory: LinearMemory;
  readonly table: WebAssembly.Table;
  readonly stackPointer: WebAssembly.Global<"i32">;
  /** The host's function of a name: the same, live or not, that the interpreter gets under it. */
  readonly hostFunction: (name: string) => WebAssembly.ImportValue;
}

/**
 * Instantiates the operator's native modules as they were when the image was taken: the same places in memory and in the
 * function table, the same functions behind their imports. Nothing of theirs is run but the linker's start function, which
 * only fills globals: their constructors and relocations ran before the image was taken, so that it holds what they wrote.
 */
export async function instantiateSideModules(
  modules: readonly WebAssembly.Module[],
  descriptions: readonly SideModuleMetadata[],
  links: SideModuleLinks,
): Promise<void> {
  const instances: WebAssembly.Instance[] = [];
  for (const [index, description] of descriptions.entries()) {
    const module = modules[index];
    if (!module) throw new Error("a native module of the image is missing");
    const linker = new Linker(description, links, instances);
    const instance = await WebAssembly.instantiate(module, linker.imports(module));
    linker.complete(instance);
    instances.push(instance);
  }
}

/** Links one module. */
class Linker {
  readonly #description: SideModuleMetadata;
  readonly #links: SideModuleLinks;
  readonly #earlier: readonly WebAssembly.Instance[];
  #itself: WebAssembly.Instance | undefined;

  constructor(description: SideModuleMetadata, links: SideModuleLinks, earlier: readonly WebAssembly.Instance[]) {
    this.#description = description;
    this.#links = links;
    this.#earlier = earlier;
  }

  imports(module: WebAssembly.Module): WebAssembly.Imports {
    const { memory, table } = this.#links;
    const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
    for (const { module: space, name, kind } of WebAssembly.Module.imports(module)) {
      imports[space] ??= {};
      const names = imports[space];
      if (kind === "memory") names[name] = name === "write_record" ? memory.writeRecord : memory.memory;
      else if (kind === "table") names[name] = table;
      else if (kind === "global") names[name] = this.#global(space, name);
      else names[name] = this.#function(name);
    }
    return imports;
  }

  complete(instance: WebAssembly.Instance): void {
    this.#itself = instance;
    const { table, hostFunction } = this.#links;
    const { tableEntries, hostEntries } = this.#description;
    for (const [index, name] of tableEntries) table.set(index, instance.exports[name]);
    for (const [index, name, signature] of hostEntries) table.set(index, typedFunction(signature, hostFunction(name)));
  }

  #global(space: string, name: string): WebAssembly.Global {
    const { memoryBase, tableBase, relocations } = this.#description;
    if (name === "__stack_pointer") return this.#links.stackPointer;
    if (name === "__memory_base") return new WebAssembly.Global({ value: "i32" }, memoryBase);
    if (name === "__table_base") return new WebAssembly.Global({ value: "i32" }, tableBase);
    const value = relocations[space]?.[name];
    if (value === undefined) throw new Error(`the image knows no value for ${space}.${name}`);
    return new WebAssembly.Global({ value: "i32", mutable: true }, value);
  }

  #function(name: string): WebAssembly.ImportValue {
    const source: FunctionSource = this.#description.functions[name] ?? { from: "host" };
    switch (source.from) {
      case "host":
        return this.#links.hostFunction(name);
      case "interpreter":
        return exported(this.#links.interpreter, name);
      case "module":
        return exported(this.#earlier[source.index], name);
      case "itself":
        // There is no instance yet when it is instantiated.
        return (...args: never[]) => (exported(this.#itself, name) as (...args: never[]) => unknown)(...args);
    }
  }
}

function exported(instance: WebAssembly.Instance | undefined, name: string): WebAssembly.ImportValue {
  const value = instance?.exports[name];
  if (value === undefined) throw new Error(`a native module needs ${name}, which is not there`);
  return value;
}
