import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { STORE_REACH } from "../sealed/image-copy.ts";
import { RECORD_PAGES } from "../sealed/linear-memory.ts";
import { trackWrites } from "./track-writes.ts";

const BLOCK = 4096;
const MEMORY_PAGES = 4;
const PROGRAMS = 600;
const PATTERN = 0x5a;

/** The locals that a program computes with, and the one that counts how often its loops may still run. */
const LOCALS = 5;
const FUEL = 5;

/** Stores: opcode and the constant that is stored. */
const STORES = [
  [0x36, 0x41],
  [0x3a, 0x41],
  [0x3b, 0x41],
  [0x37, 0x42],
  [0x3e, 0x42],
] as const;

/** Near a block's border, within what one mark covers, and beyond it. */
const DISTANCES = [0, 1, 4, 8, 100, 4084, 4088, 4090, 4093, 4096, 4097, 4100, 8191, 8192, 12_000];

/** Random valid bodies over five locals, in which addresses are copied, moved, forgotten and met on different ways. */
class Generator {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** The body of a function `(i32, i32) -> ()` with four more locals. */
  body(): number[] {
    const fuel = [0x41, ...signed(6), 0x21, FUEL];
    return [1, 4, 0x7f, ...fuel, ...this.#statements(4, 0), 0x0b];
  }

  #below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }

  #pick<Item>(items: readonly Item[]): Item {
    const item = items[this.#below(items.length)];
    if (item === undefined) throw new Error("nothing to choose from");
    return item;
  }

  /** `depth` limits nesting; `labels` is how many constructs are open. */
  #statements(depth: number, labels: number): number[] {
    return Array.from({ length: 2 + this.#below(5) }, () => this.#statement(depth, labels)).flat();
  }

  #statement(depth: number, labels: number): number[] {
    const choice = this.#below(depth > 0 ? 16 : 10);
    if (choice < 5) return this.#store();
    if (choice < 8) return [...this.#address(), 0x21, this.#below(LOCALS)];
    if (choice < 9) return labels > 0 ? [...this.#condition(), 0x0d, this.#below(labels)] : this.#store();
    if (choice < 10) return this.#fill();
    const inner = (more: number) => this.#statements(depth - 1, labels + more);
    if (choice < 12) return [0x02, 0x40, ...inner(1), 0x0b];
    if (choice < 14)
      return [...this.#condition(), 0x04, 0x40, ...inner(1), ...(choice < 13 ? [0x05, ...inner(1)] : []), 0x0b];
    return [0x02, 0x40, 0x03, 0x40, ...OUT_OF_FUEL, ...inner(2), ...(this.#below(2) ? [0x0c, 0] : []), 0x0b, 0x0b];
  }

  #store(): number[] {
    const [opcode, constant] = this.#pick(STORES);
    const value = [constant, ...signed(this.#below(100))];
    // Sometimes the local changes between the address and the store.
    const between = this.#below(4) === 0 ? [...this.#address(), 0x21, this.#below(LOCALS)] : [];
    return [...this.#address(), ...between, ...value, opcode, 0, ...unsigned(this.#pick(DISTANCES))];
  }

  #fill(): number[] {
    return [...this.#address(), 0x41, 7, 0x41, ...signed(this.#below(9000)), 0xfc, 11, 0];
  }

  #address(): number[] {
    const local = [0x20, this.#below(LOCALS)];
    const constant = [0x41, ...signed(this.#pick(DISTANCES) * (this.#below(3) === 0 ? -1 : 1))];
    switch (this.#below(9)) {
      case 0:
        return [0x41, ...signed(this.#below(MEMORY_PAGES * 65_536 - 20_000))];
      case 1:
        return [...local, ...constant, 0x6a];
      case 2:
        return [...constant, ...local, 0x6a];
      case 3:
        return [...local, ...constant, 0x6b];
      case 4:
        return [...local, 0x41, ...signed(0x1_ffff), 0x71]; // into the memory again
      case 5:
        return [...local, 0x22, this.#below(LOCALS)];
      case 6:
        return [...local, ...constant, 0x6a, 0x22, this.#below(LOCALS)];
      case 7: // into the first blocks
        return [...local, 0x41, ...signed(this.#pick([0xfc, 0xff8, 0xfff, 0x1ffc])), 0x71];
      default:
        return local;
    }
  }

  #condition(): number[] {
    return [0x20, this.#below(LOCALS), 0x41, ...signed(1 << this.#below(12)), 0x71];
  }
}

/** Leaves the block around a loop when the loops ran often enough. */
const OUT_OF_FUEL = [0x20, FUEL, 0x41, 1, 0x6b, 0x22, FUEL, 0x41, 0, 0x4c, 0x0d, 1];

/** A module with an imported memory and one function of this body. */
function moduleOf(body: readonly number[]): Uint8Array<ArrayBuffer> {
  const sized = (bytes: readonly number[]) => [...unsigned(bytes.length), ...bytes];
  const name = (text: string) => sized([...Buffer.from(text)]);
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, ...sized([1, 0x60, 2, 0x7f, 0x7f, 0])],
    ...[2, ...sized([1, ...name("env"), ...name("memory"), 2, 0, MEMORY_PAGES])],
    ...[3, ...sized([1, 0])],
    ...[7, ...sized([1, ...name("f"), 0, 0])],
    ...[10, ...sized([1, ...sized(body)])],
  ]);
}

function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  const byte = value & 127;
  const rest = value >> 7;
  const isLast = (rest === 0 && !(byte & 64)) || (rest === -1 && byte & 64);
  return isLast ? [byte] : [byte | 128, ...signed(rest)];
}

interface Run {
  readonly memory: Uint8Array;
  readonly record: Uint8Array;
  /** Whether it ran to its end; where it did not, everything is put back in any case. */
  readonly isWhole: boolean;
}

function run(wasm: Uint8Array<ArrayBuffer>, first: number, second: number): Run {
  const memory = new WebAssembly.Memory({ initial: MEMORY_PAGES });
  const record = new WebAssembly.Memory({ initial: RECORD_PAGES, maximum: RECORD_PAGES });
  const bytes = new Uint8Array(memory.buffer).fill(PATTERN);
  const { f } = new WebAssembly.Instance(new WebAssembly.Module(wasm), { env: { memory, write_record: record } })
    .exports;
  let isWhole = true;
  try {
    (f as (first: number, second: number) => void)(first, second);
  } catch {
    isWhole = false;
  }
  return { memory: bytes, record: new Uint8Array(record.buffer), isWhole };
}

/** Blocks that the run changed and that nothing would restore: neither their own mark, nor for their first bytes the one before. */
function unmarked({ memory, record }: Run): number[] {
  const blocks: number[] = [];
  for (let block = 1; block < memory.length / BLOCK; block++) {
    const from = record[block - 1] === 1 || block === 1 ? STORE_REACH : 0;
    const isChanged = memory.subarray(block * BLOCK + from, (block + 1) * BLOCK).some((byte) => byte !== PATTERN);
    if (isChanged && record[block] === 0) blocks.push(block);
  }
  return blocks;
}

describe("the blocks that a rewritten program writes", () => {
  it(`are marked, in ${PROGRAMS} random programs, and the programs do what they did`, () => {
    let whole = 0;
    for (let seed = 1; seed <= PROGRAMS; seed++) {
      const original = moduleOf(new Generator(seed).body());
      const rewritten = trackWrites(original);
      for (const [first, second] of [
        [4090, 70_000],
        [-6, 131_060],
      ] as const) {
        const before = run(original, first, second);
        const after = run(rewritten, first, second);
        assert.equal(after.isWhole, before.isWhole, `program ${seed}`);
        assert.ok(Buffer.from(after.memory.buffer).equals(before.memory), `program ${seed} does the same`);
        if (!after.isWhole) continue;
        whole += 1;
        assert.deepEqual(unmarked(after), [], `program ${seed} marks what it writes`);
      }
    }
    assert.ok(whole > PROGRAMS / 4, `enough of the programs run to their end: ${whole}`);
  });
});
