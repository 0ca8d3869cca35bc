import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { deferStream } from "./defer-stream.ts";
import { flatMapStream, mapStream } from "./map-stream.ts";
import { type StreamEnd, watchStream } from "./watch-stream.ts";

/** Counts to three, or fails after two; notes when it is closed. */
async function* numbers(closed: string[] = [], failure?: Error): AsyncGenerator<number, void> {
  try {
    yield 1;
    yield 2;
    if (failure) throw failure;
    yield 3;
  } finally {
    closed.push("closed");
  }
}

function watched(stream: () => AsyncIterable<number>) {
  const ends: StreamEnd[] = [];
  const seen: number[] = [];
  const onEnd = (end: StreamEnd) => void ends.push(end);
  return { ends, seen, stream: watchStream(stream, { onItem: (item) => void seen.push(item), onEnd }) };
}

describe("watchStream", () => {
  it("passes everything on and reports the end once", async () => {
    const { stream, seen, ends } = watched(() => numbers());
    const reader = stream[Symbol.asyncIterator]();
    const steps = [];
    for (let count = 0; count < 5; count++) steps.push((await reader.next()).value);
    assert.deepEqual([steps, seen, ends], [[1, 2, 3, undefined, undefined], [1, 2, 3], [{ kind: "done" }]]);
  });

  it("reports a failure and passes it on", async () => {
    const failure = new Error("broken");
    const { stream, ends } = watched(() => numbers([], failure));
    await assert.rejects(Array.fromAsync(stream), failure);
    assert.deepEqual(ends, [{ kind: "failed", error: failure }]);
  });

  it("replaces a failure by what the watcher throws", async () => {
    const stream = watchStream(() => numbers([], new Error("broken")), {
      onEnd: () => {
        throw new Error("said better");
      },
    });
    await assert.rejects(Array.fromAsync(stream), /^Error: said better$/);
  });

  it("closes the stream before it reports that the reader left", async () => {
    const order: string[] = [];
    const stream = watchStream(() => numbers(order), { onEnd: ({ kind }) => void order.push(kind) });
    for await (const item of stream) if (item === 2) break;
    assert.deepEqual(order, ["closed", "abandoned"]);
  });

  it("treats a stream that cannot be opened as one that failed", async () => {
    const { stream, ends } = watched(() => {
      throw new Error("no stream");
    });
    await assert.rejects(Array.fromAsync(stream), /^Error: no stream$/);
    assert.deepEqual(
      ends.map(({ kind }) => kind),
      ["failed"],
    );
  });

  it("reports nothing when the stream was never read", async () => {
    const { stream, ends } = watched(() => numbers());
    await stream[Symbol.asyncIterator]().return?.();
    assert.deepEqual(ends, []);
  });
});

describe("deferStream", () => {
  it("opens the stream when it is first read, and closes it when its reader leaves", async () => {
    const order: string[] = [];
    const stream = deferStream(async () => {
      order.push("opened");
      return numbers(order);
    });
    order.push("made");
    for await (const item of stream) if (item === 2) break;
    assert.deepEqual(order, ["made", "opened", "closed"]);
  });

  it("closes a stream that opens after its reader left, and gives nothing of it", async () => {
    const order: string[] = [];
    const opening = Promise.withResolvers<AsyncIterable<number>>();
    const reader = deferStream(() => opening.promise);
    const pending = reader.next();
    assert.deepEqual(await reader.return(), { done: true, value: undefined });
    opening.resolve(
      watchStream(
        () => {
          order.push("read");
          return numbers();
        },
        { onEnd: () => void order.push("ended") },
      ),
    );
    assert.deepEqual(await pending, { done: true, value: undefined });
    assert.deepEqual(await reader.next(), { done: true, value: undefined });
    assert.deepEqual(order, []);
  });

  it("does not open the stream when its reader left before the first read", async () => {
    let opened = 0;
    const reader = deferStream(async () => {
      opened++;
      return numbers();
    });
    await reader.return();
    assert.deepEqual([await reader.next(), opened], [{ done: true, value: undefined }, 0]);
  });

  it("opens the stream once for reads that overlap", async () => {
    let opened = 0;
    const reader = deferStream(async () => {
      opened++;
      return numbers();
    });
    const steps = await Promise.all([reader.next(), reader.next()]);
    assert.deepEqual([steps.map(({ value }) => value), opened], [[1, 2], 1]);
  });

  it("fails once when it cannot be opened", async () => {
    const reader = deferStream<number>(() => Promise.reject(new Error("no stream")))[Symbol.asyncIterator]();
    await assert.rejects(reader.next(), /^Error: no stream$/);
    assert.deepEqual(await reader.next(), { done: true, value: undefined });
  });
});

describe("mapStream", () => {
  it("changes each item", async () => {
    assert.deepEqual(await Array.fromAsync(mapStream(numbers(), (item) => item * 10)), [10, 20, 30]);
  });

  it("closes the stream when a change throws, and when the reader leaves", async () => {
    const closed: string[] = [];
    const wrong = mapStream(numbers(closed), () => {
      throw new Error("cannot be changed");
    });
    await assert.rejects(Array.fromAsync(wrong), /^Error: cannot be changed$/);
    for await (const _ of mapStream(numbers(closed), String)) break;
    assert.deepEqual(closed, ["closed", "closed"]);
  });
});

describe("flatMapStream", () => {
  it("gives the items of each change, in order", async () => {
    const stream = flatMapStream(numbers(), (item) => (item === 2 ? [] : [item, -item]));
    assert.deepEqual(await Array.fromAsync(stream), [1, -1, 3, -3]);
  });

  it("reads the next item only when all of the last one is read", async () => {
    const order: string[] = [];
    const stream = flatMapStream(numbers(), (item) => {
      order.push(`asked for ${item}`);
      return [item, item];
    });
    for await (const item of stream) order.push(`read ${item}`);
    const read = (item: number) => [`asked for ${item}`, `read ${item}`, `read ${item}`];
    assert.deepEqual(order, [1, 2, 3].flatMap(read));
  });

  it("closes the stream when a change throws, and when the reader leaves with items unread", async () => {
    const closed: string[] = [];
    const wrong = flatMapStream(numbers(closed), () => {
      throw new Error("cannot be changed");
    });
    await assert.rejects(Array.fromAsync(wrong), /^Error: cannot be changed$/);
    const left = flatMapStream(numbers(closed), (item) => [item, item]);
    for await (const _ of left) break;
    assert.deepEqual([closed, await left.next()], [["closed", "closed"], { done: true, value: undefined }]);
  });

  it("gives the items that were ready before the stream failed", async () => {
    const seen: number[] = [];
    const stream = flatMapStream(numbers([], new Error("broken")), (item) => [item]);
    await assert.rejects(async () => {
      for await (const item of stream) seen.push(item);
    }, /^Error: broken$/);
    assert.deepEqual(seen, [1, 2]);
  });
});
