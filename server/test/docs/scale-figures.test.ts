import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, it } from "node:test";
import { SCALE_PAGE, scaleResults, withScaleFigures } from "../../bench/scale-page.ts";

const page = readFileSync(SCALE_PAGE, "utf8");

describe("the figures of the page about more than one machine", () => {
  it("are those that were published last", () => {
    assert.equal(page, withScaleFigures(page, scaleResults()));
  });

  it("are a table for each command, and the page around them stays", () => {
    const run = { command: "npm run soak -- --minutes 60", date: "2026-01-02", machine: "Node 24, 2 processors" };
    const written = withScaleFigures(page, {
      soak: { ...run, figures: [{ what: "tables that grew", figure: "none" }] },
    });
    assert.match(
      written,
      /`npm run soak -- --minutes 60` on 2026-01-02 \(Node 24, 2 processors\):\n\n\| what \| figure \|/,
    );
    assert.match(written, /\n\| tables that grew \| none \|\n\n<!-- end of figures -->/);
    assert.equal(withScaleFigures(written, scaleResults()), page);
  });
});
