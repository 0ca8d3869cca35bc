/** Reads a WebAssembly file from front to back. */
export class WasmReader {
  position: number;
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array, position = 0) {
    this.bytes = bytes;
    this.position = position;
  }

  byte(): number {
    const value = this.bytes[this.position++];
    if (value === undefined) throw new Error("the WebAssembly file ends in the middle");
    return value;
  }

  /** An unsigned LEB128 number. */
  unsigned(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  }

  /** A signed LEB128 number of at most 33 bits; of more bits, the lowest 32. */
  signed(): number {
    let value = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.byte();
      if (factor <= 2 ** 28) value += (byte & 127) * factor;
      if (byte >= 128) continue;
      if (byte & 64 && factor < 2 ** 28) value -= factor * 128;
      return value | 0;
    }
  }

  /** Passes over a LEB128 number, signed or not. */
  skipNumber(): void {
    while (this.byte() >= 128);
  }

  /** A name with its length before it. */
  text(): string {
    const length = this.unsigned();
    this.position += length;
    return new TextDecoder().decode(this.bytes.subarray(this.position - length, this.position));
  }

  skip(count: number): void {
    this.position += count;
  }
}

/** Bytes that grow at their end. */
export class WasmWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  length = 0;

  /** `capacity` bytes at first. */
  constructor(capacity = 65_536) {
    this.#bytes = new Uint8Array(capacity);
  }

  byte(...values: readonly number[]): void {
    this.#reserve(values.length);
    for (const value of values) this.#bytes[this.length++] = value;
  }

  append(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  unsigned(value: number): void {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.byte((rest % 128) | 128);
    this.byte(rest);
  }

  /** A signed LEB128 number of 32 bits; what is given above them is ignored. */
  signed(value: number): void {
    for (let rest = value | 0; ; rest >>= 7) {
      const isLast = rest >= -64 && rest < 64;
      this.byte(isLast ? rest & 127 : (rest & 127) | 128);
      if (isLast) return;
    }
  }

  /** `content` with its length before it. */
  sized(content: Uint8Array): void {
    this.unsigned(content.length);
    this.append(content);
  }

  /** What was written; valid until the next write. */
  content(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.length);
  }

  clear(): void {
    this.length = 0;
  }

  #reserve(count: number): void {
    if (this.length + count <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(2 * this.#bytes.length, this.length + count));
    larger.set(this.#bytes.subarray(0, this.length));
    this.#bytes = larger;
  }
}
