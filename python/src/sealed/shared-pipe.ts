/** Words of control before the data: bytes written in all, bytes read in all. Both wrap at 2^32. */
const CONTROL_BYTES = 8;
const WRITTEN = 0;
const READ = 1;

/** Enough for the four assets of a start (30 MB): the writer never waits for the reader. */
const CAPACITY = 64 << 20;

/** A byte pipe in shared memory, from the server's thread to a guest's: the reader blocks, the writer does not. */
export class SharedPipe {
  readonly memory: SharedArrayBuffer;
  readonly #control: Int32Array<SharedArrayBuffer>;
  readonly #data: Uint8Array<SharedArrayBuffer>;

  constructor(memory: SharedArrayBuffer = new SharedArrayBuffer(CONTROL_BYTES + CAPACITY)) {
    this.memory = memory;
    this.#control = new Int32Array(memory, 0, CONTROL_BYTES / 4);
    this.#data = new Uint8Array(memory, CONTROL_BYTES);
  }

  write(bytes: Uint8Array): void {
    const written = Atomics.load(this.#control, WRITTEN) >>> 0;
    const waiting = (written - (Atomics.load(this.#control, READ) >>> 0)) >>> 0;
    if (waiting + bytes.length > CAPACITY) throw new Error("the guest does not read what it is sent");
    const start = written % CAPACITY;
    const first = bytes.subarray(0, CAPACITY - start);
    this.#data.set(first, start);
    this.#data.set(bytes.subarray(first.length), 0);
    Atomics.store(this.#control, WRITTEN, (written + bytes.length) | 0);
    Atomics.notify(this.#control, WRITTEN);
  }

  /** Blocks until there is something, then fills as much of `target` as there is. */
  read(target: Uint8Array): number {
    const read = Atomics.load(this.#control, READ) >>> 0;
    Atomics.wait(this.#control, WRITTEN, read | 0);
    const available = ((Atomics.load(this.#control, WRITTEN) >>> 0) - read) >>> 0;
    const start = read % CAPACITY;
    const count = Math.min(target.length, available, CAPACITY - start);
    target.set(this.#data.subarray(start, start + count));
    Atomics.store(this.#control, READ, (read + count) | 0);
    return count;
  }
}
