/** The items of a stream, each after its check; a check that rejects fails the stream. */
export function checkStream<T>(stream: AsyncIterable<T>, check: (item: T) => Promise<void>): AsyncIterable<T> {
  return {
    [Symbol.asyncIterator]() {
      const inner = stream[Symbol.asyncIterator]();
      return {
        async next(): Promise<IteratorResult<T, undefined>> {
          const result = await inner.next();
          if (result.done) return { done: true, value: undefined };
          try {
            await check(result.value);
          } catch (error) {
            await inner.return?.();
            throw error;
          }
          return result;
        },
        async return(): Promise<IteratorResult<T, undefined>> {
          await inner.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}
