import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findEntities } from "./entities.ts";

describe("findValues", () => {
  const cases: readonly (readonly [text: string, expected: readonly string[]])[] = [
    ["Where is A-1001?", ["identifier A-1001"]],
    ["order a1001 or #77 or A 1001", ["identifier a1001", "identifier 77", "identifier A 1001"]],
    ["write to ada@example.com", ["email ada@example.com"]],
    ["call +1 (555) 010-9999", ["phone +1 (555) 010-9999"]],
    ["on 2026-03-05, or tomorrow, or March 5th, 2026", ["date 2026-03-05", "date tomorrow", "date March 5th, 2026"]],
    ["two mugs for 1,250.50", ["number 2", "number 1250.50"]],
    ['the note says "leave it at the door"', ["quoted leave it at the door"]],
    ["the 2nd one at 5pm", []],
    ["it's my neighbour's", []],
  ];
  for (const [text, expected] of cases) {
    it(`finds ${expected.join(", ") || "nothing"} in: ${text}`, () => {
      assert.deepEqual(
        findEntities(text).map(({ kind, value }) => `${kind} ${value}`),
        expected,
      );
    });
  }
});

it("reads long runs of marks in the time of their length (WIRE-79)", { timeout: 60_000 }, () => {
  for (const run of ["-", "a-", "_", "a/"]) assert.deepEqual(findEntities(run.repeat(300_000)), [], run);
});
