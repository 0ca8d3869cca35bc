import assert from "node:assert/strict";
import { after, before, describe, it } from "node:test";
import type { SemanticModel } from "#analytics";
import { NOW, openSampleShop, type SampleShop } from "../__fixtures__/sample-shop.ts";
import { interpretQuestion } from "../interpret-question.ts";
import { isTemporal } from "../lexicon/meaning.ts";

const QUESTIONS = [
  "revenue by category",
  "number of customers",
  "what is the weather",
  "revenue",
  "average price by category",
];

describe("questions that an answer suggests", () => {
  let shop: SampleShop;
  before(async () => {
    shop = await openSampleShop();
  });
  after(() => shop.close());

  /** Those of an answer or a refusal. */
  function suggested(question: string, model: SemanticModel): readonly string[] {
    const interpretation = interpretQuestion([question], model, NOW);
    assert.ok(interpretation.kind !== "redraw");
    return interpretation.kind === "query" ? interpretation.query.followUps : interpretation.followUps;
  }

  /** The shop as if nothing had a date. */
  function undated({ tables, ...rest }: SemanticModel): SemanticModel {
    const without = tables.map((table) => ({
      ...table,
      columns: table.columns.filter((column) => !isTemporal(column)),
    }));
    return { ...rest, tables: without };
  }

  for (const question of QUESTIONS) {
    it(`can be answered after “${question}”, also where the data has no dates`, () => {
      for (const model of [shop.model, undated(shop.model)]) {
        const asked = suggested(question, model);
        assert.ok(asked.length > 0 || model !== shop.model);
        for (const next of asked) {
          const answer = interpretQuestion([question, next], model, NOW);
          assert.equal(answer.kind, "query", `${next}: ${JSON.stringify(answer)}`);
        }
      }
    });
  }
});
