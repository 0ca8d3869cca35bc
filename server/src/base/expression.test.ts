import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ExpressionError, parseExpression } from "./expression.ts";

const STATE = { n: 3, f: 3.5, s: "abc", yes: true, o: { x: { y: 1 } }, items: [1, "a"], nothing: null };
const value = (text: string, values = {}) => parseExpression(text).evaluate({ ...STATE, ...values });
const problem = (text: string, values = {}) => {
  try {
    return value(text, values);
  } catch (error) {
    assert.ok(error instanceof ExpressionError);
    return error.message;
  }
};

describe("an expression", () => {
  it("compares variables and their members with literals of any number type", () => {
    const all = ["n > 2", "n == 3.0", "n + 1 == 4", "n * 1.5 > 4.0", "f - 1 == 2.5", "n % 2 == 1", "o.x.y == 1"];
    assert.deepEqual(
      all.map((text) => value(text)),
      all.map(() => true),
    );
  });

  it("combines conditions, searches lists and tests for absent fields", () => {
    const all = ["s == 'abc' && yes", "!yes || n >= 3", "'a' in items", "1 in items", "nothing == null", "!has(o.z)"];
    assert.deepEqual(
      all.map((text) => value(text)),
      all.map(() => true),
    );
  });

  it("matches regular expressions in linear time, and replaces only the function matches", () => {
    assert.equal(value("s.matches('(a+)+$')", { s: `${"a".repeat(20_000)}b` }), false);
    assert.equal(value("s . matches('^a.c$')"), true);
    assert.equal(value("s == '.matches('", { s: ".matches(" }), true);
  });

  it("fails on unknown names and keys and on wrong types", () => {
    assert.equal(problem("missing == 1"), "Unknown variable: missing");
    assert.equal(problem("o.z == 1"), "No such key: z");
    assert.equal(problem("s.constructor == 1"), "No such key: constructor");
    assert.equal(problem("n"), "the expression is not a condition: its value is bigint, not true or false");
    assert.match(String(problem("n && yes")), /operator|overload|bool/i);
    assert.match(String(problem("s.matches('(')")), /parenthesis|missing/i);
  });

  it("fails to parse when it is invalid", () => {
    for (const text of ["", "((", "s = 'abc'", "s == 'abc' AND yes"])
      assert.throws(() => parseExpression(text), ExpressionError, text);
  });
});
