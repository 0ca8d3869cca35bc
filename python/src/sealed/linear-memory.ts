const PAGE_BYTES = 65_536;

/** Growth is done in steps of this many bytes at least, so that a growing heap does not ask for each page. */
const GROWTH_BYTES = 4 << 20;

/** log2 of the bytes of memory that one byte of the write record stands for. The rewritten interpreter is made with it. */
export const BLOCK_BITS = 12;

/**
 * Pages of the write record: a byte for each block of the largest memory that an address can name. So a mark is never out
 * of bounds, wherever its address points.
 */
export const RECORD_PAGES = 2 ** (32 - BLOCK_BITS) / PAGE_BYTES;

const decoder = new TextDecoder();

/**
 * The guest's memory with a hard upper limit, and the record of what was written in it: a second memory, one byte for each
 * block, that the rewritten interpreter marks with every store (image/track-writes.ts). What the host writes goes through
 * the methods here, which mark it too; that is why there is no writable view. Views are renewed when the memory grows.
 */
export class LinearMemory {
  readonly memory: WebAssembly.Memory;
  /** Imported by the interpreter as `env.write_record`. */
  readonly writeRecord: WebAssembly.Memory;
  readonly maximumBytes: number;
  readonly #marks: Uint8Array;
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;

  constructor(initialBytes: number, maximumBytes: number) {
    const initial = Math.ceil(initialBytes / PAGE_BYTES);
    const maximum = Math.max(initial, Math.floor(maximumBytes / PAGE_BYTES));
    this.memory = new WebAssembly.Memory({ initial, maximum });
    this.maximumBytes = maximum * PAGE_BYTES;
    this.writeRecord = new WebAssembly.Memory({ initial: RECORD_PAGES, maximum: RECORD_PAGES });
    this.#marks = new Uint8Array(this.writeRecord.buffer);
    this.#bytes = new Uint8Array(this.memory.buffer);
    this.#view = new DataView(this.memory.buffer);
  }

  /** The whole memory as it is now, to read from. Not to be kept across a call into the guest. */
  get bytes(): Uint8Array<ArrayBuffer> {
    if (this.#bytes.buffer !== this.memory.buffer) this.#renew();
    return this.#bytes;
  }

  write(address: number, data: Uint8Array): void {
    this.bytes.set(data, address);
    this.#mark(address, data.length);
  }

  /** Little-endian, as all numbers of the guest. */
  readUint32(address: number): number {
    return this.#current.getUint32(address, true);
  }

  readInt32(address: number): number {
    return this.#current.getInt32(address, true);
  }

  /** Signed or not: the bytes are the same. */
  writeInt32(address: number, value: number): void {
    this.#current.setInt32(address, value, true);
    this.#mark(address, 4);
  }

  readText(address: number): string {
    const bytes = this.bytes;
    let end = address;
    while (end < bytes.length && bytes[end] !== 0) end++;
    return decoder.decode(bytes.subarray(address, end));
  }

  /** Serves `emscripten_resize_heap`: false makes `malloc` fail, which Python sees as MemoryError. */
  growTo(wantedBytes: number): boolean {
    const current = this.memory.buffer.byteLength;
    if (wantedBytes > this.maximumBytes) return false;
    const target = Math.min(this.maximumBytes, Math.max(wantedBytes, current + GROWTH_BYTES));
    try {
      this.memory.grow(Math.ceil((target - current) / PAGE_BYTES));
      return true;
    } catch {
      return false; // the machine has no more memory: the same to the guest as its limit
    }
  }

  /**
   * Hands every stretch of blocks that was written since the last time to `restore`, and clears the record. The first block
   * counts as written always: a mark does not reach it from an address just below zero.
   */
  forWritten(restore: (firstBlock: number, endBlock: number) => void): void {
    const marks = this.#marks.subarray(0, this.memory.buffer.byteLength >> BLOCK_BITS);
    marks[0] = 1;
    for (let first = 0; first >= 0; ) {
      let end = first + 1;
      while (marks[end] === 1) end++;
      marks.fill(0, first, end);
      restore(first, end);
      first = marks.indexOf(1, end);
    }
  }

  get #current(): DataView {
    if (this.#bytes.buffer !== this.memory.buffer) this.#renew();
    return this.#view;
  }

  #mark(address: number, length: number): void {
    if (length > 0) this.#marks.fill(1, address >>> BLOCK_BITS, ((address + length - 1) >>> BLOCK_BITS) + 1);
  }

  #renew(): void {
    this.#bytes = new Uint8Array(this.memory.buffer);
    this.#view = new DataView(this.memory.buffer);
  }
}
