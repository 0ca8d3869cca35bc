import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { reaches } from "./thresholds.ts";

const PARTS = Array.from({ length: 10 }, (_, at) => at + 1);

describe("a share of parts", () => {
  it("reaches the threshold of the same share as it was written and as it was sent, and no higher one (EVAL-72)", () => {
    for (const all of PARTS)
      for (const met of PARTS.filter((part) => part <= all)) {
        const share = met / all;
        for (const threshold of [share, Math.fround(share)]) {
          assert.ok(reaches(share, threshold), `${met} of ${all} reach ${threshold}`);
          assert.ok(!reaches((met - 1) / all, threshold), `${met - 1} of ${all} do not reach ${threshold}`);
        }
      }
  });
});
