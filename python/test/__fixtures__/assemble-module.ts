/** Value types of WebAssembly. */
export const I32 = 0x7f;

/** A function of a module under assembly: parameters and results are i32; the body ends with its `end`. */
interface AssembledFunction {
  readonly parameters: number;
  readonly results: number;
  readonly body: readonly number[];
}

/** What a module is made of. Imports come first in each index space, in their order here. */
interface ModuleParts {
  /** Libraries that the dynamic linker has to load before. */
  readonly needed?: readonly string[];
  /** Bytes of memory and entries of the function table that the module wants. */
  readonly memoryBytes?: number;
  readonly functionImports?: readonly (readonly [name: string, parameters: number, results: number])[];
  /** Global imports by module and name; those of `env` other than the stack pointer are constant. */
  readonly globalImports?: readonly (readonly [module: string, name: string])[];
  readonly functions: readonly AssembledFunction[];
  /** Own globals, i32, mutable, 0 at first. */
  readonly globals?: number;
  readonly exports?: readonly (readonly [name: string, functionIndex: number])[];
  readonly start?: number;
  /** Functions that lie in the table, from the module's table base on. */
  readonly elements?: readonly number[];
  /** Content of the module's memory, from its memory base on; `memoryBase` is the index of that import. */
  readonly data?: { readonly bytes: Uint8Array; readonly memoryBase: number; readonly tableBase: number };
}

/** Puts together a module as compilers for this platform make them: position independent, linked when it is loaded. */
export function assembleModule(parts: ModuleParts): Uint8Array<ArrayBuffer> {
  const { functionImports = [], globalImports = [], functions, elements = [], exports = [] } = parts;
  const types = [...functionImports.map(([, parameters, results]) => ({ parameters, results })), ...functions];
  const imports = [
    ...functionImports.map(([name], index) => [...text("env"), ...text(name), 0, ...unsigned(index)]),
    ...globalImports.map(([space, name]) => [...text(space), ...text(name), 3, I32, isConstant(space, name) ? 0 : 1]),
    [...text("env"), ...text("memory"), 2, 0, 0],
    [...text("env"), ...text("__indirect_function_table"), 1, 0x70, 0, ...unsigned(elements.length)],
  ];
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(0, [...text("dylink.0"), ...linkage(parts)]),
    ...section(1, vector(types.map((type) => [0x60, ...i32s(type.parameters), ...i32s(type.results)]))),
    ...section(2, vector(imports)),
    ...section(3, vector(functions.map((_, index) => unsigned(functionImports.length + index)))),
    ...section(6, vector(Array.from({ length: parts.globals ?? 0 }, () => [I32, 1, 0x41, 0, 0x0b]))),
    ...section(7, vector(exports.map(([name, index]) => [...text(name), 0, ...unsigned(index)]))),
    ...(parts.start === undefined ? [] : section(8, unsigned(parts.start))),
    ...(parts.data ? section(9, vector([elementSegment(elements, parts.data.tableBase)])) : []),
    ...section(10, vector(functions.map(({ body }) => sized([0, ...body])))),
    ...(parts.data ? section(11, vector([dataSegment(parts.data.bytes, parts.data.memoryBase)])) : []),
  ]);
}

/** An unsigned LEB128 number. */
export function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value % 128) | 128, ...unsigned(Math.floor(value / 128))];
}

function isConstant(space: string, name: string): boolean {
  return space === "env" && name !== "__stack_pointer";
}

/** Sizes and needed libraries, which the dynamic linker reads. */
function linkage({ memoryBytes = 0, elements = [], needed = [] }: ModuleParts): number[] {
  const sizes = [...unsigned(memoryBytes), 2, ...unsigned(elements.length), 0];
  return [1, ...sized(sizes), 2, ...sized(vector(needed.map((name) => text(name))))];
}

const elementSegment = (elements: readonly number[], tableBase: number) => [
  ...[0, 0x23, tableBase, 0x0b],
  ...vector(elements.map((index) => unsigned(index))),
];
const dataSegment = (bytes: Uint8Array, memoryBase: number) => [0, 0x23, memoryBase, 0x0b, ...sized([...bytes])];

const i32s = (count: number): number[] => vector(new Array<number[]>(count).fill([I32]));
const vector = (items: readonly (readonly number[])[]): number[] => [...unsigned(items.length), ...items.flat()];
const sized = (content: readonly number[]): number[] => [...unsigned(content.length), ...content];
const section = (id: number, content: readonly number[]): number[] => [id, ...sized(content)];
const text = (value: string): number[] => sized([...new TextEncoder().encode(value)]);
