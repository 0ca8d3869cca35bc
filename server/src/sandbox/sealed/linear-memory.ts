const PAGE_BYTES = 65_536;

/** Growth is done in steps of this many bytes at least, so that a growing heap does not ask for each page. */
const GROWTH_BYTES = 4 << 20;

const decoder = new TextDecoder();

/** The guest's memory with a hard upper limit. Views are renewed when the memory grows. */
export class LinearMemory {
  readonly memory: WebAssembly.Memory;
  readonly maximumBytes: number;
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;

  constructor(initialBytes: number, maximumBytes: number) {
    const initial = Math.ceil(initialBytes / PAGE_BYTES);
    const maximum = Math.max(initial, Math.floor(maximumBytes / PAGE_BYTES));
    this.memory = new WebAssembly.Memory({ initial, maximum });
    this.maximumBytes = maximum * PAGE_BYTES;
    this.#bytes = new Uint8Array(this.memory.buffer);
    this.#view = new DataView(this.memory.buffer);
  }

  /** The whole memory as it is now. Not to be kept across a call into the guest. */
  get bytes(): Uint8Array<ArrayBuffer> {
    if (this.#bytes.buffer !== this.memory.buffer) this.#renew();
    return this.#bytes;
  }

  get view(): DataView {
    if (this.#bytes.buffer !== this.memory.buffer) this.#renew();
    return this.#view;
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

  readText(address: number): string {
    const bytes = this.bytes;
    let end = address;
    while (end < bytes.length && bytes[end] !== 0) end++;
    return decoder.decode(bytes.subarray(address, end));
  }

  #renew(): void {
    this.#bytes = new Uint8Array(this.memory.buffer);
    this.#view = new DataView(this.memory.buffer);
  }
}
