import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { NOW, openSampleShop, type SampleShop } from "./__fixtures__/sample-shop.ts";
import { interpretQuestion } from "./interpret-question.ts";

describe("comparisons of times, and growth", () => {
  let shop: SampleShop;
  before(async () => {
    shop = await openSampleShop();
  });
  after(() => shop.close());

  for (const [question, other] of [
    ["revenue last 7 days vs previous 7 days", "from 2026-06-17 to 2026-06-23"],
    ["compare revenue in the last 2 weeks with the past 2 weeks", "from 2026-06-01 to 2026-06-14"],
    ["revenue last 3 months vs previous 3 months", "from 2026-01-01 to 2026-03-31"],
  ] as const) {
    it(`refuses “${question}”, whose times are one, and says how to name the other`, () => {
      const interpretation = interpretQuestion([question], shop.model, NOW);
      assert.equal(interpretation.kind, "reply", JSON.stringify(interpretation));
      assert.ok(
        interpretation.kind === "reply" && interpretation.text.includes(`“${other}”`),
        JSON.stringify(interpretation),
      );
    });
  }

  // Weeks would mix the days of both, and years would show a month as one.
  for (const [question, unit, times] of [
    ["revenue from 2026-06-17 to 2026-06-23 vs last 7 days", "day", "d >= DATE '2026-06-17' AND d < DATE '2026-07-01'"],
    ["revenue last month vs 2025", "month", "year(d) = 2025 OR (year(d) = 2026 AND month(d) = 6)"],
    ["revenue last 2 weeks vs 2026-05-04 to 2026-05-10", "week", "week(d) IN (19, 25, 26) AND year(d) = 2026"],
    ["revenue in May and June 2025", "month", "year(d) = 2025 AND month(d) IN (5, 6)"],
    ["revenue in may 2025 and june 2025", "month", "year(d) = 2025 AND month(d) IN (5, 6)"],
    ["revenue in Q1 2025 vs Q2 2026", "quarter", "(year(d), quarter(d)) IN ((2025, 1), (2026, 2))"],
    ["revenue last year vs year to date", "year", "year(d) IN (2025, 2026)"],
  ] as const) {
    it(`compares by ${unit}, which both times are made of: “${question}”`, async () => {
      const sql = `SELECT date_trunc('${unit}', d)::DATE u, sum(r)
        FROM (SELECT ordered_at d, quantity * unit_price - discount r FROM order_items JOIN orders USING (order_id))
        WHERE ${times} GROUP BY u ORDER BY u`;
      assert.deepEqual(await shop.rowsOf(shop.parsed(question).sql), await shop.rowsOf(sql));
    });
  }

  for (const [question, unit, ago] of [
    ["revenue growth by store by day in June 2026", "day", "1 DAY"],
    ["revenue growth by product by week in 2026", "week", "7 DAYS"],
    ["revenue by product by month in 2026 year over year", "month", "1 YEAR"],
    ["revenue by store by day in June 2026 year over year", "day", "365 DAYS"],
  ] as const) {
    it(`measures growth against the ${unit} that it says, not the last one that has rows: “${question}”`, async () => {
      const rows = await shop.rowsOf(shop.parsed(question).sql);
      const of = question.includes("store") ? "stores.name" : "products.name";
      const before = await shop.rowsOf(
        `SELECT date_trunc('${unit}', ordered_at)::DATE + INTERVAL ${ago}, ${of}, sum(quantity * unit_price - discount)
          FROM order_items JOIN orders USING (order_id) JOIN stores USING (store_id) JOIN products USING (product_id)
          GROUP BY 1, 2`,
      );
      const earlier = new Map(
        before.map(([day, name, revenue]) => [`${String(day).slice(0, 10)} ${name}`, Number(revenue)]),
      );
      assert.ok(rows.some(([, , , growth]) => growth !== null));
      for (const [day, name, revenue, growth] of rows) {
        const base = earlier.get(`${day} ${name}`);
        if (growth === null) continue;
        assert.ok(base !== undefined, `${day} ${name}: grown by ${growth} from nothing`);
        assert.ok(Math.abs(Number(growth) - (100 * (Number(revenue) - base)) / base) < 0.01, `${day} ${name}`);
      }
    });
  }

  it("measures growth of a month against the same month of the year before", async () => {
    const sql = `SELECT DATE '2026-05-01', r26, round(100 * (r26 - r25) / r25, 2) FROM (SELECT
      sum(r) FILTER (d >= DATE '2026-05-01' AND d < DATE '2026-06-01') r26,
      sum(r) FILTER (d >= DATE '2025-05-01' AND d < DATE '2025-06-01') r25
      FROM (SELECT ordered_at d, quantity * unit_price - discount r FROM order_items JOIN orders USING (order_id)))`;
    assert.deepEqual(await shop.rowsOf(shop.parsed("revenue in May 2026 vs last year").sql), await shop.rowsOf(sql));
  });
});
