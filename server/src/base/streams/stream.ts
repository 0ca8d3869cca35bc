/** The result of every read after the end of a stream. */
export const DONE: IteratorReturnResult<undefined> = Object.freeze({ done: true, value: undefined });

/** What makes an iterator an async generator. `throw` closes the stream: no stream of this folder takes errors from its reader. */
export abstract class Stream<T> implements AsyncGenerator<T, void> {
  abstract next(): Promise<IteratorResult<T, undefined>>;
  abstract return(): Promise<IteratorResult<T, undefined>>;

  async throw(error: unknown): Promise<never> {
    await this.return();
    throw error;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.return();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}
