import { OP } from "./opcodes.ts";
import { WasmWriter } from "./wasm-bytes.ts";

/** `if` without a result. */
export const IF = [OP.if, 0x40] as const;

export const getLocal = (local: number) => [OP.localGet, ...unsigned(local)];

/** Sets the local and leaves the value. */
export const teeLocal = (local: number) => [OP.localTee, ...unsigned(local)];
export const constant = (value: number) => [OP.const, ...signed(value)];
export const call = (index: number) => [OP.call, ...unsigned(index)];
/** i32, from an address that is a multiple of four, plus `offset`. */
export const load = (offset = 0) => [OP.load, 2, ...unsigned(offset)];
export const store = (offset = 0) => [OP.store, 2, ...unsigned(offset)];

/** A body with so many locals (i32) beside its parameters. */
export const functionBody = (locals: number, code: readonly number[]) => [
  1,
  ...unsigned(locals),
  0x7f,
  ...code,
  OP.end,
];

const unsigned = (value: number) => written((writer) => writer.unsigned(value));
const signed = (value: number) => written((writer) => writer.signed(value));

function written(write: (writer: WasmWriter) => void): number[] {
  const writer = new WasmWriter(16);
  write(writer);
  return [...writer.content()];
}
