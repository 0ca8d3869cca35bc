import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import { buildSemanticModel, type SemanticModel } from "#analytics";
import { interpretQuestion } from "../../src/offline/query-planner/interpret-question.ts";
import type { Interpretation } from "../../src/offline/query-planner/interpretation.ts";
import { describeResult } from "../../src/offline/query-planner/responses/describe-result.ts";
import { comparable } from "./comparable-rows.ts";
import { SHOP_RIGHT, SHOP_TOLD } from "./fresh-shop-questions.ts";
import { HONEST, SHOP_QUESTIONS } from "./shop-questions.ts";
import { SHOP_NOW, type Shop, startShop } from "./start-shop.ts";

const LIMITS = { maxRows: 20_000, maxBytes: 10_000_000, timeoutMs: 30_000 };
const { signal } = new AbortController();

describe("questions about the sample shop, without a language model", () => {
  let shop: Shop;
  let model: SemanticModel;
  before(async () => {
    shop = await startShop();
    const { datasourceReferences } = shop.context;
    assert.ok(datasourceReferences);
    const source = await shop.warehouse.open(datasourceReferences);
    assert.ok(source.kind === "sql");
    model = await buildSemanticModel(source, shop.context, signal);
  });
  after(() => shop.close());

  const ask = (questions: readonly string[]): Interpretation => interpretQuestion(questions, model, SHOP_NOW);
  const run = (sql: string) => model.source.query({ sql, limits: LIMITS, signal });

  for (const { questions, sql } of SHOP_QUESTIONS) {
    it(`answers “${questions.join("” “")}” as SQL written by hand does`, async () => {
      const interpretation = ask(questions);
      assert.ok(interpretation.kind === "query", JSON.stringify(interpretation));
      const { rows } = await run(interpretation.query.sql);
      assert.deepEqual(rows, (await run(sql)).rows);
    });
  }

  for (const [question, sql] of SHOP_RIGHT) {
    it(`answers “${question}” as SQL written by hand does`, async () => {
      const interpretation = ask([question]);
      assert.ok(interpretation.kind === "query", JSON.stringify(interpretation));
      const [answered, byHand] = [await run(interpretation.query.sql), await run(sql)];
      assert.deepEqual(answered.rows.map(comparable), byHand.rows.map(comparable));
    });
  }

  for (const [question, words] of [...HONEST, ...SHOP_TOLD]) {
    it(`says of “${question}” what it does not know or had to assume`, async () => {
      const interpretation = ask([question]);
      assert.ok(interpretation.kind !== "redraw");
      const text =
        interpretation.kind === "reply"
          ? interpretation.text
          : describeResult(interpretation.query, await run(interpretation.query.sql));
      assert.match(text, words);
    });
  }
});
