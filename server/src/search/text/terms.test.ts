import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { contentTerms, terms } from "./terms.ts";

describe("the terms of a text", () => {
  it("are lower case, without accents, and English words by their stem", () => {
    assert.deepEqual(terms("Returning Shoes: Café Ünïted 2026"), ["return", "shoe", "cafe", "unit", "2026"]);
  });

  it("are overlapping pairs where a script puts no spaces", () => {
    assert.deepEqual(terms("東京都 返品"), ["東京", "京都", "返品"]);
    assert.deepEqual(terms("반품은"), ["반품", "품은"]);
    assert.deepEqual(terms("猫"), ["猫"]);
  });

  it("are found with marks that belong to their letters", () => {
    assert.deepEqual(terms("हिंदी भाषा"), ["हिंदी", "भाषा"]);
    assert.deepEqual(terms("คืน"), ["คื", "ืน"]);
  });

  it("leave out function words unless there is nothing else", () => {
    assert.deepEqual(contentTerms("How do I return the shoes?"), ["return", "shoe"]);
    assert.deepEqual(contentTerms("who are you"), ["who", "ar", "you"]);
  });
});
