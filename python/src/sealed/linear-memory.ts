const PAGE_BYTES = 65_536;

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
 * the methods here, which mark it too; that is why there is no writable view.
 *
 * It has its largest size from the start, and the machine gives it pages as they are written: a size that grew would tell the next
 * tenant how much the ones before it used.
 */
export class LinearMemory {
  readonly memory: WebAssembly.Memory;
  /** Imported by the interpreter as `env.write_record`. */
  readonly writeRecord: WebAssembly.Memory;
  readonly maximumBytes: number;
  /** The whole memory, to read from. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Whether the guest asked for more than there is since this was last set to false. */
  isExhausted = false;
  readonly #view: DataView;
  /** The write record of this memory: a byte for each block, and the same four at a time. */
  readonly #marks: Uint8Array;
  readonly #fourMarks: Uint32Array;
  /** End of the last four blocks that were ever written, as far as the record was looked at. */
  #usedBytes = 0;

  constructor(initialBytes: number, maximumBytes: number) {
    const least = Math.ceil(initialBytes / PAGE_BYTES);
    const pages = Math.max(least, Math.floor(maximumBytes / PAGE_BYTES));
    this.memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
    this.maximumBytes = pages * PAGE_BYTES;
    this.writeRecord = new WebAssembly.Memory({ initial: RECORD_PAGES, maximum: RECORD_PAGES });
    this.#marks = new Uint8Array(this.writeRecord.buffer, 0, this.maximumBytes >> BLOCK_BITS);
    this.#fourMarks = new Uint32Array(this.writeRecord.buffer, 0, this.#marks.length >> 2);
    this.bytes = new Uint8Array(this.memory.buffer);
    this.#view = new DataView(this.memory.buffer);
  }

  /** Where what was ever written ends: the machine has given pages up to there, and everything beyond is zero. */
  get usedBytes(): number {
    this.#findEnd();
    return this.#usedBytes;
  }

  write(address: number, data: Uint8Array): void {
    this.bytes.set(data, address);
    this.#mark(address, data.length);
  }

  /** Little-endian, as all numbers of the guest. */
  readUint32(address: number): number {
    return this.#view.getUint32(address, true);
  }

  readInt32(address: number): number {
    return this.#view.getInt32(address, true);
  }

  /** Signed or not: the bytes are the same. */
  writeInt32(address: number, value: number): void {
    this.#view.setInt32(address, value, true);
    this.#mark(address, 4);
  }

  readText(address: number): string {
    const bytes = this.bytes;
    let end = address;
    while (end < bytes.length && bytes[end] !== 0) end++;
    return decoder.decode(bytes.subarray(address, end));
  }

  /** Serves `emscripten_resize_heap`: false makes `malloc` fail, which Python sees as MemoryError. */
  has(wantedBytes: number): boolean {
    if (wantedBytes <= this.maximumBytes) return true;
    this.isExhausted = true;
    return false;
  }

  /**
   * Hands every stretch of blocks that was written since the last time to `restore`, and clears the record. The first block
   * counts as written always: a mark does not reach it from an address just below zero.
   */
  forWritten(restore: (firstBlock: number, endBlock: number) => void): void {
    const marks = this.#marks;
    this.#findEnd();
    marks[0] = 1;
    for (let first = 0; first >= 0; ) {
      let end = first + 1;
      while (marks[end] === 1) end++;
      marks.fill(0, first, end);
      restore(first, end);
      first = marks.indexOf(1, end);
    }
  }

  /** Looks for the last mark, before the record is cleared: four blocks at a time, because it is looked for after each call. */
  #findEnd(): void {
    const marks = this.#fourMarks;
    const known = this.#usedBytes >> (BLOCK_BITS + 2);
    let end = marks.length;
    while (end > known && marks[end - 1] === 0) end--;
    this.#usedBytes = Math.max(this.#usedBytes, end << (BLOCK_BITS + 2));
  }

  #mark(address: number, length: number): void {
    if (length > 0) this.#marks.fill(1, address >>> BLOCK_BITS, ((address + length - 1) >>> BLOCK_BITS) + 1);
  }
}
