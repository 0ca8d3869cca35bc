import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { TextList } from "./contract.ts";
import { lastItems, readPage } from "./list-pages.ts";

const listOf = (length: number, size = 1): TextList => ({ length, text: (index) => String(index).padEnd(size) });
const page = (list: TextList, index: unknown, backwards = false) =>
  readPage([list], { op: "read", list: 0, index: index as number, backwards });
const boundsOf = (answer: ReturnType<typeof page>) => {
  const { first, items } = (answer.result ?? {}) as { first: number; items: string[] };
  return [first, items.length, items.at(0)?.trim(), items.at(-1)?.trim()];
};

describe("a page of a list", () => {
  it("begins with the asked item, or ends with it", () => {
    assert.deepEqual(boundsOf(page(listOf(1_000), 5)), [5, 64, "5", "68"]);
    assert.deepEqual(boundsOf(page(listOf(1_000), 999, true)), [936, 64, "936", "999"]);
    assert.deepEqual(boundsOf(page(listOf(3), 1, true)), [0, 2, "0", "1"]);
  });

  it("has few large items, and one that is larger than a page", () => {
    assert.deepEqual(boundsOf(page(listOf(10, 100 << 10), 4)), [4, 2, "4", "5"]);
    assert.deepEqual(boundsOf(page(listOf(10, 1 << 20), 4, true)), [4, 1, "4", "4"]);
    assert.match(
      String(page(listOf(10, 9 << 20), 4).refused),
      /^item 4 has 9437184 characters as JSON; the limit is 8388608$/,
    );
  });

  it("exists for items that exist, whatever was asked", () => {
    for (const index of [-1, 10, 0.5, "1", null, Number.NaN])
      assert.deepEqual(page(listOf(10), index), { refused: "there is no such item" });
    assert.ok("refused" in readPage([], { op: "read", list: 0, index: 0 }));
    assert.ok("refused" in readPage([listOf(1)], { op: "read", list: "0", index: 0 }));
  });
});

describe("the items that go with a call", () => {
  it("are the last ones, fewer where they are large", () => {
    assert.equal(lastItems(listOf(1_000)).first, 968);
    assert.equal(lastItems(listOf(3)).first, 0);
    assert.equal(lastItems(listOf(10, 30 << 10)).first, 8);
    assert.equal(lastItems(listOf(10, 100 << 10)).first, 10);
  });
});
