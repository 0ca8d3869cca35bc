import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Warehouse } from "#warehouse";
import { coversRows } from "./comparable-rows.ts";
import { FIELD_DOUBTS, FIELD_QUESTIONS } from "./field-questions.ts";
import { FIELD_TABLES } from "./field-tables.ts";
import { type ComputedSet, computedOnDuckdb, openComputed } from "./start-computed.ts";

describe("questions to tables of several fields, without a language model (CA-86 to CA-91)", () => {
  const folder = mkdtempSync(join(tmpdir(), "fields-"));
  let warehouse: Warehouse;
  const sets = new Map<string, ComputedSet>();
  before(async () => {
    warehouse = await computedOnDuckdb(folder, FIELD_TABLES);
    for (const set of Object.keys(FIELD_TABLES)) sets.set(set, await openComputed(warehouse, set, FIELD_TABLES));
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

  for (const [set, questions] of Object.entries(FIELD_QUESTIONS)) {
    for (const [asked, sql] of questions) {
      const earlier = typeof asked === "string" ? [] : asked.slice(0, -1);
      const question = typeof asked === "string" ? asked : (asked.at(-1) ?? "");
      it(sql === "" ? `refuses “${question}”` : `answers “${question}” as SQL written by hand does`, async () => {
        const { ask, rows } = setCalled(set);
        const answer = await ask(question, ...earlier);
        if (sql === "") assert.ok("refused" in answer, JSON.stringify(answer));
        else {
          assert.ok("rows" in answer, JSON.stringify(answer));
          const byHand = await rows(sql);
          assert.ok(coversRows(answer.rows, byHand), JSON.stringify({ found: answer.rows, byHand }));
        }
      });
    }
  }

  for (const [set, question, words] of FIELD_DOUBTS) {
    it(`says of “${question}” what it assumed`, async () => {
      const answer = await setCalled(set).ask(question);
      assert.match("rows" in answer ? answer.doubts.join("\n") : answer.refused, words);
    });
  }
});
