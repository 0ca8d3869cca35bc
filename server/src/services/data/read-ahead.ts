/** Reads a stream ahead of its consumer. The stream is read to its end, whether or not anybody takes the items. */
export class ReadAhead<T> {
  #items: T[] = [];
  #end: { readonly error?: unknown } | undefined;
  #wake: () => void = () => {};

  constructor(source: AsyncIterable<T>) {
    void this.#read(source);
  }

  /** The items that have arrived, at least one; empty at the end. Throws the error of a failed stream after its last item. */
  async take(): Promise<readonly T[]> {
    while (this.#items.length === 0 && !this.#end) await this.#change();
    if (this.#items.length === 0 && this.#end && "error" in this.#end) throw this.#end.error;
    return this.#items.splice(0);
  }

  /** Waits for the end of the stream, however it ends, and returns the items that were not read. */
  async rest(): Promise<readonly T[]> {
    while (!this.#end) await this.#change();
    return this.#items.splice(0);
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  async #read(source: AsyncIterable<T>): Promise<void> {
    try {
      for await (const item of source) {
        this.#items.push(item);
        this.#wake();
      }
      this.#end = {};
    } catch (error) {
      this.#end = { error };
    }
    this.#wake();
  }
}
