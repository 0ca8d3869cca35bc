import type { CppExceptions } from "./cpp-exceptions.ts";
import { ERRNO_FUNCTIONS } from "./errno-functions.ts";
import { type GuestContext, liveFunctions } from "./live-functions.ts";
import { Stop } from "./stops.ts";

/** How a function import is served: really, through the function table, by an error number, or by ending the run. */
type ImportClass = "live" | "invoke" | "errno" | "trap";

/** What `createImports` needs beside the context of the live functions. */
interface ImportParts extends GuestContext {
  readonly stackPointer: WebAssembly.Global<"i32">;
  /** The exported `setThrew`, once there is an instance. */
  readonly setThrew: (threw: number, value: number) => void;
}

/** Sorts one function import. A name that nobody decided on is a trap, so a changed interpreter fails closed. */
export function classifyImport(name: string, live: Readonly<Record<string, unknown>>): ImportClass {
  if (Object.hasOwn(live, name)) return "live";
  if (name.startsWith("invoke_")) return "invoke";
  return Object.hasOwn(ERRNO_FUNCTIONS, name) ? "errno" : "trap";
}

/** Everything that the interpreter's file imports. The guest reaches what is in here and nothing else. */
export function createImports(
  module: WebAssembly.Module,
  parts: ImportParts,
  hostFunction = createHostFunctions(parts),
): WebAssembly.Imports {
  const imports: Record<string, Record<string, WebAssembly.ImportValue>> = {};
  for (const { module: space, name, kind } of WebAssembly.Module.imports(module)) {
    imports[space] ??= {};
    const names = imports[space];
    if (kind === "memory") names[name] = name === "write_record" ? parts.memory.writeRecord : parts.memory.memory;
    else if (kind === "table") names[name] = parts.table;
    else if (kind === "global") names[name] = globalImport(space, name, parts);
    else names[name] = hostFunction(name);
  }
  return imports;
}

/** Every function that the host has for a name, be it only a trap. What `exceptions` knows goes before. */
export function createHostFunctions(
  parts: ImportParts,
  exceptions?: CppExceptions,
): (name: string) => WebAssembly.ImportValue {
  const live = liveFunctions(parts);
  return (name) => exceptions?.function(name) ?? functionImport(name, live, parts);
}

function globalImport(space: string, name: string, { stackPointer, metadata }: ImportParts) {
  if (name === "__stack_pointer") return stackPointer;
  if (name === "__memory_base") return new WebAssembly.Global({ value: "i32" }, metadata.memoryBase);
  if (name === "__table_base") return new WebAssembly.Global({ value: "i32" }, metadata.tableBase);
  const value = metadata.relocations[space]?.[name];
  if (value === undefined) throw new Error(`the image knows no value for ${space}.${name}`);
  return new WebAssembly.Global({ value: "i32", mutable: true }, value);
}

function functionImport(name: string, live: Readonly<Record<string, unknown>>, parts: ImportParts) {
  switch (classifyImport(name, live)) {
    case "live":
      return live[name] as WebAssembly.ImportValue;
    case "invoke":
      return invokeFunction(name, parts);
    case "errno":
      return () => ERRNO_FUNCTIONS[name];
    case "trap":
      return () => {
        throw new Stop("violation", `the code reached the forbidden function ${name}`);
      };
  }
}

/** `invoke_*`: calls a table entry and turns a longjmp (a thrown number) into the flag that the C code looks at. */
function invokeFunction(name: string, { table, stackPointer, setThrew }: ImportParts) {
  const returnsBigInt = name.startsWith("invoke_j");
  return (index: number, ...args: unknown[]) => {
    const before = stackPointer.value;
    try {
      return table.get(index >>> 0)(...args);
    } catch (thrown) {
      stackPointer.value = before;
      if (typeof thrown !== "number") throw thrown;
      setThrew(1, 0);
      return returnsBigInt ? 0n : 0;
    }
  };
}
