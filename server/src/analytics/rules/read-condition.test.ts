import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ANONYMOUS, type Caller } from "#base";
import { readCondition } from "./read-condition.ts";
import { bindCondition } from "./row-template.ts";

const ANN: Caller = {
  ...ANONYMOUS,
  kind: "user",
  principal: "user:ann@example.com",
  claims: { region: "North", stores: [1, 2], team: { id: 7 } },
};

const equals = (column: string, value: string | number) => ({ kind: "compare", column, operator: "=", value });

describe("conditions of rules (CA-49)", () => {
  for (const [text, bound] of [
    ["region = 'O''Hara'", equals("region", "O'Hara")],
    ['"my region" = @claims.region', equals("my region", "North")],
    ["seller = @email", equals("seller", "ann@example.com")],
    ["seller = @principal", equals("seller", "user:ann@example.com")],
    ["team = @claims.team.id", equals("team", 7)],
    ["store IN @claims.stores", { kind: "in", column: "store", negated: false, values: [1, 2] }],
    ["region NOT IN (@claims.region, 'x')", { kind: "in", column: "region", negated: true, values: ["North", "x"] }],
    ["a IS NOT NULL", { kind: "null", column: "a", negated: true }],
    [
      "NOT (a = 1 OR NOT b < 2)",
      {
        kind: "all",
        parts: [
          { ...equals("a", "1"), operator: "<>" },
          { ...equals("b", "2"), operator: "<" },
        ],
      },
    ],
    // What nobody said of the caller compares with no row, negated or not.
    ["NOT region = @claims.none", { kind: "never" }],
    ["region NOT IN (@claims.none)", { kind: "never" }],
    ["region IN (@claims.none)", { kind: "in", column: "region", negated: false, values: [] }],
    ["store = @claims.stores", { kind: "never" }],
    ["region = @claims.constructor", { kind: "never" }],
  ] as const)
    it(text, () => assert.deepEqual(bindCondition(readCondition(text), ANN), bound));

  for (const [text, message] of [
    ["region = ", /its end/],
    ["region = 'a' OR", /its end/],
    ["1 = 1", /'1' is where a column/],
    ["region = other", /'other' is where a 'text'/],
    ["region = 'a'; DROP TABLE x", /'; DROP TABLE x' cannot be read/],
    ["exists (SELECT 1)", /'\(' is where/],
    ["(region = 'a'", /'\)'/],
    ["region = @nobody", /'@nobody'/],
  ] as const)
    it(`refuses ${text}`, () => assert.throws(() => readCondition(text), { name: "ConditionFault", message }));
});
