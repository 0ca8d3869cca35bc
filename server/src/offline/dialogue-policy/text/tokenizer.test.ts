import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { stem, terms, words } from "./tokenizer.ts";

describe("stem", () => {
  const families = [
    ["return", "returns", "returned", "returning", "returnable"],
    ["delivery", "deliveries", "deliver", "delivered"],
    ["ship", "shipped", "shipping", "shipment"],
    ["policy", "policies"],
    ["address", "addresses"],
    ["arrive", "arrived", "arrives", "arrival"],
    ["box", "boxes"],
    ["cancel", "cancelled", "cancellation"],
  ];
  for (const family of families) {
    it(`gives ${family.join(", ")} one stem`, () => {
      assert.equal(new Set(family.map(stem)).size, 1, family.map(stem).join(" "));
    });
  }

  it("gives different words different stems", () => {
    assert.equal(new Set(["status", "state", "order", "return", "refund", "track", "comment"].map(stem)).size, 7);
  });
});

describe("words", () => {
  it("expands contractions, removes diacritics, splits code names and leaves identifiers whole", () => {
    assert.deepEqual(words("Where's my café order? I don't know orderId A-1001, look_up_order"), [
      ..."where is my cafe order i do not know order id a-1001 look up order".split(" "),
    ]);
  });
});

describe("terms", () => {
  it("contain stems of content words only: no entities, no stop words, no vocabulary of tool descriptions", () => {
    assert.deepEqual(terms("Use this tool when the user wants to return the order A-1001"), ["return", "order"]);
  });

  it("finds nothing in a text without a subject", () => {
    assert.deepEqual(terms("What can you do?"), []);
  });
});
