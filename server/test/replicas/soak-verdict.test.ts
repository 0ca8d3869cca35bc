import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { SoakSample, TableSample } from "../../bench/soak-samples.ts";
import { verdictsOf } from "../../bench/soak-verdict.ts";

const MB = 2 ** 20;

/** An hour, a sample every two minutes. */
function hour(at: (minute: number) => Partial<SoakSample>, minutes = 60): readonly SoakSample[] {
  return Array.from({ length: 30 }, (_, index) => {
    const minute = ((index + 1) * minutes) / 30;
    return { minute, serverMb: 300, guestsMb: 100, tables: {}, ...at(minute) };
  });
}

const table = (more: Partial<TableSample>): TableSample => ({
  bytes: MB,
  liveRows: 1_000,
  deadRows: 0,
  autovacuums: 1,
  ...more,
});

/** What does not hold. */
function failures(samples: readonly SoakSample[]): readonly string[] {
  return verdictsOf(samples, 1_000).flatMap(({ what, holds }) => (holds ? [] : [what]));
}

describe("the verdict on an hour of load", () => {
  it("lets memory grow in the first tenth only", () => {
    assert.deepEqual(failures(hour((minute) => ({ serverMb: minute < 6 ? 200 + 20 * minute : 320 }))), []);
    assert.deepEqual(failures(hour((minute) => ({ serverMb: 300 + minute }))), [
      "memory of the server after the first tenth",
    ]);
    assert.deepEqual(failures(hour((minute) => ({ guestsMb: 100 + minute }))), [
      "memory of its guests after the first tenth",
    ]);
  });

  it("says nothing of memory in a run of minutes", () => {
    assert.deepEqual(failures(hour((minute) => ({ serverMb: 300 + 50 * minute }), 2)), []);
  });

  it("lets only those tables grow that keep what the load stores, or keep rows for a while", () => {
    const growing = (name: string, end = 60) =>
      hour((minute) => ({ tables: { [name]: table({ bytes: (1 + Math.min(minute, end)) * MB }) } }));
    assert.deepEqual(failures(growing("turns")), []);
    assert.deepEqual(failures(growing("leases", 12)), []);
    assert.deepEqual(failures(growing("leases")), ["tables that grew, besides conversations and turns"]);
    assert.deepEqual(failures(growing("operations")), ["tables that grew, besides conversations and turns"]);
  });

  it("asks that a vacuum keeps up with rows that turns leave dead", () => {
    const dead = (deadRows: number) => hour(() => ({ tables: { leases: table({ liveRows: 10_000, deadRows }) } }));
    assert.deepEqual(failures(dead(4_000)), []);
    assert.deepEqual(failures(dead(20_000)), ["rows that autovacuum has still to remove"]);
  });
});
