import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Warehouse } from "#warehouse";
import { coversRows } from "./comparable-rows.ts";
import { COMPUTED_DOUBTS } from "./computed-doubts.ts";
import { COMPUTED_QUESTIONS } from "./computed-questions.ts";
import { type ComputedSet, computedOnDuckdb, openComputed } from "./start-computed.ts";

describe("questions to what follows from columns, without a language model (CA-76 to CA-83)", () => {
  const folder = mkdtempSync(join(tmpdir(), "computed-"));
  let warehouse: Warehouse;
  const sets = new Map<string, ComputedSet>();
  before(async () => {
    warehouse = await computedOnDuckdb(folder);
    for (const set of Object.keys(COMPUTED_QUESTIONS)) sets.set(set, await openComputed(warehouse, set));
  });
  after(async () => {
    await warehouse.close();
    rmSync(folder, { recursive: true });
  });

  const setCalled = (name: string): ComputedSet => {
    const set = sets.get(name);
    assert.ok(set);
    return set;
  };

  for (const [set, questions] of Object.entries(COMPUTED_QUESTIONS)) {
    for (const [question, sql] of questions) {
      it(sql === "" ? `refuses “${question}”` : `answers “${question}” as SQL written by hand does`, async () => {
        const { ask, rows } = setCalled(set);
        const answer = await ask(question);
        if (sql === "") assert.ok("refused" in answer, JSON.stringify(answer));
        else {
          assert.ok("rows" in answer, JSON.stringify(answer));
          const byHand = await rows(sql);
          assert.ok(coversRows(answer.rows, byHand), JSON.stringify({ found: answer.rows, byHand }));
        }
      });
    }
  }

  it("adds up one currency without a doubt", async () => {
    for (const question of ["total amount in EUR", "total amount by currency", "how many invoices are unpaid?"]) {
      const answer = await setCalled("billing").ask(question);
      assert.deepEqual("doubts" in answer && answer.doubts, []);
    }
  });

  for (const [set, question, words] of COMPUTED_DOUBTS) {
    it(`says of “${question}” what it assumed`, async () => {
      const answer = await setCalled(set).ask(question);
      assert.match("rows" in answer ? answer.doubts.join("\n") : answer.refused, words);
    });
  }
});
