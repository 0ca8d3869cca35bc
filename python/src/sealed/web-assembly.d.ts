/** The part of the WebAssembly JavaScript interface that this package uses: neither Node's types nor the ES library have it. */
declare namespace WebAssembly {
  type ImportValue = ((...args: never[]) => unknown) | Global | Memory | Table;
  type Imports = Record<string, Record<string, ImportValue>>;
  interface ImportDescriptor {
    readonly module: string;
    readonly name: string;
    readonly kind: "function" | "global" | "memory" | "table";
  }
  class Module {
    constructor(bytes: Uint8Array<ArrayBuffer>);
    static imports(module: Module): ImportDescriptor[];
    static exports(module: Module): Omit<ImportDescriptor, "module">[];
    static customSections(module: Module, name: string): ArrayBuffer[];
  }
  class Instance {
    constructor(module: Module, imports: Imports);
    readonly exports: Readonly<Record<string, ImportValue>>;
  }
  class Memory {
    constructor(descriptor: { initial: number; maximum?: number });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  class Table {
    constructor(descriptor: { initial: number; element: "anyfunc" });
    readonly length: number;
    // A table entry is a function of the guest: its parameters are numbers that nothing here looks at.
    get(index: number): (...args: unknown[]) => number;
    set(index: number, value: unknown): void;
  }
  class Global<Type extends "i32" = "i32"> {
    constructor(descriptor: { value: Type; mutable?: boolean }, value: number);
    value: number;
  }
  function compile(bytes: Uint8Array<ArrayBuffer>): Promise<Module>;
  function instantiate(module: Module, imports: Imports): Promise<Instance>;
}
