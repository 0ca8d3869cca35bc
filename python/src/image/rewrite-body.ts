import { BLOCK_BITS } from "../sealed/linear-memory.ts";
import { OP } from "./opcodes.ts";
import { WasmReader, WasmWriter } from "./wasm-bytes.ts";
import { skipOperands } from "./wasm-operands.ts";

/** Value types as the binary format writes them. */
export const I32 = 0x7f;
const I64 = 0x7e;
const F32 = 0x7d;
const F64 = 0x7c;

/** The first store instruction, and the type of the value that each from there on stores. */
const FIRST_STORE = 0x36;
const STORED_TYPES = [I32, I64, F32, F64, I32, I32, I64, I64, I64];

/** Turns an address into the number of its block. */
export const TO_BLOCK = [OP.const, BLOCK_BITS, OP.shiftRight];

/**
 * Stores a one at a block's number in memory 1, the record. A store may reach into the next block without a mark there:
 * restoring a block restores the first `STORE_REACH` bytes behind it too (image-copy.ts).
 */
export const MARK = [OP.const, 1, 0x3a, 0x40, 1, 0];

/**
 * Rewrites the body of one function: each instruction that writes memory is followed by marks in the record.
 * `markFunction` is the index of a function `(start, length)` that
 * marks a whole range.
 */
export function rewriteBody(body: Uint8Array, parameters: number, markFunction: number): Uint8Array {
  return new BodyRewriter(body, parameters, markFunction).rewrite();
}

/** Gives the function locals for the operands of what writes, of each type one, when it needs them. */
class BodyRewriter {
  readonly #reader: WasmReader;
  readonly #code: WasmWriter;
  readonly #added = new Map<string, number>();
  readonly #addedTypes: number[] = [];
  readonly #markFunction: number;
  #locals: number;
  readonly #groups: number;
  readonly #groupBytes: Uint8Array;

  constructor(body: Uint8Array, parameters: number, markFunction: number) {
    this.#reader = new WasmReader(body);
    this.#code = new WasmWriter(2 * body.length);
    this.#markFunction = markFunction;
    this.#locals = parameters;
    this.#groups = this.#reader.unsigned();
    const start = this.#reader.position;
    for (let group = 0; group < this.#groups; group++) {
      this.#locals += this.#reader.unsigned();
      this.#reader.byte();
    }
    this.#groupBytes = body.subarray(start, this.#reader.position);
  }

  rewrite(): Uint8Array {
    const { bytes } = this.#reader;
    while (this.#reader.position < bytes.length) this.#instruction();
    const result = new WasmWriter(2 * bytes.length);
    result.unsigned(this.#groups + this.#addedTypes.length);
    result.append(this.#groupBytes);
    for (const type of this.#addedTypes) result.byte(1, type);
    result.append(this.#code.content());
    return result.content();
  }

  #instruction(): void {
    const reader = this.#reader;
    const start = reader.position;
    const opcode = reader.byte();
    const stored = STORED_TYPES[opcode - FIRST_STORE];
    if (stored !== undefined) this.#store(start, stored);
    else if (skipOperands(opcode, reader) === "writes a range") this.#bulk(start);
    else this.#copyFrom(start);
  }

  /** The operands are kept in locals, so that the address is there again after the store. */
  #store(start: number, type: number): void {
    const reader = this.#reader;
    if (reader.unsigned() & 0x40) throw new Error("the interpreter has a second memory of its own");
    const offset = reader.unsigned();
    const address = this.#local("address", I32);
    const value = this.#local(`value ${type}`, type);
    this.#do(OP.localSet, value);
    this.#do(OP.localTee, address);
    this.#do(OP.localGet, value);
    this.#copyFrom(start);
    this.#do(OP.localGet, address);
    if (offset > 0) {
      this.#constant(offset);
      this.#code.byte(OP.add);
    }
    this.#code.byte(...TO_BLOCK, ...MARK);
  }

  /** memory.init, copy and fill write `length`, their last operand, bytes at their first. */
  #bulk(start: number): void {
    const target = this.#local("address", I32);
    const second = this.#local("second", I32);
    const length = this.#local("length", I32);
    this.#do(OP.localSet, length);
    this.#do(OP.localSet, second);
    this.#do(OP.localTee, target);
    this.#do(OP.localGet, second);
    this.#do(OP.localGet, length);
    this.#copyFrom(start);
    this.#do(OP.localGet, target);
    this.#do(OP.localGet, length);
    this.#do(OP.call, this.#markFunction);
  }

  /** The original instruction. */
  #copyFrom(start: number): void {
    this.#code.append(this.#reader.bytes.subarray(start, this.#reader.position));
  }

  #do(opcode: number, operand: number): void {
    this.#code.byte(opcode);
    this.#code.unsigned(operand);
  }

  /** An offset beyond 2 GiB is a negative number of the same bits. */
  #constant(value: number): void {
    this.#code.byte(OP.const);
    this.#code.signed(value);
  }

  #local(name: string, type: number): number {
    let index = this.#added.get(name);
    if (index === undefined) {
      index = this.#locals + this.#addedTypes.length;
      this.#added.set(name, index);
      this.#addedTypes.push(type);
    }
    return index;
  }
}
