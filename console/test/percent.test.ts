import assert from "node:assert/strict";
import { test } from "node:test";
import { shareText } from "../../server/src/evaluation/statistics/share-text.ts";
import { percent } from "../src/features/evaluations/percent.ts";

test("a share is rounded, and only all are 100% and only none 0%, in the console and in reports", () => {
  const rows: readonly (readonly [share: number, inConsole: string, inReport: string])[] = [
    [0, "0%", "0 %"],
    [1 / 10_000, "0.1%", "0.1 %"],
    [4 / 1_000, "0.4%", "0.4 %"],
    [0.9345, "93%", "93.5 %"],
    [996 / 1_000, "99.6%", "99.6 %"],
    [9_999 / 10_000, "99.9%", "99.9 %"],
    [1, "100%", "100 %"],
  ];
  for (const [share, inConsole, inReport] of rows) {
    assert.equal(percent(share), inConsole);
    assert.equal(shareText(share), inReport);
  }
});
