import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { Verdict } from "../verdict.ts";
import { compareScores, mulberry32 } from "./bootstrap.ts";
import { compareVersions, powerOf } from "./compare-versions.ts";
import { passAllOf, passRate } from "./pass-rate.ts";

function verdicts(passed: number, failed: number, notMeasured = 0): readonly Verdict[] {
  const of = (verdict: Verdict, count: number) => Array.from({ length: count }, () => verdict);
  return [...of("passed", passed), ...of("failed", failed), ...of("not-measured", notMeasured)];
}

function near(actual: number | undefined, expected: number, tolerance = 5e-4): void {
  assert.ok(actual !== undefined && Math.abs(actual - expected) <= tolerance, `${actual} is not near ${expected}`);
}

describe("a pass rate", () => {
  it("has the Wilson interval of published tables", () => {
    const [low = 0, high = 0] = passRate(verdicts(81, 182)).interval ?? [];
    near(low, 0.2553);
    near(high, 0.3662);
    assert.deepEqual(passRate(verdicts(0, 10)).interval?.[0], 0);
    near(passRate(verdicts(10, 0)).interval?.[0], 0.7225);
  });

  it("leaves out what was not measured, and is unknown when nothing was", () => {
    const { n, rate, notMeasured } = passRate(verdicts(3, 1, 4));
    assert.deepEqual([n, rate, notMeasured], [4, 0.75, 4]);
    assert.equal(passRate(verdicts(0, 0, 2)).rate, undefined);
  });

  it("gives the probability that k attempts all pass", () => {
    near(passAllOf(3, { n: 5, passed: 4 }), 4 / 10);
    assert.equal(passAllOf(3, { n: 5, passed: 2 }), 0);
    assert.equal(passAllOf(3, { n: 3, passed: 3 }), 1);
    assert.equal(passAllOf(3, { n: 2, passed: 2 }), undefined);
  });
});

/** A case that ran once against both versions. */
const pair = (before: Verdict, after: Verdict) => ({ before: [before], after: [after] });

describe("two versions", () => {
  const cases = (broken: number, mended: number, same: number) => [
    ...Array.from({ length: broken }, () => pair("passed", "failed")),
    ...Array.from({ length: mended }, () => pair("failed", "passed")),
    ...Array.from({ length: same }, () => pair("passed", "passed")),
  ];

  it("are compared by the exact McNemar test", () => {
    near(compareVersions(cases(9, 1, 40), 0.05).pDrop, 11 / 1024);
    near(compareVersions(cases(5, 0, 0), 0.05).pDrop, 1 / 32);
    assert.equal(compareVersions(cases(0, 0, 20), 0.05).pDrop, 1);
  });

  it("leave out cases that one of them did not measure", () => {
    const { n, notMeasured } = compareVersions([pair("passed", "not-measured")], 0.05);
    assert.deepEqual([n, notMeasured], [0, 1]);
  });

  it("are compared by the share of its attempts that each case passed, however often it ran (EVAL-22)", () => {
    const rarer = { before: verdicts(5, 0), after: verdicts(3, 2) };
    const { n, worse, better, change, pDrop } = compareVersions(
      Array.from({ length: 6 }, () => rarer),
      0.05,
    );
    assert.deepEqual([n, worse, better], [6, 6, 0], "most attempts pass, and yet each case got worse");
    near(change, -0.4);
    near(pDrop, 1 / 64);
    near(compareVersions([{ before: verdicts(50, 0), after: verdicts(0, 50) }], 0.05).pDrop, 1 / 2);
  });

  it("leave out the further attempts of one of them", () => {
    const [more, fewer] = [verdicts(1, 0), verdicts(1, 4)];
    assert.equal(compareVersions([{ before: more, after: fewer }], 0.05).worse, 0);
    assert.equal(compareVersions([{ before: fewer, after: more }], 0.05).better, 0);
    assert.equal(compareVersions([{ before: ["not-measured", "passed"], after: ["failed"] }], 0.05).worse, 1);
  });

  it("raise a false alarm in at most 5 of 100 comparisons when nothing changed, at the 5 % level", () => {
    const random = mulberry32(7);
    const flaky = () => (random() < 0.9 ? "passed" : "failed");
    let alarms = 0;
    for (let run = 0; run < 1_000; run++) {
      const paired = Array.from({ length: 60 }, () => pair(flaky(), flaky()));
      if (compareVersions(paired, 0.05).pDrop <= 0.05) alarms += 1;
    }
    assert.ok(alarms <= 50, `${alarms} false alarms`);
  });

  it("find a drop as often as the power says", () => {
    const random = mulberry32(11);
    const [n, broken, mended] = [80, 0.15, 0.03];
    let found = 0;
    for (let run = 0; run < 1_000; run++) {
      const paired = Array.from({ length: n }, () => {
        const at = random();
        if (at < broken) return pair("passed", "failed");
        if (at < broken + mended) return pair("failed", "passed");
        return pair("passed", "passed");
      });
      if (compareVersions(paired, 0.05).pDrop <= 0.05) found += 1;
    }
    near(found / 1_000, powerOf(n, broken, mended, 0.05), 0.04);
  });

  it("say the smallest drop that they could have found", () => {
    const { detectableDrop: drop = 0 } = compareVersions(cases(0, 0, 100), 0.05);
    assert.ok(powerOf(100, drop, 0, 0.05) >= 0.8);
    assert.ok(powerOf(100, drop - 0.01, 0, 0.05) < 0.8);
    assert.equal(compareVersions(cases(0, 0, 3), 0.05).detectableDrop, undefined);
  });
});

describe("scores of two versions", () => {
  it("are compared case by case, with the same interval for the same seed", () => {
    const cases = Array.from({ length: 40 }, (_, at) => ({ before: at % 5, after: (at % 5) + (at % 2) }));
    const one = compareScores(cases);
    assert.deepEqual(one, compareScores(cases));
    assert.equal(one.change, 0.5);
    const [low = 0, high = 0] = one.interval ?? [];
    assert.ok(low > 0.3 && high < 0.7 && low < 0.5 && high > 0.5);
    assert.equal(compareScores([{ before: 1, after: undefined }]).change, undefined);
  });
});
