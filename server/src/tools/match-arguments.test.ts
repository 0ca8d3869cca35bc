import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { JsonObject } from "#base";
import { matchesPattern } from "./match-arguments.ts";

const by = ($matchType: string, $matchValue?: string) => ({ x: { $matchType, ...($matchValue && { $matchValue }) } });

describe("a pattern of arguments", () => {
  it("matches calls with the named arguments, whatever others they have", () => {
    const args: JsonObject = { a: 1, b: { c: [1, { d: "x", e: 2 }], f: null } };
    const fits: JsonObject[] = [{}, { a: 1 }, { b: {} }, { b: { f: null } }, { b: { c: [1, { d: "x" }] } }];
    const misses: JsonObject[] = [{ a: "1" }, { z: null }, { b: { c: [1] } }, { b: { c: [1, { d: "y" }] } }, { a: {} }];
    assert.deepEqual(
      [fits, misses].map((patterns) => patterns.map((pattern) => matchesPattern(args, pattern))),
      [fits.map(() => true), misses.map(() => false)],
    );
  });

  it("may have matchers as values", () => {
    const verdicts = (pattern: JsonObject, ...values: readonly (string | number)[]) =>
      values.map((x) => matchesPattern({ x }, pattern));
    assert.deepEqual(verdicts(by("ignore"), "a", 5), [true, true]);
    assert.deepEqual(verdicts(by("contains", "or"), "order", "item"), [true, false]);
    assert.deepEqual(verdicts(by("regexp", "^A-\\d+$"), "A-12", "A-", "(a+)+$"), [true, false, false]);
    assert.deepEqual(verdicts(by("regexp", "(unclosed"), "(unclosed"), [false]);
    assert.deepEqual(verdicts(by("semantic", "Hello, World!"), "hello world", "goodbye"), [true, false]);
    assert.deepEqual(verdicts(by("semantic", "मीठी चाय"), "मीठी चाय।", "मीठा चाय"), [true, false]);
    assert.deepEqual(verdicts(by("guess", "a"), "a"), [false]);
    assert.deepEqual(
      [by("ignore"), by("contains", "a")].map((pattern) => matchesPattern({}, pattern)),
      [true, false],
    );
  });
});
