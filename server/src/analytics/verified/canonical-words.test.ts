import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { SemanticModel } from "../contract.ts";
import { areSame, canonicalWords } from "./canonical-words.ts";

const column = (name: string, ...synonyms: string[]) => ({ name, type: "STRING", description: "", synonyms, tags: [] });
const MODEL = {
  tables: [
    {
      schema: { path: ["acme", "shop", "orders"], columns: [], primaryKey: [] },
      ...{
        synonyms: ["purchases"],
        tags: [],
        columns: [column("order_date", "day of sale"), column("channel", "way of ordering")],
      },
      measures: [{ name: "revenue", expression: "sum(amount)", synonyms: ["turnover", "income"] }],
    },
  ],
} as unknown as SemanticModel;

/** Questions that ask the same. */
const SAME: readonly (readonly [string, string])[] = [
  ["revenue by channel", "Show me the turnover per way of ordering, please"],
  ["how many orders are there?", "number of purchases"],
  ["top 5 channels by revenue", "the best five channels by income"],
  ["monthly revenue", "revenue month by month"],
  ["revenue by channel in 2025", "in 2025, what is the revenue by channel?"],
  ["average revenue per order", "mean income for each purchase"],
];

/** Questions of the same words, or nearly, that ask something else. */
const OTHER: readonly (readonly [string, string])[] = [
  ["channels with at most 5 orders", "channels with top 5 orders"],
  ["channels with at least 5 orders", "channels with at most 5 orders"],
  ["channels with at least 5 orders", "the lowest 5 channels orders"],
  ["revenue change from 2025 to 2026", "revenue change from 2026 to 2025"],
  ["customers who bought tea but not coffee", "customers who bought coffee but not tea"],
  ["orders with number 12", "number of orders 12"],
  ["revenue by channel", "orders by channel"],
  ["revenue by channel", "revenue by channel in 2025"],
  ["revenue in 5 channels of 12", "revenue in 12 channels of 5"],
  ["orders before the first sale", "orders after the first sale"],
  ["orders with amount > 20", "orders with amount < 20"],
  ["orders with amount >= 20", "orders with amount 20"],
  ["amount > 20 and revenue < 5", "amount < 20 and revenue > 5"],
  ["amount above -5", "amount above 5"],
  ["the", "a"],
];

describe("words of two questions", () => {
  const compare = (one: string, other: string) => areSame(canonicalWords(one, MODEL), canonicalWords(other, MODEL));
  for (const [one, other] of SAME) it(`are the same: ${one} | ${other}`, () => assert.ok(compare(one, other)));
  for (const [one, other] of OTHER) it(`are not the same: ${one} | ${other}`, () => assert.ok(!compare(one, other)));
});
