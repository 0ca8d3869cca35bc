import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { buildPhraseAutomaton } from "./phrase-automaton.ts";

describe("a phrase automaton", () => {
  const table: readonly (readonly [phrases: readonly string[], text: string, expected: number | undefined])[] = [
    [["he", "she", "his", "hers"], "ushers", 0],
    [["hers", "she"], "ushers", 0],
    [["sherry", "she"], "usher", 1],
    [["a", "a"], "ba", 0],
    [["abcd", "bc"], "abce", 1],
    [["b"], "", undefined],
    [[], "text", undefined],
    [["\u{1f600}!"], "x\u{1f600}!", 0],
  ];
  for (const [phrases, text, expected] of table) {
    it(`finds ${expected === undefined ? "nothing" : phrases[expected]} of ${phrases.join(", ") || "nothing"} in '${text}'`, () => {
      assert.equal(buildPhraseAutomaton(phrases).first(text), expected);
    });
  }

  it("finds what a search for each phrase finds, in every combination of short phrases", () => {
    const alphabet = ["a", "b"];
    const texts = [1, 2, 3, 4, 5, 6].reduce<string[]>(
      (all) => [...all, ...all.flatMap((text) => alphabet.map((letter) => text + letter))].slice(-400),
      [""],
    );
    const phrases = texts.filter((text) => text.length === 2 || text.length === 3);
    for (let at = 0; at < phrases.length; at++) {
      const some = phrases.slice(at, at + 4).concat("abab");
      const automaton = buildPhraseAutomaton(some);
      for (const text of texts) {
        const first = some.findIndex((phrase) => text.includes(phrase));
        assert.equal(automaton.first(text) ?? -1, first, `${some.join()} in ${text}`);
      }
    }
  });

  it("takes another occurrence, or a shorter phrase that ends at the same place, when one is not accepted", () => {
    const automaton = buildPhraseAutomaton(["cat", "at"]);
    assert.equal(automaton.overlaps, 2);
    assert.equal(
      automaton.first("cat", (start) => start > 0),
      1,
    );
    assert.equal(
      automaton.first("cat cat", (start) => start > 1 && start !== 5),
      0,
    );
  });
});
