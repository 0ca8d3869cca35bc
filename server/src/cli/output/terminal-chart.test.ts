import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { terminalChart } from "./terminal-chart.ts";
import { terminalTable } from "./terminal-table.ts";

const encoding = (type: string) => ({
  x: { field: "name", type },
  y: { field: "n", type: "quantitative" },
});

describe("an answer in the terminal", () => {
  it("has bars for categories and a sparkline for times", () => {
    const values = [
      { name: "2025-01-01", n: 1 },
      { name: "2025-02-01", n: 4.5 },
    ];
    const bars = terminalChart({ title: "N", data: { values }, encoding: encoding("nominal") }, 40);
    assert.equal(bars, `N\n2025-01-01  ${"█".repeat(5)} 1\n2025-02-01  ${"█".repeat(23)} 4.5`);
    const line = terminalChart({ data: { values }, encoding: encoding("temporal") }, 40);
    assert.equal(line, "▁█\n2025-01-01 to 2025-02-01, lowest 1, highest 4.5");
  });

  it("is omitted for other charts", () => {
    assert.equal(terminalChart({ data: { values: [] }, encoding: encoding("nominal") }, 40), "");
    assert.equal(terminalChart({ mark: "bar" }, 40), "");
    const series = { ...encoding("nominal"), color: { field: "k", type: "nominal" } };
    assert.equal(terminalChart({ data: { values: [{ name: "a", n: 1, k: "x" }] }, encoding: series }, 40), "");
  });

  it("cannot move the cursor, whatever the rows contain", () => {
    const columns = [
      { name: "name", type: "STRING" },
      { name: "n", type: "NUMERIC" },
    ];
    const rows = [
      { name: "a\u001b[2Jb", n: "1234.5" },
      { name: null, n: "2" },
    ];
    assert.ok(!terminalTable(columns, rows).includes("\u001b"));
    assert.match(terminalTable(columns, rows), /1,234\.50\n–/);
    assert.match(terminalTable(columns, []), /\(no rows\)$/);
  });
});
