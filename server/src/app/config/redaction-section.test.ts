import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { customDetectors, RedactionSectionSchema } from "./redaction-section.ts";

describe("the section redaction of the config file", () => {
  it("adds the operator's kinds of data", () => {
    const section = {
      patterns: [{ name: "ORDER_NUMBER", pattern: "A-\\d{4}" }],
      dictionaries: [{ name: "PRODUCT", words: ["blue lamp"] }],
    };
    assert.deepEqual(customDetectors(RedactionSectionSchema.parse(section)), section);
    assert.deepEqual(customDetectors(), {});
  });

  it("rejects invalid entries by their path", () => {
    const section = {
      patterns: [
        { name: "order", pattern: "A" },
        { name: "OPEN", pattern: "(" },
      ],
      dictionaries: [{ name: "PRODUCT", words: [""] }],
    };
    const faults = RedactionSectionSchema.safeParse(section).error?.issues.map(({ path }) => path.join("."));
    assert.deepEqual(faults?.toSorted(), ["dictionaries.0.words.0", "patterns.0.name", "patterns.1.pattern"]);
  });
});
