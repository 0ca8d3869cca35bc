import assert from "node:assert/strict";
import { test } from "node:test";
import { toBinary } from "@bufbuild/protobuf";
import { DurationSchema } from "@bufbuild/protobuf/wkt";
import { durationOf, millisecondsOf } from "./durations.ts";

test("averages of latencies can be stored: a duration has whole nanoseconds, whatever the fraction", () => {
  for (let total = 0; total < 100_000; total += 37) {
    const average = total / 7;
    const duration = durationOf(average);
    assert.doesNotThrow(() => toBinary(DurationSchema, duration));
    assert.ok(Math.abs(millisecondsOf(duration) - average) <= 0.0005 + Number.EPSILON * average, String(average));
  }
});

test("a latency below a millisecond is not rounded away", () => {
  assert.equal(millisecondsOf({ seconds: 2n, nanos: 345_678 }), 2000.345678);
  assert.equal(millisecondsOf(undefined), 0);
});
