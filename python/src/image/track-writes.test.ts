import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { RECORD_PAGES } from "../sealed/linear-memory.ts";
import { trackWrites } from "./track-writes.ts";

const BLOCK = 4096;
const I32 = 0x7f;
const I64 = 0x7e;
const F32 = 0x7d;
const F64 = 0x7c;

/** An imported memory of four pages and one function `f(address, value)` with this body. */
function moduleOf(parameters: readonly number[], body: readonly number[]): Uint8Array {
  const sized = (bytes: readonly number[]) => [bytes.length, ...bytes];
  const name = (text: string) => sized([...Buffer.from(text)]);
  const types = [2, 0x60, ...sized([I32, I32]), 0, 0x60, ...sized(parameters), 0];
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, ...sized(types)],
    ...[2, ...sized([1, ...name("env"), ...name("memory"), 2, 0, 4])],
    ...[3, ...sized([1, 1])],
    ...[7, ...sized([1, ...name("f"), 0, 0])],
    ...[10, ...sized([1, ...sized([0, ...body, 0x0b])])],
  ]);
}

/** Runs the rewritten function; returns the marked blocks. */
function marksOf(
  parameters: readonly number[],
  body: readonly number[],
  ...args: readonly (number | bigint)[]
): number[] {
  const memory = new WebAssembly.Memory({ initial: 4 });
  const record = new WebAssembly.Memory({ initial: RECORD_PAGES, maximum: RECORD_PAGES });
  const module = new WebAssembly.Module(trackWrites(moduleOf(parameters, body)));
  const { f } = new WebAssembly.Instance(module, { env: { memory, write_record: record } }).exports;
  (f as (...args: readonly (number | bigint)[]) => void)(...args);
  return [...new Uint8Array(record.buffer)].flatMap((mark, block) => (mark ? [block] : []));
}

const store = (opcode: number, offset: readonly number[] = [0]) => [0x20, 0, 0x20, 1, opcode, 0, ...offset];

describe("a store of the rewritten interpreter", () => {
  const stores: readonly [name: string, opcode: number, type: number, value: number | bigint][] = [
    ["i32.store", 0x36, I32, 1],
    ["i64.store", 0x37, I64, 1n],
    ["f32.store", 0x38, F32, 1],
    ["f64.store", 0x39, F64, 1],
    ["i32.store8", 0x3a, I32, 1],
    ["i32.store16", 0x3b, I32, 1],
    ["i64.store8", 0x3c, I64, 1n],
    ["i64.store16", 0x3d, I64, 1n],
    ["i64.store32", 0x3e, I64, 1n],
  ];
  for (const [name, opcode, type, value] of stores) {
    it(`${name} marks its block, and the next, into which it may reach`, () => {
      assert.deepEqual(marksOf([I32, type], store(opcode), 3 * BLOCK - 1, value), [2, 3]);
    });
  }

  it("is marked where its constant offset takes it", () => {
    assert.deepEqual(marksOf([I32, I32], store(0x36, [0x80, 0xc0, 0x01]), 0, 1), [6, 7]);
  });

  it("leaves no mark when it is outside the memory", () => {
    assert.throws(() => marksOf([I32, I32], store(0x36, [0x80, 0x80, 0x80, 0x80, 0x0f]), BLOCK, 1), /out of bounds/);
  });
});

describe("a second store through the same value", () => {
  const one = [0x41, 1];
  /** The first parameter plus a constant of 8192. */
  const moved = [0x20, 0, 0x41, 0x80, 0xc0, 0x00, 0x6a];

  it("needs no mark of its own as far as the first one's reaches, and has one beyond", () => {
    const body = (offset: readonly number[]) => [0x20, 0, ...one, 0x36, 0, 0, 0x20, 0, ...one, 0x36, 0, ...offset];
    const [within, beyond] = [body([0xfd, 0x1f]), body([0xfe, 0x1f])];
    assert.ok(trackWrites(moduleOf([I32, I32], beyond)).length > trackWrites(moduleOf([I32, I32], within)).length);
    assert.deepEqual(marksOf([I32, I32], within, BLOCK - 1, 0), [0, 1]);
    assert.deepEqual(marksOf([I32, I32], beyond, BLOCK - 1, 0), [0, 1, 2]);
  });

  it("is marked anew where the local may hold another value", () => {
    const first = [0x20, 0, ...one, 0x36, 0, 0];
    const change = [0x20, 1, 0x04, 0x40, ...moved, 0x21, 0, 0x0b];
    assert.deepEqual(marksOf([I32, I32], [...first, ...change, ...first], 0, 0), [0, 1]);
    assert.deepEqual(marksOf([I32, I32], [...first, ...change, ...first], 0, 1), [0, 1, 2, 3]);
    assert.deepEqual(marksOf([I32, I32], [...change, ...first, ...moved, 0x21, 0, ...first], 0, 1), [2, 3, 4, 5]);
  });

  it("is marked where a local may or may not have moved towards another", () => {
    const otherIsMoved = [...moved, 0x21, 1];
    const notMoved = [0x41, 0, 0x04, 0x40, ...moved, 0x21, 0, 0x0b];
    const stores = [0x20, 0, ...one, 0x36, 0, 0, 0x20, 1, ...one, 0x36, 0, 0];
    assert.deepEqual(marksOf([I32, I32], [...otherIsMoved, ...notMoved, ...stores], 0, 0), [0, 1, 2, 3]);
  });

  it("is marked where only one of two ways marked it", () => {
    const onOneWay = [0x20, 1, 0x04, 0x40, 0x20, 0, ...one, 0x36, 0, 0, 0x0b, 0x20, 0, ...one, 0x36, 0, 0];
    assert.deepEqual(marksOf([I32, I32], onOneWay, BLOCK, 0), [1, 2]);
    assert.deepEqual(marksOf([I32, I32], onOneWay, BLOCK, 1), [1, 2]);
  });
});

describe("a store whose address is what a mask leaves of a number", () => {
  const masked = (mask: readonly number[], offset: readonly number[]) => [
    ...[0x20, 1, 0x41, ...mask, 0x71, 0x22, 0, 0x41, 9, 0x36, 0, ...offset],
  ];
  const fc = [0xfc, 0x01];

  it("needs no mark within the first block, which is put back in any case", () => {
    assert.deepEqual(marksOf([I32, I32], masked(fc, [0x80, 0x1e]), 0, -1), []); // 3840 + 252 + 4 bytes
    assert.deepEqual(marksOf([I32, I32], [...masked(fc, [0]), ...store(0x36)], 0, -1), []); // through the local too
  });

  it("is marked where it may reach beyond", () => {
    assert.deepEqual(marksOf([I32, I32], masked(fc, [0x81, 0x1e]), 0, -1), [0, 1]);
    const moved = [0x20, 1, 0x41, ...fc, 0x71, 0x41, 0x80, 0x20, 0x6a, 0x41, 9, 0x36, 0, 0]; // 4096 more
    assert.deepEqual(marksOf([I32, I32], moved, 0, 0), [1, 2]);
    const before = [0x20, 1, 0x41, ...fc, 0x71, 0x41, 0x80, 0x02, 0x6b, 0x41, 9, 0x36, 0, 0x80, 0x40]; // 256 less
    assert.throws(() => marksOf([I32, I32], before, 0, 0), /out of bounds/);
  });

  it("is marked when the mask is negative", () => {
    assert.deepEqual(marksOf([I32, I32], masked([0x7c], [0]), 0, 2 * BLOCK), [2, 3]); // all bits but two
  });
});

describe("a store through the stack's pointer", () => {
  it("is marked anew after a call, which may have moved the pointer", () => {
    const sized = (bytes: readonly number[]) => [bytes.length, ...bytes];
    const name = (text: string) => sized([...Buffer.from(text)]);
    const imports = [
      ...[3, ...name("env"), ...name("memory"), 2, 0, 4],
      ...[...name("env"), ...name("__stack_pointer"), 3, I32, 1],
      ...[...name("env"), ...name("move"), 0, 0],
    ];
    const storing = [0x23, 0, 0x41, 1, 0x36, 0, 0];
    const body = [0, ...storing, 0x20, 0, 0x20, 1, 0x10, 0, ...storing, 0x0b];
    const module = new Uint8Array([
      ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, 1, ...sized([1, 0x60, 2, I32, I32, 0])],
      ...[2, ...sized(imports), 3, ...sized([1, 0]), 7, ...sized([1, ...name("f"), 0, 1])],
      ...[10, ...sized([1, ...sized(body)])],
    ]);
    const memory = new WebAssembly.Memory({ initial: 4 });
    const record = new WebAssembly.Memory({ initial: RECORD_PAGES, maximum: RECORD_PAGES });
    const pointer = new WebAssembly.Global({ value: "i32", mutable: true }, 0);
    const move = (address: number) => {
      pointer.value = address;
    };
    const env = { memory, write_record: record, __stack_pointer: pointer, move };
    const { f } = new WebAssembly.Instance(new WebAssembly.Module(trackWrites(module)), { env }).exports;
    (f as (address: number, value: number) => void)(8 * BLOCK, 0);
    const marks = [...new Uint8Array(record.buffer)].flatMap((mark, block) => (mark ? [block] : []));
    assert.deepEqual(marks, [0, 1, 8, 9]);
  });
});

describe("a bulk instruction of the rewritten interpreter", () => {
  const fill = [0x20, 0, 0x41, 7, 0x20, 1, 0xfc, 11, 0];
  const copy = [0x20, 0, 0x41, 0, 0x20, 1, 0xfc, 10, 0, 0];
  for (const [name, body] of [
    ["memory.fill", fill],
    ["memory.copy", copy],
  ] as const) {
    it(`${name} marks every block from the first to the last byte`, () => {
      assert.deepEqual(marksOf([I32, I32], body, BLOCK - 1, BLOCK + 2).slice(0, 3), [0, 1, 2]);
      assert.deepEqual(marksOf([I32, I32], body, BLOCK, BLOCK).slice(0, 1), [1]);
      assert.deepEqual(marksOf([I32, I32], body, BLOCK, 0), []);
    });
  }
});

describe("an interpreter with an instruction that nobody looked at", () => {
  it("is refused", () => {
    assert.throws(() => trackWrites(moduleOf([I32, I32], [0xfd, 0x0b, 0, 0])), /unknown instruction fd/);
    assert.throws(() => trackWrites(moduleOf([I32, I32], [0xfc, 18])), /unknown instruction fc 18/);
    assert.throws(() => trackWrites(moduleOf([I32, I32], [0x20, 0, 0x20, 1, 0x36, 0x40, 1, 0])), /second memory/);
  });
});
