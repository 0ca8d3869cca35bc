import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ModelLexicon, ModelMeaning } from "./lexicon.ts";
import { readQuestion } from "./read-question.ts";

const phrase = (stem: string, meaning: ModelMeaning) => [stem, [{ stems: [stem], meanings: [meaning] }]] as const;
const LEXICON: ModelLexicon = new Map([
  phrase("revenue", { kind: "metric", name: "revenue" }),
  phrase("region", { kind: "dimension", dimension: "stores.region" }),
  phrase("north", { kind: "value", dimension: "stores.region", value: "North" }),
]);

describe("a question to a semantic model", () => {
  for (const [question, unknown] of [
    ["revenue of region != North", ["!="]],
    ["revenue of region<>North", ["<>"]],
    ["revenue > 100 by region", [">", "100"]],
    ["revenue>=2025 by region", [">="]],
    ["revenue on 30 February 2026", ["30"]],
  ] as const)
    it(`does not leave out ${unknown.join(" and ")} of “${question}”`, () => {
      assert.deepEqual(readQuestion(question, LEXICON, new Date("2026-07-01")).unknown, unknown);
    });
});
