/** What the sealed loader must know to bring a memory image back to life, beside the bytes themselves. */
export interface ImageMetadata {
  /** Size of the linear memory when the image was taken, bytes (a multiple of 64 KiB). */
  readonly memoryBytes: number;
  /** Blocks (linear-memory.ts) that were not zero, as first and end; the image file is these and nothing else. */
  readonly stretches: readonly (readonly [first: number, end: number])[];
  readonly stackPointer: number;
  readonly memoryBase: number;
  readonly tableBase: number;
  /** Values of the relocation globals, by import module (`GOT.func`, `GOT.mem`) and name. */
  readonly relocations: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly tableLength: number;
  /** Entries of the function table that the start-up added: index and name of the exported function. */
  readonly tableEntries: readonly (readonly [index: number, exportName: string])[];
  /** Index of the table entry where CPython expects its argument counter (argument-counter.ts). */
  readonly argumentCounter: number;
  /** Address of the Python function that serves requests (`dispatch(bytes) -> bytes`). */
  readonly entry: number;
  /** SHA-256 of the image, hexadecimal. */
  readonly sha256: string;
  /** SHA-256 of the resource archive (resource-archive.ts). */
  readonly resourcesSha256: string;
  /** SHA-256 of the rewritten interpreter (image/track-writes.ts). */
  readonly wasmSha256: string;
  /** The operator's native modules, in the order in which they are instantiated. */
  readonly sideModules: readonly SideModuleMetadata[];
  /** SHA-256 of the file that holds their code. */
  readonly sideModulesSha256: string;
}

/** How a native module was linked when the image was taken (side-modules.ts). */
export interface SideModuleMetadata {
  readonly memoryBase: number;
  readonly tableBase: number;
  /** Where each imported function comes from, by its name. */
  readonly functions: Readonly<Record<string, FunctionSource>>;
  /** Values of the relocation globals, by import module (`GOT.func`, `GOT.mem`) and name. */
  readonly relocations: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Table entries outside the module's own stretch: index and name of its exported function. */
  readonly tableEntries: readonly (readonly [index: number, exportName: string])[];
  /** Table entries with functions of the host whose address the module takes: index, name and type (typed-function.ts). */
  readonly hostEntries: readonly (readonly [index: number, name: string, signature: string])[];
}

/** Who provides a function that a native module imports. `index` counts the modules that were loaded before. */
export type FunctionSource =
  | { readonly from: "interpreter" | "itself" | "host" }
  | { readonly from: "module"; readonly index: number };
