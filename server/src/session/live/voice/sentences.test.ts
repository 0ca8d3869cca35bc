import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sentencesOf } from "./sentences.ts";

describe("the text of one synthesis request", () => {
  it("is a sentence", () => {
    assert.deepEqual(sentencesOf("Hello there. How are you?\nFine!"), ["Hello there.", "How are you?", "Fine!"]);
    assert.deepEqual(sentencesOf("It costs 4.20 dollars."), ["It costs 4.20 dollars."]);
  });

  it("has the number of a list before what it numbers", () => {
    assert.deepEqual(sentencesOf("Two ways.\n1. Pay by card.\n 2) Pay cash\n"), [
      "Two ways.",
      "1: Pay by card.",
      "2: Pay cash.",
    ]);
    assert.deepEqual(sentencesOf("How many? 3."), ["How many?", "3."]);
  });

  it("is absent when there is nothing to speak", () => {
    assert.deepEqual(sentencesOf(" \n … — "), []);
  });

  it("contains no Markdown markup", () => {
    const list = "# Hours\n- **Monday**: nine to five\n- See [our page](https://example.com/x).";
    assert.deepEqual(sentencesOf(list).join(" "), "Hours. Monday: nine to five. See our page.");
  });

  it("keeps what only looks like markup", () => {
    for (const text of [
      "Write to first_last_name@example.com now.",
      "5*3*2 is 30.",
      "2 * 3 * 4 is 24.",
      "Your code is AB_12_CD.",
      "[a] (b)",
    ])
      assert.equal(sentencesOf(text).join(" "), text);
    assert.equal(sentencesOf("**AB_12_CD** and `x_y_z` and _it_").join(" "), "AB_12_CD and x_y_z and it");
    assert.equal(sentencesOf("**注意**です。").join(" "), "注意です。");
  });

  it("is split at a comma or a space when it is too long", () => {
    const long = `${"word ".repeat(70)}, ${"more ".repeat(70)}end.`;
    const pieces = sentencesOf(long);
    assert.ok(pieces.length > 1 && pieces.every((piece) => piece.length <= 400));
    assert.equal(pieces.join(" ").replaceAll(/\s+/g, " "), long.replaceAll(/\s+/g, " ").trim());
    assert.deepEqual(
      sentencesOf("x".repeat(900)).map(({ length }) => length),
      [400, 400, 100],
    );
  });
});
