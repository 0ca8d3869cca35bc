import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { parseDocument } from "yaml";
import { yamlValue } from "./yaml-value.ts";

/** The value of a text, or its problem with the text from its place on. */
function read(text: string): unknown {
  const found = yamlValue(parseDocument(text));
  return "problem" in found ? [found.problem, text.slice(found.offset)] : found.value;
}

describe("the value of a YAML document", () => {
  it("has aliases resolved, also to an anchor that is set again", () => {
    assert.deepEqual(read("a: &x [1]\nb: *x\nc: &x 2\nd: *x"), { a: [1], b: [1], c: 2, d: 2 });
  });

  it("is missing where an alias has no anchor before it", () => {
    const problem = "The alias *hello* has no anchor before it. Quote the text if it is no alias.";
    assert.deepEqual(read("user: *hello*"), [problem, "*hello*"]);
    assert.deepEqual(read("a: *later\nb: &later 1")?.[1 as never], "*later\nb: &later 1");
  });

  it("is missing where an alias refers to a part that it is in", () => {
    const problem = "The alias *self refers to a part that it is in. Quote the text if it is no alias.";
    assert.deepEqual(read("a: &self {b: [*self]}"), [problem, "*self]}"]);
  });

  it("is missing where the aliases stand for too much", () => {
    const lines = [
      "a: &a [x, x]",
      ..."bcdefgh"
        .split("")
        .map((key, at) => `${key}: &${key} [${"*? ".replace("?", "abcdefg"[at] ?? "")}, *${"abcdefg"[at]}]`),
    ];
    const [problem] = read(lines.join("\n")) as [string];
    assert.equal(problem, "The aliases stand for too much: at most 100 copies are read.");
  });
});
