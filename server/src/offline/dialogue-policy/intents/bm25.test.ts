import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { scoreBags, type TermBag, termBag } from "./bm25.ts";

describe("the relevance of texts for a query", () => {
  const scoresOf = (query: readonly string[], bags: readonly TermBag[]) =>
    scoreBags(query, bags).map(({ score }) => score);
  const bag = (text: string) => termBag([[text.split(" "), 1]]);

  it("scores zero where no term is shared", () => {
    assert.deepEqual(scoresOf(["weather"], [bag("order status"), bag("return label")]), [0, 0]);
  });

  it("lets a rare term decide against a common one", () => {
    const [orders, returns] = scoresOf(["order", "return"], [bag("order status order"), bag("order return label")]);
    assert.ok((returns ?? 0) > (orders ?? 0));
  });

  it("prefers the shorter text for the same term", () => {
    const [short, long] = scoresOf(["order"], [bag("order status"), bag("order of many other things that are long")]);
    assert.ok((short ?? 0) > (long ?? 0));
  });

  it("weighs a field by its weight", () => {
    const [name, description] = scoresOf(["order"], [termBag([[["order", "x"], 3]]), termBag([[["order", "x"], 1]])]);
    assert.ok((name ?? 0) > (description ?? 0));
  });

  it("measures the coverage of the query, ignoring terms of no text", () => {
    const [first, second, third] = scoreBags(
      ["order", "return", "xyz"],
      [bag("order status"), bag("order return"), bag("hours")],
    );
    assert.deepEqual(
      [first?.matched, second?.matched, second?.coverage, third],
      [1, 2, 1, { score: 0, coverage: 0, matched: 0 }],
    );
    assert.ok(first !== undefined && first.coverage > 0 && first.coverage < 0.5);
  });
});
