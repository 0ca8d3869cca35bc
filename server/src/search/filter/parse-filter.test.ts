import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { SearchError } from "../contract.ts";
import { parseDocumentFilter } from "./parse-filter.ts";

const SHOE = {
  category: "shoes",
  tags: ["summer", "sale"],
  price: 49.5,
  stock: "12",
  made: "2026-03-01",
  shop: { city: "Berlin", place: { latitude: 52.52, longitude: 13.405 } },
  active: true,
};

const accepted: readonly string[] = [
  "",
  'category: ANY("hats", "shoes")',
  'tags: ANY("sale")',
  'shop.city: ANY("Berlin")',
  'active: ANY("true")',
  "price: IN(49.5, 60)",
  "price: IN(*, 49.5i)",
  "price < 50",
  "price >= 49.5",
  "stock = 12",
  'category = "shoes"',
  'category != "hats"',
  'made >= "2026-02-28"',
  'made < "2026-03-01T12:00:00Z"',
  'NOT category: ANY("hats")',
  '-category: ANY("hats")',
  'category: ANY("hats") OR tags: ANY("sale")',
  'category: ANY("shoes") AND (price < 10 OR price > 40)',
  'tags: ANY("sale") OR category: ANY("hats") AND price > 100',
  "GEO_DISTANCE(shop.place, 52.5, 13.4, 5000)",
  "GEO_DISTANCE(shop.place, 52.5, 13.4) < 5000",
];
const refused: readonly string[] = [
  'category: ANY("hats")',
  'category: ANY("Shoes")',
  'missing: ANY("x")',
  "price: IN(49.5e, 60)",
  "price: IN(60, *)",
  "price > 50",
  'made > "2026-03-01"',
  'NOT category: ANY("shoes")',
  "GEO_DISTANCE(shop.place, 48.1, 11.5, 5000)",
  'category != "shoes"',
];

describe("a filter of documents", () => {
  for (const filter of accepted) {
    it(`matches a document: ${filter || "(empty)"}`, () => assert.equal(parseDocumentFilter(filter)(SHOE), true));
  }
  for (const filter of refused) {
    it(`does not match a document: ${filter}`, () => assert.equal(parseDocumentFilter(filter)(SHOE), false));
  }

  const faults: readonly (readonly [string, RegExp])[] = [
    ["price <", /ends too early/],
    ["category ANY", /character 10: 'ANY' is not expected/],
    ['category: SOME("a")', /no function 'SOME'/],
    ["price: IN(cheap, 5)", /'cheap' is not a bound/],
    ["price: IN(1)", /a lower and an upper bound/],
    ['category: ANY("a', /cannot be read at character/],
    ["(".repeat(60), /nested too deeply/],
    [`a = "${"x".repeat(10_001)}"`, /longer than 10000/],
    ['GEO_DISTANCE(place, "Berlin", 5)', /a latitude, a longitude and a distance/],
  ];
  for (const [filter, message] of faults) {
    it(`reports what is wrong with ${filter.slice(0, 30)}`, () => {
      assert.throws(
        () => parseDocumentFilter(filter),
        (error) => error instanceof SearchError && message.test(error.message),
      );
    });
  }
});
