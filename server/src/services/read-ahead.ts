/** Reads a stream while what came before is still being dealt with. It is read to its end, whether or not anybody takes from here. */
export class ReadAhead<T> {
  #items: T[] = [];
  #end: { readonly error?: unknown } | undefined;
  #wake: () => void = () => {};

  constructor(source: AsyncIterable<T>) {
    void this.#read(source);
  }

  /** All that is there, at least one item; nothing at the end. Throws what the stream failed with, after its last item. */
  async take(): Promise<readonly T[]> {
    while (this.#items.length === 0 && !this.#end) await this.#change();
    if (this.#items.length === 0 && this.#end && "error" in this.#end) throw this.#end.error;
    return this.#items.splice(0);
  }

  /** What is left when the stream is over, however it ended. */
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
