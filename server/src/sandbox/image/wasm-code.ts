import { WasmWriter } from "./wasm-bytes.ts";

/** Instructions without operands of their own. Numbers are unsigned where they are compared or shifted. */
export const I = {
  ...{ end: 0x0b, return: 0x0f, equal: 0x46, atMost: 0x4d, add: 0x6a, sub: 0x6b },
  ...{ and: 0x71, shiftRight: 0x76 },
} as const;

/** Without a result. */
export const IF = [0x04, 0x40] as const;

export const getLocal = (local: number) => [0x20, ...unsigned(local)];

/** Sets the local and leaves the value. */
export const teeLocal = (local: number) => [0x22, ...unsigned(local)];
export const constant = (value: number) => [0x41, ...signed(value)];
export const call = (index: number) => [0x10, ...unsigned(index)];
/** i32, from an address that is a multiple of four, plus `offset`. */
export const load = (offset = 0) => [0x28, 2, ...unsigned(offset)];
export const store = (offset = 0) => [0x36, 2, ...unsigned(offset)];

/** A body with so many locals (i32) beside its parameters. */
export const functionBody = (locals: number, code: readonly number[]) => [1, ...unsigned(locals), 0x7f, ...code, I.end];

const unsigned = (value: number) => written((writer) => writer.unsigned(value));
const signed = (value: number) => written((writer) => writer.signed(value));

function written(write: (writer: WasmWriter) => void): number[] {
  const writer = new WasmWriter(16);
  write(writer);
  return [...writer.content()];
}
