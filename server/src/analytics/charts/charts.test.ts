import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, it } from "node:test";
import { Ajv } from "ajv";
import type { JsonObject } from "#base";
import type { Column, ResultSet } from "#warehouse";
import { planChart } from "./plan-chart.ts";
import { renderPng, renderSvg } from "./render-chart.ts";
import { vegaConfig } from "./vega-config.ts";

const column = (name: string, type: string): Column => ({ name, type, mode: "NULLABLE" });

function result(columns: readonly Column[], rows: ResultSet["rows"]): ResultSet {
  return { columns, rows, truncated: false, durationMs: 1 };
}

const BY_CATEGORY = result(
  [column("category", "STRING"), column("revenue", "NUMERIC")],
  [
    ["Tea & <b>", "10.50"],
    ["Coffee", "20"],
    ["Mugs", null],
  ],
);

const ONE_A_DAY = Array.from({ length: 300 }, (_, at) => [
  new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10),
  String(at),
]);

/** The rows inlined in a chart. */
function valuesOf<Row>({ data }: JsonObject): readonly Row[] {
  return (data as unknown as { readonly values: readonly Row[] }).values;
}

describe("a chart", () => {
  it("has bars for categories, with numbers as numbers and rows in their order", () => {
    const plan = planChart(BY_CATEGORY);
    assert.ok(plan);
    assert.deepEqual(vegaConfig(plan), {
      title: "Revenue by category",
      data: {
        values: [
          { category: "Tea & <b>", revenue: 10.5 },
          { category: "Coffee", revenue: 20 },
          { category: "Mugs", revenue: null },
        ],
      },
      mark: { type: "bar", tooltip: true },
      encoding: {
        x: {
          field: "category",
          type: "nominal",
          title: "Category",
          sort: null,
          axis: { labelOverlap: true, labelLimit: 200, labelAngle: 0 },
        },
        y: { field: "revenue", type: "quantitative", title: "Revenue", axis: { labelOverlap: true, format: ",.2~f" } },
      },
    });
  });

  it("draws numbers of one size beside each other, and else the first (CA-114)", () => {
    const sales = (...costs: readonly string[]) =>
      result(
        [column("month", "DATE"), column("total_freight", "NUMERIC"), column("total_cost", "NUMERIC")],
        costs.map((cost, at) => [`2026-0${at + 1}-01`, "70", cost]),
      );
    const hint = {
      ...({ mark: "line", x: "month", y: "total_freight", beside: ["total_cost"] } as const),
      title: "Total freight and total cost by month",
    };
    const plan = planChart(sales("55", "270"), hint);
    assert.ok(plan);
    const config = vegaConfig(plan);
    assert.equal(config.title, "Total freight and total cost by month");
    assert.deepEqual(valuesOf(config), [
      { month: "2026-01-01", measure: "total freight", value: 70 },
      { month: "2026-02-01", measure: "total freight", value: 70 },
      { month: "2026-01-01", measure: "total cost", value: 55 },
      { month: "2026-02-01", measure: "total cost", value: 270 },
    ]);
    const other = planChart(sales("1", "2"), hint);
    assert.deepEqual(
      [other?.y.name, other?.series, other?.title],
      ["total_freight", undefined, "Total freight by month"],
    );
  });

  it("stacks parts of a whole, and no means (CA-108)", () => {
    const markOf = (y: string) => {
      const rows = [
        ["Tea", "Leeds", "3"],
        ["Tea", "York", "4"],
        ["Mugs", "York", "5"],
      ];
      return planChart(result([column("category", "STRING"), column("town", "STRING"), column(y, "FLOAT64")], rows))
        ?.mark;
    };
    assert.deepEqual(["total_sales", "average_price", "avg_price", "return_rate", "highest_mark"].map(markOf), [
      "stacked-bar",
      ...["bar", "bar", "bar", "bar"],
    ]);
  });

  it("lists many bars below each other, where a bar chart is asked for, too (CA-108)", () => {
    const patients = (count: number) =>
      result(
        [column("patient", "STRING"), column("visits", "INT64")],
        Array.from({ length: count }, (_, at) => [`P${at}`, "1"]),
      );
    const marks = [16, 17].map((count) => planChart(patients(count), { mark: "bar" })?.mark);
    assert.deepEqual(marks, ["bar", "horizontal-bar"]);
  });

  it("draws small points on a long line (CA-108)", () => {
    const pointOf = (days: number) => {
      const daily = result(
        [column("day", "DATE"), column("n", "INT64")],
        Array.from({ length: days }, (_, at) => [new Date(Date.UTC(2026, 0, 1 + at)).toISOString().slice(0, 10), "1"]),
      );
      const plan = planChart(daily);
      assert.ok(plan);
      return (vegaConfig(plan) as { mark?: { point?: unknown } }).mark?.point;
    };
    assert.deepEqual([100, 101].map(pointOf), [true, { size: 8 }]);
  });

  it("breaks a line where months are missing, for each series (CA-75)", () => {
    const monthly = result(
      [column("month", "DATE"), column("site", "STRING"), column("visits", "INT64")],
      [
        ["2026-01-01", "North", "5"],
        ["2026-02-01", "North", "6"],
        ["2026-06-01", "North", "7"],
        ["2026-01-01", "South", "1"],
        ["2026-02-01", "South", "2"],
      ],
    );
    const plan = planChart(monthly);
    assert.ok(plan);
    const values = valuesOf<{ visits: number | null }>(vegaConfig(plan));
    assert.deepEqual(
      values.filter(({ visits }) => visits === null),
      [{ month: "2026-03-01", site: "North", visits: null }],
    );
    assert.equal(values.length, 6);
  });

  for (const [what, days, gaps] of [
    ["weeks", ["2026-01-05", "2026-01-12", "2026-02-02"], ["2026-01-19"]],
    ["weekends between days of work", ["2026-01-08", "2026-01-09", "2026-01-12"], []],
    ["a week without days", ["2026-01-08", "2026-01-09", "2026-01-19"], ["2026-01-10"]],
    ["censuses every ten years", ["1990-01-01", "2000-01-01", "2010-01-01"], []],
    ["one month", ["2026-01-01", "2026-01-01"], []],
  ] as const)
    it(`knows the gaps of ${what} (CA-75)`, () => {
      const daily = result(
        [column("day", "DATE"), column("n", "INT64")],
        days.map((day) => [day, "1"]),
      );
      const plan = planChart(daily);
      assert.ok(plan);
      const values = valuesOf<{ day: string; n: number | null }>(vegaConfig(plan));
      assert.deepEqual(
        values.filter(({ n }) => n === null).map(({ day }) => day),
        gaps,
      );
    });

  for (const [name, cells] of [
    ["year", ["1931", "1932", "1935"]],
    ["is_trial", ["0", "1"]],
  ] as const)
    it(`has a bar for each ${name}, with its number as it is`, () => {
      const numbered = result(
        [column(name, "INT64"), column("deaths", "INT64")],
        cells.map((cell) => [cell, "3"]),
      );
      for (const hint of [{}, { mark: "bar" as const }]) {
        const plan = planChart(numbered, hint);
        assert.ok(plan);
        const encoding = vegaConfig(plan).encoding as JsonObject;
        assert.deepEqual(
          [plan.mark, encoding.x],
          [
            "bar",
            {
              field: name,
              title: name === "year" ? "Year" : "Is trial",
              type: "ordinal",
              axis: { labelOverlap: true, labelAngle: 0 },
            },
          ],
        );
      }
    });

  it("shows the first fifty bars of many, and says so", () => {
    const many = result(
      [column("customer", "STRING"), column("orders", "INT64")],
      Array.from({ length: 998 }, (_, at) => [`c${at}`, String(998 - at)]),
    );
    const plan = planChart(many);
    assert.deepEqual([plan?.title, plan?.rows.length], ["Orders by customer (the first 50 of 998)", 50]);
    const over = planChart(result([column("day", "DATE"), column("n", "INT64")], ONE_A_DAY));
    assert.deepEqual([over?.title, over?.rows.length], ["N by day", 300]);
  });

  it("shows the largest of many series, and says so", () => {
    const rows = Array.from({ length: 200 }, (_, at) => [`2026-0${1 + (at % 2)}-01`, `c${at >> 1}`, String(at)]);
    const columns = [column("month", "DATE"), column("customer", "STRING"), column("n", "INT64")];
    const plan = planChart(result(columns, rows), { series: "customer" });
    assert.deepEqual([plan?.title, plan?.rows.length], ["N by month (the 12 largest of 100 customer)", 24]);
    assert.deepEqual(plan?.rows.at(-1), ["2026-02-01", "c99", "199"]);
  });

  it("cuts no slice of a number below zero", () => {
    const rows = [
      ["Tea", "-5"],
      ["Coffee", "20"],
    ];
    const plan = planChart(result([column("category", "STRING"), column("profit", "INT64")], rows), { mark: "pie" });
    assert.equal(plan?.mark, "bar");
  });

  it("is a line over time, a colour for each of a few series", () => {
    const rows = [
      ["2026-01-01", "Web", "1"],
      ["2026-02-01", "Store", "2"],
    ];
    const plan = planChart(result([column("month", "DATE"), column("channel", "STRING"), column("n", "INT64")], rows));
    assert.deepEqual([plan?.mark, plan?.x.name, plan?.y.name, plan?.series?.name], ["line", "month", "n", "channel"]);
  });

  it("is the one that was hinted for where it can show the rows", () => {
    assert.equal(planChart(BY_CATEGORY, { mark: "pie" })?.mark, "pie");
    assert.equal(planChart(BY_CATEGORY, { mark: "heatmap" })?.mark, "bar");
  });

  it("is left out where it would say nothing", () => {
    assert.equal(planChart(result([column("n", "INT64")], [["1"]])), undefined);
    assert.equal(planChart(result([column("a", "STRING")], [["x"], ["y"]])), undefined);
  });

  for (const mark of ["bar", "horizontal-bar", "stacked-bar", "line", "area", "scatter", "pie", "heatmap"] as const) {
    it(`is drawn as ${mark}, as SVG and as PNG`, async () => {
      const rows = [
        ["Tea", "Web", "1"],
        ["Tea", "Store", "3"],
        ["Coffee", "Web", "2"],
      ];
      const data = result([column("category", "STRING"), column("channel", "STRING"), column("n", "INT64")], rows);
      const plan = planChart(data, { mark });
      assert.ok(plan);
      const svg = await renderSvg(vegaConfig(plan));
      assert.match(svg, /^<svg /);
      assert.match(svg, /Tea/);
      const png = await renderPng(svg);
      assert.deepEqual([...png.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
    });
  }

  it("labels months as months, quarters as quarters, years as years, days as days", () => {
    const units: readonly (readonly [string, string, string, string])[] = [
      ["2025-01-01", "2025-02-01", "utcyearmonth", "%b %Y"],
      ["2025-01-01", "2025-04-01", "utcyearquarter", "Q%q %Y"],
      ["2024-01-01", "2025-01-01", "utcyear", "%Y"],
      ["2025-01-01", "2025-01-08", "utcyearmonthdate", "%-d %b %Y"],
    ];
    for (const [first, second, timeUnit, format] of units) {
      const rows = [
        [first, "150000"],
        [second, "2"],
      ];
      const data = result([column("month", "DATE"), column("n", "INT64")], rows);
      const plan = planChart(data);
      assert.ok(plan);
      assert.deepEqual(vegaConfig(plan).encoding, {
        x: { field: "month", type: "temporal", title: "Month", timeUnit, axis: { labelOverlap: true, format } },
        y: { field: "n", type: "quantitative", title: "N", axis: { labelOverlap: true, format: "~s" } },
      });
    }
  });

  it("names the time of each bar below it, and not those between two; where there are gaps, at its place", async () => {
    const drawn = (days: readonly string[]) => {
      const rows = days.flatMap((day) => [
        [day, "A", "3"],
        [day, "B", "2"],
      ]);
      const data = result([column("year", "DATE"), column("site", "STRING"), column("n", "INT64")], rows);
      const plan = planChart(data, { mark: "stacked-bar" });
      assert.ok(plan);
      return vegaConfig(plan);
    };
    const svg = await renderSvg(drawn(["2025-01-01", "2026-01-01"]));
    assert.match(svg, />2025<.*>2026</s);
    assert.doesNotMatch(svg, />2027</);
    assert.match(JSON.stringify(drawn(["2025-01-01", "2025-02-01", "2025-06-01"]).encoding), /"temporal"/);
  });

  it("lays bars with long names down, and grows with them", async () => {
    const rows = Array.from({ length: 40 }, (_, at) => [`A rather long name of a thing, number ${at}`, String(at)]);
    const data = result([column("name", "STRING"), column("n", "INT64")], rows);
    const plan = planChart(data, { mark: "bar" });
    assert.ok(plan);
    assert.equal(plan.mark, "horizontal-bar");
    const svg = await renderSvg(vegaConfig(plan));
    assert.ok(Number(/height="([\d.]+)"/.exec(svg)?.[1]) > 40 * 20);
    assert.match(svg, /sans-serif/);
  });

  it("leaves more of names that differ at their ends", () => {
    const limits = ["Regional theatre of the old harbour district, phase", "Row"].map((name) => {
      const rows = Array.from({ length: 12 }, (_, at) => [`${name} ${at}`, String(at)]);
      const plan = planChart(result([column("name", "STRING"), column("n", "INT64")], rows));
      assert.ok(plan);
      return Number(/"labelLimit":(\d+)/.exec(JSON.stringify(vegaConfig(plan)))?.[1]);
    });
    assert.deepEqual(limits, [380, 200]);
  });

  it("is left out above five thousand marks", () => {
    const rows = Array.from({ length: 5001 }, (_, at) => [String(at), String(at)]);
    assert.equal(planChart(result([column("size", "INT64"), column("n", "INT64")], rows)), undefined);
  });

  it("is valid against the published schema of Vega-Lite, whatever its mark and columns", () => {
    const schema = JSON.parse(
      readFileSync(createRequire(import.meta.url).resolve("vega-lite/vega-lite-schema.json"), "utf8"),
    );
    // One chart, not a composition of several: compiling the whole schema takes seconds.
    const unit = { $ref: "#/definitions/TopLevelUnitSpec", definitions: schema.definitions };
    const validate = new Ajv({
      strict: false,
      validateFormats: false,
      validateSchema: false,
      code: { optimize: false },
    }).compile(unit);
    const rows = [
      ["2025-01-01", "Web", "1", "0.5"],
      ["2025-02-01", "Store", "3", null],
      ["2025-03-01", "Web", "2", "4"],
    ];
    const data = result(
      [column("month", "DATE"), column("channel", "STRING"), column("n", "INT64"), column("a.b", "FLOAT64")],
      rows,
    );
    const marks = ["bar", "horizontal-bar", "stacked-bar", "line", "area", "scatter", "pie", "heatmap"] as const;
    for (const mark of marks) {
      for (const hint of [
        { mark },
        { mark, x: "channel" },
        { mark, x: "n" },
        { mark, x: "channel", series: "month" },
      ]) {
        const plan = planChart(data, hint);
        assert.ok(plan);
        assert.ok(validate(vegaConfig(plan)), `${JSON.stringify(hint)}: ${JSON.stringify(validate.errors?.slice(-2))}`);
      }
    }
    assert.equal(validate({ mark: "bar", encoding: { x: { field: 1 } } }), false);
  });

  it("loads nothing from elsewhere", async () => {
    const config = { data: { url: "http://127.0.0.1:9/x.csv" }, mark: "bar", encoding: { x: { field: "a" } } };
    assert.doesNotMatch(await renderSvg(config), /127\.0\.0\.1/);
  });
});
