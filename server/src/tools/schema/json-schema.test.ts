import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create, fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import { ValueSchema } from "@bufbuild/protobuf/wkt";
import { type Schema, SchemaSchema, Schema_Type as Type } from "@frontdesk/protos/ces/schema";
import type { JsonObject } from "#base";
import { fromJsonSchema, toJsonSchema } from "./json-schema.ts";

/** What the wire shows of a JSON Schema converted to schema.proto. */
const shown = (json: JsonObject): JsonValue => toJson(SchemaSchema, fromJsonSchema(json));

/** Numbers that look random and are the same in every run. */
function sequence(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const NAMES = ["a", "b", "order_id", "größe", "with space"];

/** A schema that uses every word of the dialect where it means something. */
function randomSchema(next: (below: number) => number, depth: number): Schema {
  const schema = create(SchemaSchema);
  const often = () => next(3) > 0;
  if (!often()) schema.description = `description ${next(9)}`;
  if (!often()) schema.title = `title ${next(9)}`;
  const kind = next(depth > 0 ? 8 : 5);
  if (kind === 6) {
    schema.anyOf = [randomSchema(next, depth - 1), randomSchema(next, depth - 1)];
    schema.nullable = next(2) === 0;
    return schema;
  }
  if (kind === 7) {
    schema.ref = "#/defs/Pet";
    schema.nullable = next(2) === 0;
    return schema;
  }
  schema.type = [Type.STRING, Type.INTEGER, Type.NUMBER, Type.BOOLEAN, Type.ARRAY, Type.OBJECT][kind] ?? Type.STRING;
  schema.nullable = next(2) === 0;
  if (!often()) schema.default = fromJson(ValueSchema, [null, "x", 3.5, true, [1], { a: [] }][next(6)] ?? null);
  if (schema.type === Type.STRING && !often()) schema.enum = ["small", "large", ""];
  if (schema.type === Type.BOOLEAN && !often()) schema.enum = ["true"];
  if (schema.type === Type.INTEGER || schema.type === Type.NUMBER) addNumbers(schema, next);
  if (schema.type === Type.ARRAY) addItems(schema, next, depth);
  if (schema.type === Type.OBJECT) addProperties(schema, next, depth);
  return schema;
}

function addNumbers(schema: Schema, next: (below: number) => number): void {
  if (next(3) === 0) schema.enum = ["1", "20", "-3"];
  if (next(3) === 0) schema.minimum = next(10) - 5;
  if (next(3) === 0) schema.maximum = next(10) / 4;
}

function addItems(schema: Schema, next: (below: number) => number, depth: number): void {
  schema.uniqueItems = next(2) === 0;
  schema.minItems = BigInt(next(3));
  schema.maxItems = BigInt(next(3));
  if (depth > 0 && next(2) === 0) schema.items = randomSchema(next, depth - 1);
  if (depth > 0 && next(3) === 0) schema.prefixItems = [randomSchema(next, 0), randomSchema(next, depth - 1)];
}

function addProperties(schema: Schema, next: (below: number) => number, depth: number): void {
  const names = NAMES.filter(() => next(2) === 0);
  schema.properties = Object.fromEntries(names.map((name) => [name, randomSchema(next, depth - 1)]));
  schema.required = names.filter(() => next(2) === 0);
  if (next(3) === 0) schema.additionalProperties = randomSchema(next, depth - 1);
  if (next(3) === 0) schema.defs = { Pet: randomSchema(next, 0) };
}

describe("schema.proto", () => {
  it("is unchanged after the conversion to JSON Schema and back", () => {
    const kinds = new Set<string>();
    for (let seed = 0; seed < 500; seed++) {
      const schema = randomSchema(sequence(seed), 4);
      const json = JSON.parse(JSON.stringify(toJsonSchema(schema)));
      assert.deepEqual(toJson(SchemaSchema, fromJsonSchema(json)), toJson(SchemaSchema, schema), `seed ${seed}`);
      for (const word of Object.keys(json)) kinds.add(word);
    }
    assert.deepEqual(
      [...kinds].sort(),
      "$defs $ref additionalProperties anyOf default description enum items maxItems maximum minItems minimum prefixItems properties required title type uniqueItems".split(
        " ",
      ),
    );
  });

  it("has types in lower case, null as a type and enum values in the type of the schema", () => {
    const schema = create(SchemaSchema, {
      type: Type.OBJECT,
      required: ["size"],
      properties: {
        size: { type: Type.INTEGER, enum: ["101", "201"], nullable: true },
        pet: { ref: "#/defs/Pet", nullable: true },
      },
      defs: { Pet: { type: Type.STRING } },
    });
    assert.deepEqual(toJsonSchema(schema), {
      type: "object",
      required: ["size"],
      properties: {
        size: { type: ["integer", "null"], enum: [101, 201, null] },
        pet: { anyOf: [{ $ref: "#/$defs/Pet" }, { type: "null" }] },
      },
      $defs: { Pet: { type: "string" } },
    });
  });
});

describe("a JSON Schema converted to schema.proto", () => {
  it("has nullable for optional values, in whichever form they were", () => {
    const optional = { type: "STRING", nullable: true };
    assert.deepEqual(shown({ type: ["string", "null"] }), optional);
    assert.deepEqual(shown({ type: "string", nullable: true }), optional);
    assert.deepEqual(shown({ anyOf: [{ type: "string" }, { type: "null" }] }), optional);
    assert.deepEqual(shown({ oneOf: [{ type: "null" }, { type: "string" }], description: "A name." }), {
      ...optional,
      description: "A name.",
    });
    assert.deepEqual(shown({ enum: ["a", null] }), { enum: ["a"], nullable: true });
  });

  it("has one form for unions, merged schemas and constants", () => {
    assert.deepEqual(shown({ type: ["string", "integer"] }), { anyOf: [{ type: "STRING" }, { type: "INTEGER" }] });
    assert.deepEqual(shown({ oneOf: [{ type: "string" }, { type: "number" }] }), {
      anyOf: [{ type: "STRING" }, { type: "NUMBER" }],
    });
    assert.deepEqual(
      shown({
        allOf: [{ type: "object", properties: { a: { type: "string" } }, required: ["a"] }, { required: ["b"] }],
        properties: { b: { const: 5 } },
      }),
      {
        type: "OBJECT",
        properties: { a: { type: "STRING" }, b: { type: "INTEGER", enum: ["5"] } },
        required: ["a", "b"],
      },
    );
    assert.deepEqual(shown({ $ref: "#/definitions/A", definitions: { A: { type: "boolean" } } }), {
      ref: "#/defs/A",
      defs: { A: { type: "BOOLEAN" } },
    });
  });

  it("drops keywords without a field and values that are not schemas", () => {
    const foreign = { type: "string", format: "date", pattern: "^a", minLength: 3, enum: "x", required: true };
    assert.deepEqual(shown(foreign), { type: "STRING" });
    assert.deepEqual(shown({ type: "object", properties: { a: 5, b: true }, additionalProperties: false }), {
      type: "OBJECT",
      properties: { a: {}, b: {} },
    });
    assert.deepEqual(shown({ type: "array", items: [{ type: "string" }], minItems: -1, maxItems: 1e300 }), {
      type: "ARRAY",
      prefixItems: [{ type: "STRING" }],
    });
  });

  it("is converted to a depth limit, so that no schema can overflow the stack", () => {
    let json: JsonObject = { type: "string" };
    for (let depth = 0; depth < 5_000; depth++) json = { type: "array", items: json };
    let depth = 0;
    for (let schema: Schema | undefined = fromJsonSchema(json); schema?.items; schema = schema.items) depth += 1;
    assert.equal(depth, 50);
  });
});
