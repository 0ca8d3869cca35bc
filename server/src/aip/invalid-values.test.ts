import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { create } from "@bufbuild/protobuf";
import { SessionInputSchema } from "@frontdesk/protos/ces/session_service";
import { invalidValues, withoutInvalidValues } from "./invalid-values.ts";

/** An input whose variables have a list of these numbers. */
const inputWith = (list: readonly (number | null)[]) =>
  create(SessionInputSchema, { inputType: { case: "variables", value: { list: [...list] } } });

describe("invalidValues", () => {
  it("names the numbers that JSON does not have", () => {
    const found = invalidValues(SessionInputSchema, inputWith([1, Number.NaN, 2, Number.POSITIVE_INFINITY]));
    assert.deepEqual(
      found.map(({ field }) => field),
      ['variables["list"][1]', 'variables["list"][3]'],
    );
  });

  it("lists 1,000 of them at most (WIRE-26)", () => {
    assert.equal(invalidValues(SessionInputSchema, inputWith(Array(1_500).fill(Number.NaN))).length, 1_000);
  });
});

describe("withoutInvalidValues", () => {
  it("has null in their place, and leaves the message as it was", () => {
    const input = inputWith([1, Number.NaN]);
    assert.deepEqual(withoutInvalidValues(SessionInputSchema, input), inputWith([1, null]));
    assert.deepEqual(input, inputWith([1, Number.NaN]));
  });
});
