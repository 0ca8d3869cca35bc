import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { sentencesOf } from "./sentences.ts";
import { TextInProgress } from "./text-in-progress.ts";

/** Writes a text in pieces of so many characters: the sentences of each piece, and those of the end. */
function written(text: string, size: number, leastLength = 0): readonly (readonly string[])[] {
  const progress = new TextInProgress(leastLength);
  const pieces = text.match(new RegExp(`.{1,${size}}`, "gsu")) ?? [];
  return [...pieces.map((piece) => progress.write(piece).sentences), progress.end().sentences];
}

describe("a text while it is written", () => {
  it("has each sentence once it is finished", () => {
    assert.deepEqual(written("Hello. How are you? Fine", 8), [["Hello."], [], ["How are you?"], ["Fine"]]);
  });

  it("has the sentences of the whole, however it comes", () => {
    for (const text of [
      "It weighs approx. 5 kg, i.e. too much. It costs 4.20 dollars! Really?",
      "How many? 3. Then 12. No more",
      "Two ways.\n1. Pay by card.\n 2) Pay cash\nThat is all",
      "# Hours\n- **Monday. And Tuesday**: nine to five\n- See [our page. Now](https://example.com/x). Bye.",
      "**Important. Very. Bring `a. b` and _it. Too_.** Thanks. Bye.",
      "**注意**です。二番目の文です。終わり",
      `${"word ".repeat(300)}. Next one. ${"x".repeat(900)}`,
      " \n … — ",
    ])
      for (const size of [1, 3, 7, 40])
        assert.deepEqual(written(text, size).flat(), sentencesOf(text), `${size}: ${text}`);
  });

  it("waits for the end of a mark", () => {
    assert.deepEqual(written("**One. Two.** Three. Four", 12), [[], ["One.", "Two.", "Three."], [], ["Four"]]);
  });

  it("does not wait for brackets that are closed", () => {
    assert.deepEqual(written("Seat [7] is free. It is [yours. Really", 24), [
      ["Seat [7] is free."],
      [],
      ["It is [yours.", "Really"],
    ]);
  });

  it("waits until there is enough to tell its language", () => {
    assert.deepEqual(written("Gerne! Ich helfe Ihnen. Ja", 12, 20), [[], [], ["Gerne!", "Ich helfe Ihnen."], ["Ja"]]);
  });
});
