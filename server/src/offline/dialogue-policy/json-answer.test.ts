import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { smallestJson } from "./json-answer.ts";

describe("smallestJson", () => {
  it("fills what is required, and nothing else", () => {
    const schema = {
      type: "object",
      required: ["violated", "score", "label", "reason", "tags", "when", "nested"],
      properties: {
        violated: { type: "boolean" },
        score: { type: "integer", minimum: 1 },
        label: { type: "string", enum: ["good", "bad"] },
        reason: { type: "string" },
        tags: { type: "array", items: { type: "string", minLength: 2 }, minItems: 1 },
        when: { type: "string", format: "date" },
        nested: { $ref: "#/$defs/Nested" },
        extra: { type: "string" },
      },
      $defs: {
        Nested: {
          type: "object",
          properties: { a: { anyOf: [{ type: "null" }, { type: "string" }] } },
          required: ["a"],
        },
      },
    };
    assert.deepEqual(smallestJson(schema), {
      violated: false,
      score: 1,
      label: "good",
      reason: "Frontdesk's built-in model does not judge texts.",
      tags: ["--"],
      when: "1970-01-01",
      nested: { a: null },
    });
  });

  it("prefers constants and defaults", () => {
    assert.deepEqual([smallestJson({ const: 3 }), smallestJson({ type: "string", default: "x" })], [3, "x"]);
  });

  it("understands upper-case types and ends on schemas that contain themselves", () => {
    const endless = { type: "OBJECT", properties: { next: { $ref: "#" } }, required: ["next"] };
    assert.equal(JSON.stringify(smallestJson(endless)).includes("null"), true);
  });
});
