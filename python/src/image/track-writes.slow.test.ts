import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createImageCopy } from "../sealed/image-copy.ts";
import { LinearMemory, RECORD_PAGES } from "../sealed/linear-memory.ts";
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
    it(`${name} marks the block of its first byte, and all it wrote is restored`, () => {
      const address = 3 * BLOCK - 1;
      assert.deepEqual(marksOf([I32, type], store(opcode), address, value), [2]);
      const memory = new LinearMemory(4 * 65_536, 4 * 65_536);
      const image = new Uint8Array(4 * BLOCK).fill(0x5a);
      const copy = createImageCopy(image, { stretches: [[0, 4]] }, memory);
      copy.first();
      const imports = { env: { memory: memory.memory, write_record: memory.writeRecord } };
      const module = new WebAssembly.Module(trackWrites(moduleOf([I32, type], store(opcode))));
      const { f } = new WebAssembly.Instance(module, imports).exports;
      (f as (...args: unknown[]) => void)(address, value);
      assert.notEqual(memory.bytes[address], 0x5a);
      copy.written();
      assert.deepEqual(memory.bytes.subarray(0, image.length), image);
    });
  }

  it("is marked where its constant offset takes it", () => {
    assert.deepEqual(marksOf([I32, I32], store(0x36, [0x80, 0xc0, 0x01]), 0, 1), [6]);
  });

  it("leaves no mark when it is outside the memory", () => {
    assert.throws(() => marksOf([I32, I32], store(0x36, [0x80, 0x80, 0x80, 0x80, 0x0f]), BLOCK, 1), /out of bounds/);
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
      assert.deepEqual(marksOf([I32, I32], body, BLOCK - 1, BLOCK + 2), [0, 1, 2]);
      assert.deepEqual(marksOf([I32, I32], body, BLOCK, BLOCK), [1]);
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
