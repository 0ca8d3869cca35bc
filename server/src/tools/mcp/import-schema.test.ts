import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "#base";
import { toJsonSchema } from "../schema/json-schema.ts";
import { importSchema } from "./import-schema.ts";

/** The imported schema as JSON Schema, or the reason why it cannot be imported. */
function imported(schema: JsonObject): JsonObject | string {
  const result = importSchema(schema);
  return result.kind === "schema" ? toJsonSchema(result.schema) : result.reason;
}

describe("importSchema", () => {
  it("keeps definitions and references to them", () => {
    const schema = {
      type: "object",
      properties: { tree: { $ref: "#/$defs/Tree" } },
      $defs: { Tree: { type: "object", properties: { left: { $ref: "#/$defs/Tree" } } } },
    };
    assert.deepEqual(imported(schema), schema);
  });

  it("adds keywords without a field in the proto to the description", () => {
    assert.deepEqual(
      imported({
        type: "object",
        properties: {
          day: { type: "string", description: "The day.", format: "date" },
          code: { type: "string", pattern: "^[A-Z]+$", maxLength: 3 },
        },
        if: { properties: { day: { const: "x" } } },
      }),
      {
        type: "object",
        description: '(if: {"properties":{"day":{"const":"x"}}})',
        properties: {
          day: { type: "string", description: "The day. (format: date)" },
          code: { type: "string", description: "(pattern: ^[A-Z]+$; maxLength: 3)" },
        },
      },
    );
  });

  it("inlines other local references once, and replaces remote ones without a request", () => {
    assert.deepEqual(
      imported({
        type: "object",
        properties: {
          a: { type: "integer" },
          b: { $ref: "#/properties/a" },
          c: { $ref: "https://example.com/c.json", description: "Far away." },
          d: { $ref: "#/properties/gone" },
        },
      }),
      {
        type: "object",
        properties: {
          a: { type: "integer" },
          b: { type: "integer" },
          c: { type: "object", description: "Far away. (any object)", properties: {}, additionalProperties: {} },
          d: { type: "object", description: "(any object)", properties: {}, additionalProperties: {} },
        },
      },
    );
  });

  it("ends a recursive reference", () => {
    const a = { type: "object", properties: { a: { $ref: "#/properties/a" } } };
    const open = { type: "object", description: "(any object)", properties: {}, additionalProperties: {} };
    const inner = { type: "object", properties: { a: open } };
    assert.deepEqual(imported({ type: "object", properties: { a } }), {
      type: "object",
      properties: { a: { type: "object", properties: { a: inner } } },
    });
  });

  it("rejects schemas beyond the limits of depth, number and size", () => {
    const deep = (levels: number): JsonObject => (levels === 0 ? {} : { items: deep(levels - 1) });
    assert.equal(imported(deep(40)), "its schema is nested deeper than 32");
    const many = Object.fromEntries(Array.from({ length: 2_100 }, (_, at) => [`p${at}`, {}]));
    assert.equal(imported({ properties: many }), "its schema is made of more than 2000 schemas");
    assert.match(
      String(imported({ description: "x".repeat(300_000) })),
      /^its schema has 300\d{3} bytes; at most 262144 are read$/,
    );
  });
});
