import type { WasmReader } from "./wasm-bytes.ts";

/**
 * Passes over what follows an opcode that is no store, and tells whether the instruction writes a range of memory. Knows
 * the instructions that the interpreter is made of; any other is refused, as it might write.
 */
export function skipOperands(opcode: number, reader: WasmReader): "writes a range" | "writes nothing" {
  if (opcode === 0xfc) return skipExtended(reader);
  const count = NUMBERS_AFTER.get(opcode);
  if (count !== undefined) skipNumbers(count, reader);
  else if (opcode === 0x0e)
    skipNumbers(reader.unsigned() + 1, reader); // br_table: its labels and the default
  else if (opcode === 0x1c)
    reader.skip(reader.unsigned()); // select: its types
  else if (opcode === 0x43)
    reader.skip(4); // f32.const
  else if (opcode === 0x44)
    reader.skip(8); // f64.const
  else throw new Error(`the interpreter has the unknown instruction ${opcode.toString(16)}`);
  return "writes nothing";
}

/** How many LEB128 numbers follow an opcode: from, to, count. */
const NUMBERS_AFTER: ReadonlyMap<number, number> = expand([
  [0x00, 0x01, 0], // unreachable, nop
  [0x02, 0x04, 1], // block, loop, if
  [0x05, 0x05, 0], // else
  [0x0b, 0x0b, 0], // end
  [0x0c, 0x0d, 1], // br, br_if
  [0x0f, 0x0f, 0], // return
  [0x10, 0x10, 1], // call
  [0x11, 0x11, 2], // call_indirect
  [0x1a, 0x1b, 0], // drop, select
  [0x20, 0x26, 1], // locals, globals, table.get, table.set
  [0x28, 0x35, 2], // loads
  [0x3f, 0x42, 1], // memory.size, memory.grow, i32.const, i64.const
  [0x45, 0xc4, 0], // comparisons, arithmetic, conversions
  [0xd0, 0xd0, 1], // ref.null
  [0xd1, 0xd1, 0], // ref.is_null
  [0xd2, 0xd2, 1], // ref.func
]);

/** Instructions after the prefix `fc`. */
const EXTENDED_NUMBERS_AFTER: ReadonlyMap<number, number> = expand([
  [0, 7, 0], // saturating conversions
  [8, 8, 2], // memory.init
  [9, 9, 1], // data.drop
  [10, 10, 2], // memory.copy
  [11, 11, 1], // memory.fill
  [12, 12, 2], // table.init
  [13, 13, 1], // elem.drop
  [14, 14, 2], // table.copy
  [15, 17, 1], // table.grow, table.size, table.fill
]);

const RANGE_WRITERS: ReadonlySet<number> = new Set([8, 10, 11]);

function skipExtended(reader: WasmReader): "writes a range" | "writes nothing" {
  const kind = reader.unsigned();
  const count = EXTENDED_NUMBERS_AFTER.get(kind);
  if (count === undefined) throw new Error(`the interpreter has the unknown instruction fc ${kind}`);
  skipNumbers(count, reader);
  return RANGE_WRITERS.has(kind) ? "writes a range" : "writes nothing";
}

function skipNumbers(count: number, reader: WasmReader): void {
  for (let index = 0; index < count; index++) reader.skipNumber();
}

function expand(ranges: readonly (readonly [from: number, to: number, count: number])[]): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const [from, to, count] of ranges) for (let opcode = from; opcode <= to; opcode++) counts.set(opcode, count);
  return counts;
}
