import assert from "node:assert/strict";
import { after, before } from "node:test";
import type { SemanticModel } from "#analytics";
import { interpretQuestion } from "../interpret-question.ts";
import { modelOfTables } from "./model-of-tables.ts";

interface AskedTables {
  /** There while tests run. */
  readonly model: SemanticModel;
  /** What a question means, after the questions before it. */
  ask(...questions: readonly string[]): ReturnType<typeof interpretQuestion>;
  /** The rows of an answer as texts, and what it warns of; fails the test where there is none. */
  answer(...questions: readonly string[]): Promise<{
    readonly rows: readonly (readonly string[])[];
    readonly warnings: readonly string[];
  }>;
  /** The text of a refusal; fails the test where there is an answer. */
  refusal(...questions: readonly string[]): string;
}

const LIMITS = { maxRows: 100, maxBytes: 100_000, timeoutMs: 10_000 };

/** Tables by name, given as CSV, that the tests of a suite ask questions to: open from before its first test until after its last. */
export function askedTables(
  files: Readonly<Record<string, string>>,
  now: Date,
  adapt: (model: SemanticModel) => SemanticModel = (model) => model,
): AskedTables {
  let tables: Awaited<ReturnType<typeof modelOfTables>>;
  let model: SemanticModel;
  before(async () => {
    tables = await modelOfTables(files);
    model = adapt(tables.model);
  });
  after(() => tables.close());
  const ask = (...questions: readonly string[]) => interpretQuestion(questions, model, now);
  return {
    get model() {
      return model;
    },
    ask,
    async answer(...questions) {
      const found = ask(...questions);
      assert.ok(found.kind === "query", JSON.stringify(found));
      const { sql, warnings } = found.query;
      const { rows } = await model.source.query({ sql, limits: LIMITS, signal: new AbortController().signal });
      return { rows: rows.map((row) => row.map(String)), warnings };
    },
    refusal(...questions) {
      const found = ask(...questions);
      assert.ok(found.kind === "reply", JSON.stringify(found));
      return found.text;
    },
  };
}
