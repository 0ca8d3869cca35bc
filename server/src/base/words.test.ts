import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { wordsOf } from "./words.ts";

describe("words", () => {
  it("are those of a text without case and punctuation", () => {
    assert.deepEqual(wordsOf("Straße 5, „Ja!“"), ["straße", "5", "ja"]);
    assert.deepEqual(wordsOf("¿…?"), []);
  });

  it("keep the signs that tell them apart in Hindi, Thai and Arabic", () => {
    for (const [one, other] of [
      ["मीठी चाय", "मीठा चाय"],
      ["ข้าว", "ข่าว"],
      ["மணி", "மண"],
    ] as const)
      assert.notDeepEqual(wordsOf(one), wordsOf(other));
    assert.deepEqual(wordsOf("कल की बैठक।"), ["कल", "की", "बैठक"]);
  });

  it("are the same however their letters are composed", () => {
    assert.deepEqual(wordsOf("Cafe\u0301"), wordsOf("café"));
  });

  it("are found where a language writes no spaces", () => {
    assert.deepEqual(wordsOf("店は九時に開きます。"), wordsOf("店 は 九時 に 開き ます"));
    assert.ok(wordsOf("ร้านเปิดเก้าโมง").length > 1);
    assert.ok(wordsOf("我们九点开门").length > 1);
  });
});
