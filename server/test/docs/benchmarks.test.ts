import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { BENCHMARKS_PAGE, figures, type PeerResults, publishedResults, withFigures } from "../../bench/peers-page.ts";

const page = readFileSync(BENCHMARKS_PAGE, "utf8");

const MEASURED: PeerResults = {
  date: "2026-01-02",
  machine: "Node 24, 2 processors",
  seconds: 8,
  servers: [
    { name: "Frontdesk", packages: [], speed: [0.4, 0.2, 0.3], processor: [3, 2, 4], residentMegabytes: 300 },
    { name: "Swift", packages: ["swift@1.0.0"], speed: [0.9, 0.8, 1], processor: [1, 1, 1], residentMegabytes: 90 },
    { name: "Heavy", packages: ["heavy@2.0.0"], speed: [0.1, 0.1, 0.1], processor: [9, 9, 9], residentMegabytes: 200 },
  ],
};

describe("the page of benchmarks", () => {
  it("has the figures that were published last, as they were measured", () => {
    assert.equal(page, withFigures(page, publishedResults()));
  });

  it("shows medians and all rounds, the fastest first, and says who is before us", () => {
    const [, , , , ...lines] = figures(MEASURED).split("\n");
    assert.deepEqual(lines, [
      "| Swift | 0.90 (0.80 0.90 1.00) | 1.00 (1.00 1.00 1.00) | 90 | `swift@1.0.0` |",
      "| Frontdesk | 0.30 (0.20 0.30 0.40) | 3.00 (2.00 3.00 4.00) | 300 | this one |",
      "| Heavy | 0.10 (0.10 0.10 0.10) | 9.00 (9.00 9.00 9.00) | 200 | `heavy@2.0.0` |",
      "",
      "More turns a second than Frontdesk: Swift. Less processor time: Swift. Less memory: Swift, Heavy.",
    ]);
  });

  it("keeps its own text around new figures", () => {
    const [before, after] = [page.split("<!--")[0], page.split("-->").at(-1)];
    const written = withFigures(page, MEASURED);
    assert.ok(written.startsWith(before ?? "") && written.endsWith(after ?? ""));
    assert.equal(withFigures(written, publishedResults()), page);
  });
});
