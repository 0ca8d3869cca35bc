import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { numberColumn } from "../src/features/data-chat/number-column.ts";

const written = (name: string, ...texts: readonly string[]) => texts.map(numberColumn(name, texts, "en-US"));

describe("the numbers of a column", () => {
  it("have the same decimals in every row", () => {
    assert.deepEqual(written("share", "0.5", "0.125", "1"), ["0.500", "0.125", "1.000"]);
    assert.deepEqual(written("revenue", "1234.5", "99.999999", "7"), ["1,234.5", "100.0", "7.0"]);
    assert.deepEqual(written("units", "1204", "7"), ["1,204", "7"]);
  });

  it("are not grouped where they are names", () => {
    assert.deepEqual(written("order_year", "2024", "2025"), ["2024", "2025"]);
  });

  it("stay as they are where a browser would change them, or where there is none", () => {
    assert.deepEqual(written("total", "9007199254740993", "", "n/a", "2"), ["9007199254740993", "", "n/a", "2"]);
  });
});
