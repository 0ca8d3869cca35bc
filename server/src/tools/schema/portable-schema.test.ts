import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { isJsonObject, type JsonObject, type JsonValue } from "#base";
import { portableSchema } from "./portable-schema.ts";

/** What keeps some model provider from taking a declaration (TOOL-7), in words; empty = all of them take it. */
function objections(schema: JsonObject): string[] {
  const found = ["anyOf", "oneOf", "allOf", "not", "$defs", "$schema"].filter((key) => key in schema);
  if (schema.type !== "object") found.push("no object at the root");
  const walk = (value: JsonValue, depth: number): void => {
    if (depth > 10) found.push("too deep");
    if (!isJsonObject(value) || depth > 10) return;
    if ("$ref" in value) found.push("$ref");
    for (const inner of Object.values(isJsonObject(value.properties) ? value.properties : {})) walk(inner, depth + 1);
    for (const inner of [value.items, value.additionalProperties].filter((each) => each !== undefined))
      walk(inner, depth + 1);
    for (const inner of Array.isArray(value.anyOf) ? value.anyOf : []) walk(inner, depth + 1);
  };
  walk(schema, 1);
  return found;
}

describe("portableSchema", () => {
  it("inlines definitions, and keeps keywords beside a reference", () => {
    const schema = portableSchema({
      type: "object",
      properties: { home: { $ref: "#/$defs/Place", description: "Where to." }, work: { $ref: "#/$defs/Place" } },
      required: ["home"],
      $defs: { Place: { type: "object", properties: { city: { type: "string" } }, description: "A place." } },
    });
    const city = { city: { type: "string" } };
    assert.deepEqual(schema, {
      type: "object",
      properties: {
        home: { type: "object", properties: city, description: "Where to." },
        work: { type: "object", properties: city, description: "A place." },
      },
      required: ["home"],
    });
  });

  it("ends a recursive definition in an object of any shape", () => {
    const schema = portableSchema({
      $ref: "#/$defs/Node",
      $defs: { Node: { type: "object", properties: { next: { $ref: "#/$defs/Node" }, value: { type: "integer" } } } },
    });
    assert.deepEqual(schema, {
      type: "object",
      properties: {
        next: {
          type: "object",
          properties: { next: { type: "object", description: "Node, as above" }, value: { type: "integer" } },
        },
        value: { type: "integer" },
      },
    });
  });

  it("makes a union at the root one object, which requires what every member requires", () => {
    const schema = portableSchema({
      anyOf: [
        { type: "object", properties: { id: { type: "string" }, a: { type: "string" } }, required: ["id", "a"] },
        { type: "object", properties: { id: { type: "string" }, b: { type: "string" } }, required: ["id", "b"] },
      ],
    });
    assert.deepEqual(schema, {
      type: "object",
      properties: { id: { type: "string" }, a: { type: "string" }, b: { type: "string" } },
      required: ["id"],
    });
  });

  it("is accepted by every provider, whatever a server sends", () => {
    const levels = (count: number): JsonObject =>
      count === 0 ? { type: "string" } : { type: "object", properties: { x: levels(count - 1) } };
    const doubling = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `D${at}`,
        { type: "object", properties: { a: { $ref: `#/$defs/D${at + 1}` }, b: { $ref: `#/$defs/D${at + 1}` } } },
      ]),
    );
    const cases: readonly JsonObject[] = [
      {},
      { type: "string" },
      levels(40),
      { $ref: "#/$defs/D0", $defs: doubling },
      { type: "object", properties: { x: { $ref: "#/$defs/Gone" }, y: { $ref: "https://example.com/s.json" } } },
      { $ref: "#/$defs/__proto__", $defs: {} },
      {
        type: "object",
        properties: { x: { $ref: "#/$defs/A" } },
        $defs: { A: { $ref: "#/$defs/B" }, B: { $ref: "#/$defs/A" } },
      },
    ];
    for (const schema of cases) {
      const portable = portableSchema(schema);
      assert.deepEqual(objections(portable), [], JSON.stringify(schema).slice(0, 200));
      assert.ok(JSON.stringify(portable).length < 200_000);
    }
  });
});
