import { WasmReader } from "./wasm-bytes.ts";

/** Sections of the binary format. */
export const SECTION = {
  ...{ custom: 0, type: 1, import: 2, function: 3, memory: 5, global: 6, export: 7, start: 8, code: 10, data: 11 },
} as const;

/** The kinds of imports and exports. */
export const KIND = { function: 0, table: 1, memory: 2, global: 3 } as const;

/** The sections of a module, in their order. */
export function* sectionsOf(wasm: Uint8Array): Generator<{ id: number; content: Uint8Array }> {
  const reader = new WasmReader(wasm, 8);
  while (reader.position < wasm.length) {
    const id = reader.byte();
    const length = reader.unsigned();
    yield { id, content: wasm.subarray(reader.position, reader.position + length) };
    reader.skip(length);
  }
}

/** The functions that an export section names, with their indexes. */
export function* exportedFunctions(section: Uint8Array): Generator<[name: string, index: number]> {
  const reader = new WasmReader(section);
  for (let count = reader.unsigned(); count > 0; count--) {
    const name = reader.text();
    const kind = reader.byte();
    const index = reader.unsigned();
    if (kind === KIND.function) yield [name, index];
  }
}

/** One import: its name without its module's, and for a function the index of its type. */
export interface Import {
  readonly name: string;
  readonly kind: number;
  readonly type: number;
}

/** What an import section names. */
export function* importsOf(section: Uint8Array): Generator<Import> {
  const reader = new WasmReader(section);
  for (let count = reader.unsigned(); count > 0; count--) {
    reader.text();
    const name = reader.text();
    const kind = reader.byte();
    if (kind === KIND.function) yield { name, kind, type: reader.unsigned() };
    else {
      if (kind === KIND.global) reader.skip(2);
      else skipLimits(reader, kind);
      yield { name, kind, type: -1 };
    }
  }
}

/** What follows the kind of a table, a memory or a tag. */
function skipLimits(reader: WasmReader, kind: number): void {
  if (kind === KIND.table) reader.byte();
  const hasMaximum = reader.byte() & 1;
  reader.skipNumber();
  if (hasMaximum) reader.skipNumber();
}

/** The bodies that a code section holds. */
export function bodiesOf(section: Uint8Array): Uint8Array[] {
  const reader = new WasmReader(section);
  return Array.from({ length: reader.unsigned() }, () => {
    const length = reader.unsigned();
    reader.skip(length);
    return section.subarray(reader.position - length, reader.position);
  });
}
