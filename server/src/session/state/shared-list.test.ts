import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SharedList } from "./shared-list.ts";

describe("a list that is shared with its forks", () => {
  it("has its own items, whatever its forks and their forks add, given up or not", () => {
    const first = new SharedList([1, 2]);
    const givenUp = first.fork();
    givenUp.push(3);
    const second = first.fork();
    second.push(4);
    const third = second.fork();
    third.push(5);
    givenUp.push(6);
    first.push(7);
    assert.deepEqual(
      [first, givenUp, second, third].map((list) => [...list]),
      [
        [1, 2, 7],
        [1, 2, 3, 6],
        [1, 2, 4],
        [1, 2, 4, 5],
      ],
    );
    assert.deepEqual(
      [third.length, third.at(-1), third.at(0), third.at(4), third.at(-5)],
      [4, 5, 1, undefined, undefined],
    );
  });
});
