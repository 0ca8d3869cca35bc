/** The same bytes; `done` runs after the last of them and before whoever reads learns that it was the last. */
export function atEnd(body: AsyncIterable<Uint8Array>, done: () => void): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]: () => {
      const iterator = body[Symbol.asyncIterator]();
      return {
        ...iterator,
        next: async () => {
          const step = await iterator.next();
          if (step.done) done();
          return step;
        },
        // Not generators' own: a write error must reach the handler as it does without this wrapper.
        throw: (error: unknown) => iterator.throw?.(error) ?? Promise.reject(error),
        return: (value?: unknown) => iterator.return?.(value) ?? Promise.resolve({ done: true, value }),
      };
    },
  };
}
