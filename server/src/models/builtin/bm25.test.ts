import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { scoreBags, termBag } from "./bm25.ts";

describe("scoreBags", () => {
  const bag = (text: string) => termBag([[text.split(" "), 1]]);

  it("scores zero where no term is shared", () => {
    assert.deepEqual(scoreBags(["weather"], [bag("order status"), bag("return label")]), [0, 0]);
  });

  it("lets a rare term decide against a common one", () => {
    const [orders, returns] = scoreBags(["order", "return"], [bag("order status order"), bag("order return label")]);
    assert.ok((returns ?? 0) > (orders ?? 0));
  });

  it("prefers the shorter text for the same term", () => {
    const [short, long] = scoreBags(["order"], [bag("order status"), bag("order of many other things that are long")]);
    assert.ok((short ?? 0) > (long ?? 0));
  });

  it("counts a weighted field for more", () => {
    const [name, description] = scoreBags(["order"], [termBag([[["order", "x"], 3]]), termBag([[["order", "x"], 1]])]);
    assert.ok((name ?? 0) > (description ?? 0));
  });
});
