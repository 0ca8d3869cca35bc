import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { boosted, createBoost, parseDayTimeDuration } from "./boost.ts";
import type { BoostRule } from "./contract.ts";

const NOW = Date.parse("2026-06-11T00:00:00Z");
const DAY = 86_400_000;
const rule = (amount: BoostRule["amount"], condition = "", stores = ["store"]): BoostRule => ({
  stores,
  condition,
  amount,
});
const amountOf = (rules: readonly BoostRule[], data: Parameters<ReturnType<typeof createBoost>>[0]) =>
  createBoost(rules, "store", NOW)(data);

describe("a boost", () => {
  it("applies to documents of its stores that match its condition", () => {
    const rules = [rule(0.5, 'lang_code: ANY("en", "fr")'), rule(0.9, "", ["other"])];
    assert.deepEqual([amountOf(rules, { lang_code: "fr" }), amountOf(rules, { lang_code: "de" })], [0.5, 0]);
  });

  it("adds up, within -1 and 1", () => {
    assert.equal(amountOf([rule(0.7), rule(0.8)], {}), 1);
    assert.equal(amountOf([rule(-0.7), rule(-0.8)], {}), -1);
    assert.equal(amountOf([rule(0.5), rule(-0.25)], {}), 0.25);
  });

  it("is linear between control points of a number, and constant beyond them", () => {
    const points = [
      { at: 1, amount: -0.5 },
      { at: 3, amount: 0 },
      { at: 5, amount: 1 },
    ];
    const curve = rule({ kind: "numerical", field: "rating", points });
    const at = (rating: number) => amountOf([curve], { rating });
    assert.deepEqual([0, 1, 2, 3, 4, 5, 9].map(at), [-0.5, -0.5, -0.25, 0, 0.5, 1, 1]);
    assert.equal(amountOf([curve], {}), 0);
    assert.equal(amountOf([curve], { rating: "4" }), 0.5);
  });

  it("is a function of the age of a date", () => {
    const points = [
      { at: 0, amount: 1 },
      { at: 10 * DAY, amount: 0 },
    ];
    const curve = rule({ kind: "freshness", field: "published", points });
    const at = (published: string) => amountOf([curve], { published });
    assert.deepEqual(
      ["2026-06-11", "2026-06-06", "2026-06-01T00:00:00Z", "2020-01-01", "soon"].map(at),
      [1, 0.5, 0, 0, 0],
    );
  });

  it("multiplies relevance: by four at 1, by a quarter at -1", () => {
    assert.deepEqual([boosted(0.5, 1), boosted(0.5, 0), boosted(0.5, -1)], [2, 0.5, 0.125]);
  });
});

describe("an XSD dayTimeDuration", () => {
  const known: readonly (readonly [string, number])[] = [
    ["5D", 5 * DAY],
    ["3DT12H30M", 3.5 * DAY + 30 * 60_000],
    ["T24H", DAY],
    ["P1DT1S", DAY + 1_000],
    ["T1.5S", 1_500],
  ];
  for (const [text, milliseconds] of known) {
    it(`parses ${text}`, () => assert.equal(parseDayTimeDuration(text), milliseconds));
  }
  for (const text of ["", "P", "T", "5", "5H", "1M", "-5D", "1Y", "5DT"]) {
    it(`does not parse '${text}'`, () => assert.equal(parseDayTimeDuration(text), undefined));
  }
});
